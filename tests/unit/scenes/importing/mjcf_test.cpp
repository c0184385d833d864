#include <cmath>
#include <numbers>

#include "tests/unit/scenes/importing/importing.h"

namespace drystone {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

constexpr Real kRadPerDegree = std::numbers::pi / 180;

std::string inWorld(const std::string& bodies, const std::string& after = "",
                    const std::string& before = "") {
  return "<mujoco>" + before + "<worldbody>" + bodies + "</worldbody>" + after + "</mujoco>";
}

const MassProperties& massOf(const Scene& scene, const std::string& name) {
  return *bodyOf(scene, name).mass;
}

// A capsule of radius 0.04 from 0 to -0.22 and a ball 0.28 below, about their common centre.
TEST(Mjcf, MassOfGeoms_IsTheClosedForm) {
  const Scene scene = sceneOf(importData("humanoid.xml"));
  const Real r = 0.04, l = 0.22, density = 950;
  const Real tube = density * std::numbers::pi * r * r * l,
             caps = density * 4 / 3 * std::numbers::pi * r * r * r;
  const Real ball = 1200 * 4 / 3 * std::numbers::pi * 0.05 * 0.05 * 0.05;
  const Real along = tube * r * r / 2 + caps * r * r * 2 / 5;
  const Real across =
      tube * (r * r / 4 + l * l / 12) + caps * (r * r * 2 / 5 + l * l / 4 + l * r * 3 / 8);
  const Real arm = tube + caps;
  const MassProperties& mass = massOf(scene, "left_lower_arm");
  EXPECT_NEAR(mass.mass, arm + ball, kAsInFile);
  EXPECT_NEAR(mass.centerOfMass.z(), (-0.11 * arm - 0.28 * ball) / (arm + ball), kAsInFile);
  const Real steiner = arm * ball / (arm + ball) * 0.17 * 0.17;
  const Real inBall = ball * 0.05 * 0.05 * 2 / 5;
  EXPECT_NEAR(mass.inertia(0, 0), across + inBall + steiner, kAsInFile);
  EXPECT_NEAR(mass.inertia(1, 1), across + inBall + steiner, kAsInFile);
  EXPECT_NEAR(mass.inertia(2, 2), along + inBall, kAsInFile);
}

TEST(Mjcf, Inertial_IsThatOfTheFile) {
  const Scene scene = sceneOf(importText(
      inWorld("<body name=\"b\"><freejoint/><inertial pos=\"1 2 3\" euler=\"0 0 90\" mass=\"3\" "
              "fullinertia=\"1 2 2.5 0.1 0.2 0.3\"/><geom size=\"1\"/></body>")));
  const MassProperties& mass = massOf(scene, "b");
  EXPECT_EQ(mass.mass, 3);
  EXPECT_EQ(mass.centerOfMass, Vec3(1, 2, 3));
  Mat3 turned;  // x of the inertial is y of the body, its y is -x
  turned << 2, -0.1, -0.3, -0.1, 1, 0.2, -0.3, 0.2, 2.5;
  EXPECT_LT((mass.inertia - turned).cwiseAbs().maxCoeff(), kAsInFile);
}

// A foot without joints is a piece of the shin: a cylinder and a box.
TEST(Mjcf, BodyWithoutJoints_IsAPieceOfItsParent) {
  const Scene scene = sceneOf(importData("humanoid.xml"));
  EXPECT_THROW(bodyOf(scene, "left_foot"), InputError);
  const Real shin = 950 * std::numbers::pi * 0.045 * 0.045 * 0.32,
             foot = 950 * 8 * 0.11 * 0.04 * 0.02;
  EXPECT_NEAR(massOf(scene, "left_shin").mass, shin + foot, kAsInFile);
  EXPECT_EQ(std::get<Compound>(*bodyOf(scene, "left_shin").shape).children.size(), 2u);
}

TEST(Mjcf, LimitsAndSprings_AreThoseOfTheFileInRadians) {
  const Scene scene = sceneOf(importData("humanoid.xml"));
  const JointAxis& elbow = jointOf(scene, "left_elbow").definition.axes[kAboutX];
  EXPECT_NEAR(elbow.lower, 0, kAsInFile);
  EXPECT_NEAR(elbow.upper, 130 * kRadPerDegree, kAsInFile);
  EXPECT_EQ(elbow.spring->stiffness, 3);
  EXPECT_NEAR(elbow.spring->rest, 20 * kRadPerDegree, kAsInFile);
  EXPECT_EQ(elbow.spring->damping, 1);  // of the class around it
  const JointAxis& knee = jointOf(scene, "left_knee").definition.axes[kAboutX];
  EXPECT_EQ(knee.spring->damping, 2);
  ASSERT_TRUE(knee.motor);
  EXPECT_EQ(knee.motor->maxForce, 80);
  EXPECT_EQ(knee.motor->servo->stiffness, 60);
  EXPECT_EQ(knee.motor->servo->damping, 3);
}

// Axes x, z and then y: the third is opposite to x × z, so that its limits change places.
TEST(Mjcf, JointsOfOneBody_AreOneWithTheirLimits) {
  const Scene scene = sceneOf(importData("humanoid.xml"));
  const auto& axes = jointOf(scene, "left_hip_x").definition.axes;
  EXPECT_TRUE(axes[kAlongX].isLocked());
  EXPECT_NEAR(axes[kAboutX].upper, 25 * kRadPerDegree, kAsInFile);
  EXPECT_NEAR(axes[kAboutY].lower, -60 * kRadPerDegree, kAsInFile);
  EXPECT_NEAR(axes[kAboutZ].lower, -20 * kRadPerDegree, kAsInFile);
  EXPECT_NEAR(axes[kAboutZ].upper, 110 * kRadPerDegree, kAsInFile);
  // With -z the third axis is x × -z = y itself.
  const auto& mirrored = jointOf(scene, "right_hip_x").definition.axes;
  EXPECT_NEAR(mirrored[kAboutZ].lower, -110 * kRadPerDegree, kAsInFile);
  EXPECT_NEAR(mirrored[kAboutZ].upper, 20 * kRadPerDegree, kAsInFile);
}

TEST(Mjcf, SlidesAndAHinge_AreOneJoint) {
  const Scene scene = sceneOf(importText(
      inWorld("<body name=\"b\"><joint name=\"x\" type=\"slide\" axis=\"1 0 0\" range=\"-1 2\"/>"
              "<joint type=\"slide\" axis=\"0 0 1\" range=\"-3 4\"/><joint axis=\"0 1 0\"/>"
              "<geom size=\"0.1\"/></body>")));
  World world = buildWorld(scene, makeDefaultRegistry());
  const BodyHandle body = world.body(world.findBody("b"));
  for (int step = 0; step < 200; ++step) {
    body.applyForce({50, 0, 0});
    body.applyTorque({0, 0.01, 0});
    world.step();
  }
  EXPECT_GT(body.pose().position.x(), 0.5);
  EXPECT_LT(body.pose().position.z(), -0.5);
  EXPECT_NEAR(body.pose().position.y(), 0, 1e-6);  // locked; the drift of the rows
  EXPECT_GT(body.angularVelocity().y(), 0.1);
}

// Hinges turn about lines: along x through (0, 1, 2), along y through (3, 0, 2), along z through
// (3, 1, 0). They meet in (3, 1, 2).
TEST(Mjcf, HingesAtDifferentPoints_TurnAboutWhereTheirAxesMeet) {
  const Scene scene = sceneOf(importText(
      inWorld("<body name=\"b\" pos=\"10 0 0\"><joint name=\"x\" axis=\"1 0 0\" pos=\"0 1 2\"/>"
              "<joint axis=\"0 1 0\" pos=\"3 0 2\"/><joint axis=\"0 0 1\" pos=\"3 1 0\"/>"
              "<geom size=\"0.1\"/></body>")));
  World world = buildWorld(scene, makeDefaultRegistry());
  const BodyHandle body = world.body(world.findBody("b"));
  for (int step = 0; step < 100; ++step) {
    body.applyTorque({20, 30, -10});
    EXPECT_TRUE(world.step().withinTolerance);
  }
  EXPECT_LT((body.pose() * Vec3(3, 1, 2) - Vec3(13, 1, 2)).norm(), 1e-3);  // the joints' tolerance
  EXPECT_GT((body.pose().position - Vec3(10, 0, 0)).norm(), 0.1);
}

TEST(Mjcf, ReferenceOfAJoint_IsWhereTheFileHasIt) {
  const Scene scene = sceneOf(importText(
      inWorld("<body name=\"b\" pos=\"0 0 1\"><joint name=\"j\" axis=\"0 1 0\" ref=\"30\" "
              "range=\"10 50\" springref=\"40\" stiffness=\"1\"/><geom size=\"0.1\" "
              "pos=\"1 0 0\"/></body>")));
  const JointAxis& axis = jointOf(scene, "j").definition.axes[kAboutX];
  EXPECT_NEAR(axis.lower, 10 * kRadPerDegree, kAsInFile);
  EXPECT_NEAR(axis.upper, 50 * kRadPerDegree, kAsInFile);
  EXPECT_NEAR(axis.spring->rest, 40 * kRadPerDegree, kAsInFile);
  EXPECT_TRUE(bodyOf(scene, "b").pose.rotation.isApprox(Quat::Identity(), kAsInFile));
  const World world = buildWorld(scene, makeDefaultRegistry());
  EXPECT_NEAR(world.joint(world.findJoint("j")).coordinate(kAboutX), 30 * kRadPerDegree, kAsInFile);
}

TEST(Mjcf, ReferencesOfJointsOfOneBody_AreNoted) {
  const std::string text = inWorld(
      "<body><joint name=\"x\" axis=\"1 0 0\" ref=\"30\"/><joint name=\"y\" axis=\"0 1 0\"/>"
      "<geom size=\"1\"/></body>");
  EXPECT_THAT(importText(text).notes,
              testing::ElementsAre(HasSubstr("joint 'x' counts from its start")));
}

TEST(Mjcf, Orientations_HaveAllForms) {
  const Real s = std::sqrt(0.5);
  for (const char* form : {"euler=\"0 0 90\"", "axisangle=\"0 0 2 90\"", "quat=\"1 0 0 1\"",
                           "xyaxes=\"0 1 0 -1 1 0\""}) {
    const Scene scene = sceneOf(importText(inWorld(std::string("<body name=\"b\" ") + form +
                                                   "><freejoint/><geom size=\"1\"/></body>")));
    EXPECT_NEAR(bodyOf(scene, "b").pose.rotation.z(), s, kAsInFile) << form;
  }
  // About the own x and then the own y; with capitals about the fixed ones.
  const auto turned = [&](const std::string& order) {
    return bodyOf(sceneOf(importText(inWorld(
                      "<body name=\"b\" euler=\"90 90 0\"><freejoint/><geom size=\"1\"/></body>",
                      "", "<compiler eulerseq=\"" + order + "\"/>"))),
                  "b")
        .pose.rotation;
  };
  EXPECT_LT((turned("xyz") * Vec3::UnitZ() - Vec3(1, 0, 0)).norm(), kAsInFile);
  EXPECT_LT((turned("XYZ") * Vec3::UnitZ() - Vec3(0, -1, 0)).norm(), kAsInFile);
}

// One's contype and the other's conaffinity, or the other way round, and no excluded pair.
TEST(Mjcf, Filters_LetThoseMeetThatDidInTheFile) {
  const auto ball = [](const std::string& name, const std::string& bits) {
    return "<body name=\"" + name + "\"><freejoint/><geom size=\"1\" " + bits + "/></body>";
  };
  const Scene scene = sceneOf(importText(
      inWorld(ball("a", "") + ball("b", "") + ball("c", "contype=\"2\" conaffinity=\"0\"") +
                  ball("d", "contype=\"0\" conaffinity=\"2\"") + ball("e", ""),
              "<contact><exclude body1=\"a\" body2=\"b\"/></contact>")));
  const auto meet = [&](const std::string& one, const std::string& two) {
    const CollisionFilter a = bodyOf(scene, one).filter, b = bodyOf(scene, two).filter;
    return (a.group & b.mask) != 0 && (b.group & a.mask) != 0;
  };
  EXPECT_FALSE(meet("a", "b"));
  EXPECT_TRUE(meet("a", "e") && meet("b", "e"));
  EXPECT_TRUE(meet("c", "d"));
  EXPECT_FALSE(meet("c", "c") || meet("d", "d") || meet("a", "c") || meet("a", "d"));
}

TEST(Mjcf, FrictionOfAPair_IsTheLarger) {
  const Scene scene = sceneOf(importData("humanoid.xml"));
  ASSERT_EQ(scene.pairs.size(), 1u);
  EXPECT_EQ(scene.materials.size(), 2u);
  EXPECT_THAT(importData("humanoid.xml").text, HasSubstr("\"friction\":0.9}"));
}

TEST(Mjcf, WhatIsLeftOut_IsNamedOnceWithItsCount) {
  const auto notes = importData("humanoid.xml").notes;
  EXPECT_THAT(notes, Contains(HasSubstr(":15: left out: <light> of a body")));
  EXPECT_THAT(notes, Contains(HasSubstr("left out: armature of <joint>")));  // of the default
  EXPECT_THAT(notes, Contains(HasSubstr("left out: <motor> actuators")));
  EXPECT_THAT(notes, Contains(HasSubstr("left out: <sensor>")));
}

// q1 = 0.2 + 2 q2 of two joints of the world.
TEST(Mjcf, EqualityOfJoints_HoldsConstantAndFactor) {
  const ImportedScene imported = importText(
      inWorld("<body name=\"a\"><joint name=\"p\"/><geom size=\"0.1\"/></body>"
              "<body name=\"b\" pos=\"1 0 0\"><joint name=\"q\"/><geom size=\"0.1\"/></body>",
              "<equality><joint joint1=\"p\" joint2=\"q\" polycoef=\"0.2 2 0 0 0\"/></equality>"));
  World world = buildWorld(sceneOf(imported), makeDefaultRegistry());
  EXPECT_NEAR(world.body(world.findBody("a")).pose().rotation.z(), std::sin(0.1), kAsInFile);
  for (int step = 0; step < 60; ++step) {
    world.body(world.findBody("b")).applyTorque({0, 0, 0.5});
    world.step();
  }
  const Real q = world.joint(world.findJoint("q")).coordinate(kAboutX);
  EXPECT_GT(q, 0.01);
  EXPECT_NEAR(world.joint(world.findJoint("p")).coordinate(kAboutX), 0.2 + 2 * q,
              1e-6);  // the gear's drift
}

/// Hinges x and y of one body, x with a reference, beside a hinge k of another; and an equality.
ImportedScene stackWith(const std::string& equality) {
  return importText(inWorld(
      R"(<body name="b" pos="0 0 1"><joint name="x" axis="1 0 0" ref="20"/>
           <joint name="y" axis="0 1 0" range="-30 30"/><geom size="0.1"/></body>
         <body name="c" pos="1 0 1"><joint name="k" axis="0 1 0" ref="10"/><geom size="0.1"/></body>)",
      "<equality><joint " + equality + "/></equality>"));
}

TEST(Mjcf, EqualityThatHoldsAHingeOfSeveral_LocksItAlone) {
  const std::pair<const char*, const char*> cases[] = {
      {R"(joint1="x")", "about_x"},
      {R"(joint1="x" polycoef="0 3")", "about_x"},  // its factor is for a second joint
      {R"(joint1="x" joint2="k" polycoef="0 0")", "about_x"},
      {R"(joint1="y")", "about_y"}};
  for (const auto& [equality, held] : cases) {
    const Scene scene = sceneOf(stackWith(equality));
    const auto& axes = jointOf(scene, "x").definition.axes;
    EXPECT_EQ(axes[kAboutX].isLocked(), held == std::string("about_x")) << equality;
    EXPECT_EQ(axes[kAboutY].isLocked(), held == std::string("about_y")) << equality;
    EXPECT_FALSE(jointOf(scene, "k").definition.axes[kAboutX].isLocked()) << equality;
    EXPECT_EQ(axes[held == std::string("about_x") ? kAboutX : kAboutY].lower, 0) << equality;
    EXPECT_EQ(scene.joints.size(), 2u) << equality;
  }
}

// What does not follow does not matter.
TEST(Mjcf, EqualityWithoutAFactor_HoldsAHingeBesideOneOfSeveral) {
  const Scene scene = sceneOf(stackWith(R"(joint1="k" joint2="x" polycoef="0.3 0")"));
  EXPECT_TRUE(jointOf(scene, "k").definition.axes[kAboutX].isLocked());
  EXPECT_FALSE(jointOf(scene, "x").definition.axes[kAboutX].isLocked());
  EXPECT_NEAR(bodyOf(scene, "c").pose.rotation.y(), std::sin(0.15), kAsInFile);
  EXPECT_NEAR(bodyOf(scene, "b").pose.rotation.w(), 1, kAsInFile);
}

// Frames of such a joint are alike where the bodies are in the file, so none may start elsewhere.
TEST(Mjcf, EqualityThatMovesOrCouplesAHingeOfSeveral_IsLeftOutWithANote) {
  const std::pair<const char*, const char*> cases[] = {
      {R"(joint1="x" polycoef="0.8")", "that holds one of several joints of a body away from"},
      {R"(joint1="y" polycoef="0.8")", "that holds one of several joints of a body away from"},
      {R"(joint1="x" joint2="k" polycoef="0.3 0")", "joints of a body away from its ref"},
      {R"(joint1="x" joint2="k")", "with a joint that shares its body"},
      {R"(joint1="y" joint2="k")", "with a joint that shares its body"},
      {R"(joint1="k" joint2="x")", "with a joint that shares its body"},
      {R"(joint1="k" joint2="x" polycoef="0.3 1")", "with a joint that shares its body"}};
  const Scene plain = sceneOf(stackWith(R"(joint1="k" active="false")"));
  for (const auto& [equality, note] : cases) {
    const ImportedScene imported = stackWith(equality);
    EXPECT_THAT(imported.notes, Contains(HasSubstr(note))) << equality;
    EXPECT_THAT(imported.notes, Not(Contains(HasSubstr("the coupling of joint")))) << equality;
    const Scene scene = sceneOf(imported);
    ASSERT_EQ(scene.joints.size(), 2u) << equality;
    for (const char* joint : {"x", "k"}) {
      const JointDefinition& made = jointOf(scene, joint).definition;
      const JointDefinition& asInFile = jointOf(plain, joint).definition;
      EXPECT_FALSE(made.axes[kAboutX].isLocked()) << equality;
      EXPECT_TRUE(made.frameA.rotation.isApprox(asInFile.frameA.rotation, kAsInFile)) << equality;
    }
    for (const char* body : {"b", "c"}) {
      EXPECT_TRUE(bodyOf(scene, body).pose.rotation.isApprox(Quat::Identity(), kAsInFile))
          << equality << ": " << body;
    }
  }
}

TEST(Mjcf, ConnectAndWeld_HoldBodies) {
  const ImportedScene imported =
      importText(inWorld("<body name=\"a\" pos=\"0 0 1\"><freejoint/><geom size=\"0.1\"/></body>"
                         "<body name=\"b\" pos=\"1 0 1\"><freejoint/><geom size=\"0.1\"/></body>",
                         "<equality><connect body1=\"a\" anchor=\"0 0 0.5\"/>"
                         "<weld body1=\"b\" body2=\"a\"/></equality>"));
  const World world = expectExactSteps(imported.text, 100);
  const Pose a = world.body(world.findBody("a")).pose(), b = world.body(world.findBody("b")).pose();
  EXPECT_LT((a * Vec3(0, 0, 0.5) - Vec3(0, 0, 1.5)).norm(), 1e-3);
  EXPECT_NEAR((a.position - b.position).norm(), 1, 1e-3);
}

const std::string kPendulumUrdf = R"(<robot name="p"><link name="world"/>
  <link name="one"><inertial><origin xyz="0 0 -0.5"/><mass value="1"/>
    <inertia ixx="0.1" iyy="0.09" izz="0.02"/></inertial></link>
  <link name="two"><inertial><origin xyz="0 0 -0.4"/><mass value="0.6"/>
    <inertia ixx="0.05" iyy="0.04" izz="0.01"/></inertial></link>
  <joint name="a" type="continuous"><parent link="world"/><child link="one"/>
    <origin xyz="0 0 2" rpy="0 1 0"/><axis xyz="0 1 0"/><dynamics damping="0.02"/></joint>
  <joint name="b" type="continuous"><parent link="one"/><child link="two"/>
    <origin xyz="0 0 -1"/><axis xyz="0 1 0"/></joint></robot>)";
const std::string kPendulumMjcf = R"(<mujoco><compiler angle="radian"/>
  <option timestep="0.01"/><worldbody>
  <body name="one" pos="0 0 2" euler="0 1 0"><joint name="a" axis="0 1 0" damping="0.02"/>
    <inertial pos="0 0 -0.5" mass="1" diaginertia="0.1 0.09 0.02"/>
    <body name="two" pos="0 0 -1"><joint name="b" axis="0 1 0"/>
      <inertial pos="0 0 -0.4" mass="0.6" diaginertia="0.05 0.04 0.01"/></body></body>
  </worldbody></mujoco>)";

TEST(Import, DoublePendulum_MovesAlikeFromBothFormats) {
  Scene first = sceneOf(importText(kPendulumUrdf)), second = sceneOf(importText(kPendulumMjcf));
  first.settings.timestep = second.settings.timestep;
  World one = buildWorld(first, makeDefaultRegistry());
  World two = buildWorld(second, makeDefaultRegistry());
  const auto tip = [](const World& world) {
    return world.body(world.findBody("two")).pose() * Vec3(0, 0, -1);
  };
  const Vec3 start = tip(one);
  Real way = 0;
  for (int step = 0; step < 200; ++step) {
    EXPECT_TRUE(one.step().withinTolerance);
    EXPECT_TRUE(two.step().withinTolerance);
    // Rounding of the start alone; over two seconds this pendulum is not chaotic yet.
    ASSERT_LT((tip(one) - tip(two)).norm(), 1e-9) << step;
    way = std::max(way, (tip(one) - start).norm());
  }
  EXPECT_GT(way, 1);
}

TEST(Mjcf, CartPole_RunsWithEveryStepExact) {
  expectExactSteps(
      importText(inWorld(R"(<geom type="capsule" fromto="-2 0 0 2 0 0" size="0.02" contype="0"
          conaffinity="0"/><body name="cart"><joint name="slide" type="slide" axis="1 0 0"
          range="-1.8 1.8" damping="0.1" frictionloss="0.2"/><geom type="box" size="0.2 0.1 0.1"
          mass="1"/><body name="pole" euler="0 10 0"><joint name="hinge" axis="0 1 0"/>
          <geom type="capsule" fromto="0 0 0 0 0 0.6" size="0.045" mass="0.1"/></body></body>)"))
          .text,
      200);
}

// Times shorter than two steps count as two; of what stands still there is no mass.
TEST(Mjcf, Solref_IsTheSpringOfTheBodysMass) {
  const Scene scene = sceneOf(importText(
      inWorld("<geom type=\"plane\" size=\"1 1 1\" solref=\"0.5 1\"/><body name=\"b\"><freejoint/>"
              "<geom size=\"1\" mass=\"2\" solref=\"0.001 0.5\" solimp=\"0.7 0.8\"/>"
              "<geom size=\"1\" mass=\"1\"/></body>")));
  const MaterialId own = bodyOf(scene, "b").partMaterials.front();
  const auto spring = springOf(scene.materials.at(static_cast<std::size_t>(own) - 1).material);
  ASSERT_TRUE(spring);
  const ContactSpring expected = springFromSolref({0.004, 0.5}, 0.8, 3);
  EXPECT_NEAR(spring->stiffness / expected.stiffness, 1, kAsInFile);
  EXPECT_NEAR(spring->damping / expected.damping, 1, kAsInFile);
  EXPECT_EQ(std::ranges::count_if(
                scene.materials,
                [](const SceneMaterial& one) { return springOf(one.material).has_value(); }),
            1);
}

}  // namespace
}  // namespace drystone
