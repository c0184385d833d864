#include <cmath>

#include "tests/unit/scenes/importing/importing.h"

namespace drystone {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// A link with a mass, whose inertia is that of a cube.
std::string link(const std::string& name, const std::string& more = "") {
  return "<link name=\"" + name +
         R"("><inertial><mass value="2"/><inertia ixx="0.1" iyy="0.1" izz="0.1"/></inertial>)" +
         more + "</link>\n";
}

std::string joint(const std::string& name, const std::string& type, const std::string& parent,
                  const std::string& child, const std::string& more = "") {
  return "<joint name=\"" + name + "\" type=\"" + type + "\"><parent link=\"" + parent +
         "\"/><child link=\"" + child + "\"/>" + more + "</joint>\n";
}

std::string robot(const std::string& parts) { return "<robot name=\"r\">\n" + parts + "</robot>"; }

TEST(Urdf, MassesAndInertias_AreThoseOfTheFile) {
  const Scene scene = sceneOf(importData("arm.urdf"));
  const MassProperties& mass = *bodyOf(scene, "upper_arm").mass;
  EXPECT_EQ(mass.mass, 4.5);
  EXPECT_EQ(mass.centerOfMass, Vec3(0, 0.02, 0.25));
  // R I Rᵀ with R = Rz(0.9) Ry(-0.2) Rx(0.3), written out.
  const Real cr = std::cos(0.3), sr = std::sin(0.3), cp = std::cos(-0.2), sp = std::sin(-0.2),
             cy = std::cos(0.9), sy = std::sin(0.9);
  Mat3 turn, inertia;
  turn << cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr,  //
      sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr,      //
      -sp, cp * sr, cp * cr;
  inertia << 0.11, 0.003, -0.002, 0.003, 0.1, 0.001, -0.002, 0.001, 0.02;
  EXPECT_LT((mass.inertia - turn * inertia * turn.transpose()).cwiseAbs().maxCoeff(), kAsInFile);
  EXPECT_EQ(bodyOf(scene, "left_finger").mass->inertia, Mat3(Vec3(2e-5, 2e-5, 1e-5).asDiagonal()));
}

TEST(Urdf, LimitsAndLosses_AreThoseOfTheFile) {
  const Scene scene = sceneOf(importData("arm.urdf"));
  const JointAxis& shoulder = jointOf(scene, "shoulder").definition.axes[kAboutX];
  EXPECT_EQ(shoulder.lower, -1.25);
  EXPECT_EQ(shoulder.upper, 2.5);
  EXPECT_EQ(shoulder.spring->damping, 0.7);
  EXPECT_EQ(shoulder.spring->stiffness, 0);
  EXPECT_EQ(shoulder.friction, 0.4);
  EXPECT_FALSE(shoulder.motor);
  const JointAxis& slide = jointOf(scene, "left_slide").definition.axes[kAlongX];
  EXPECT_EQ(slide.lower, 0);
  EXPECT_EQ(slide.upper, 0.04);
}

// Its limits are 0.3 and 2, so that it starts bent by 0.3 about y.
TEST(Urdf, JointThatMayNotBeZero_StartsAtItsNearestLimit) {
  const ImportedScene imported = importData("arm.urdf");
  EXPECT_THAT(imported.notes, Contains(HasSubstr("joint 'elbow' starts at 0.3")));
  const Scene scene = sceneOf(imported);
  const JointAxis& elbow = jointOf(scene, "elbow").definition.axes[kAboutX];
  EXPECT_EQ(elbow.lower, 0.3);
  EXPECT_EQ(elbow.upper, 2);
  const Pose& upper = bodyOf(scene, "upper_arm").pose;
  const Quat bend = upper.rotation.conjugate() * bodyOf(scene, "forearm").pose.rotation;
  EXPECT_NEAR(bend.y(), std::sin(0.15), kAsInFile);
  EXPECT_LT((bodyOf(scene, "forearm").pose.position - upper * Vec3(0, 0, 0.5)).norm(), kAsInFile);
}

TEST(Urdf, Coordinates_AreThoseOfTheFile) {
  const Scene scene = sceneOf(importData("arm.urdf", {.holdJoints = true}));
  EXPECT_EQ(jointOf(scene, "elbow").definition.axes[kAboutX].motor->target.at(0), 0.3);
  World world = buildWorld(scene, makeDefaultRegistry());
  const auto elbow = world.joint(world.findJoint("elbow"));
  EXPECT_NEAR(elbow.coordinate(kAboutX), 0.3, kAsInFile);
  EXPECT_NEAR(world.joint(world.findJoint("shoulder")).coordinate(kAboutX), 0, kAsInFile);
  // Bent to 1.1, as the file has it: the forearm stands at 1.1 rad to the upper arm.
  const JointPlace place{.joint = world.findJoint("elbow"), .coordinate = kAboutX, .value = 1.1};
  world.placeJoints({&place, 1});
  const Quat bend = world.body(world.findBody("upper_arm")).pose().rotation.conjugate() *
                    world.body(world.findBody("forearm")).pose().rotation;
  EXPECT_NEAR(bend.y(), std::sin(0.55), kAsInFile);
}

// A prismatic joint of 0.2 to 0.5, and a turn whose start is more than half a turn away.
TEST(Urdf, Starts_AreOfSlidersTooAndOfTurnsUpToAHalf) {
  const std::string text =
      robot("<link name=\"world\"/>" + link("a") + link("b") +
            joint("s", "prismatic", "world", "a",
                  "<axis xyz=\"0 0 1\"/><limit lower=\"0.2\" upper=\"0.5\" effort=\"9\"/>") +
            joint("t", "revolute", "world", "b", "<limit lower=\"4\" upper=\"5\" effort=\"9\"/>"));
  const ImportedScene imported = importText(text);
  World world = buildWorld(sceneOf(imported), makeDefaultRegistry());
  EXPECT_NEAR(world.joint(world.findJoint("s")).coordinate(kAlongX), 0.2, kAsInFile);
  EXPECT_NEAR(world.body(world.findBody("a")).pose().position.z(), 0.2, kAsInFile);
  EXPECT_NEAR(world.joint(world.findJoint("t")).coordinate(kAboutX), 0, kAsInFile);
  EXPECT_THAT(imported.notes, Contains(HasSubstr("joint 't' counts from its start: 0 in the scene "
                                                 "is 4 in the file")));
  EXPECT_THAT(imported.notes, Not(Contains(HasSubstr("'s' counts"))));
}

TEST(Urdf, Links_AreBodiesWhereTheyStart) {
  const Scene scene = sceneOf(importData("arm.urdf"));
  EXPECT_EQ(bodyOf(scene, "world").kind, BodyKind::kStatic);
  EXPECT_EQ(bodyOf(scene, "pedestal").kind, BodyKind::kStatic);  // fixed to the world
  EXPECT_EQ(bodyOf(scene, "pedestal").pose.position, Vec3(0, 0, 0.2));
  EXPECT_LT((bodyOf(scene, "upper_arm").pose.position - Vec3(0, 0, 0.45)).norm(), kAsInFile);
  const auto& parts = std::get<Compound>(*bodyOf(scene, "upper_arm").shape).children;
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(std::get<Box>(parts[0].shape).halfExtents, Vec3(0.04, 0.04, 0.2));
  EXPECT_EQ(std::get<Cylinder>(parts[1].shape).halfLength, 0.05);
  EXPECT_EQ(parts[1].pose.position, Vec3(0, 0, 0.5));
  EXPECT_NEAR(parts[1].pose.rotation.x(), std::sqrt(0.5), kAsInFile);
}

// The frame of the tool has no mass, so it is a piece of the forearm; the palm has.
TEST(Urdf, LinkWithoutMass_IsOneBodyWithWhatItIsFixedTo) {
  const Scene scene = sceneOf(importData("arm.urdf"));
  EXPECT_THROW(bodyOf(scene, "tool_frame"), InputError);
  const SceneJoint& flange = jointOf(scene, "flange");
  EXPECT_EQ(scene.bodies[static_cast<std::size_t>(flange.bodyA)].name, "forearm");
  EXPECT_EQ(scene.bodies[static_cast<std::size_t>(flange.bodyB)].name, "palm");
}

// The first link carries the mass of what is fixed to it: two cubes of 2 kg, 0.4 m apart on x.
TEST(Urdf, MassesOfOneBody_AddUpBySteiner) {
  const Scene scene = sceneOf(importText(robot(
      "<link name=\"frame\"/>" + link("a") + link("b") +
      joint("j", "fixed", "frame", "a", "<origin xyz=\"0.4 0 0\"/>") + "<link name=\"tip\"/>" +
      joint("k", "fixed", "a", "tip") + joint("l", "floating", "tip", "b"))));
  const MassProperties& mass = *bodyOf(scene, "frame").mass;
  EXPECT_EQ(mass.mass, 2);
  EXPECT_EQ(mass.centerOfMass, Vec3(0.4, 0, 0));
  EXPECT_EQ(mass.inertia, Mat3(Vec3::Constant(0.1).asDiagonal()));
  EXPECT_EQ(scene.bodies.size(), 2u);
  EXPECT_THAT(scene.joints, IsEmpty());
}

TEST(Urdf, WhatIsLeftOut_IsNamedOnceWithItsCount) {
  const std::vector<std::string> notes = importData("arm.urdf").notes;
  EXPECT_THAT(notes,
              Contains(AllOf(HasSubstr("arm.urdf:12: left out: <visual> of a link (2 times)"))));
  EXPECT_THAT(notes,
              Contains(HasSubstr(":70: left out: limits of the velocity of joints (4 times)")));
  EXPECT_THAT(notes, Contains(HasSubstr("left out: the coupling of joint 'right_slide'")));
}

TEST(Urdf, Base_IsFreeUnlessItIsTheWorldOrAsked) {
  const std::string one = robot(link("base"));
  EXPECT_EQ(bodyOf(sceneOf(importText(one)), "base").kind, BodyKind::kDynamic);
  EXPECT_EQ(bodyOf(sceneOf(importText(one, {.base = RobotBase::kFixed})), "base").kind,
            BodyKind::kStatic);
  const std::string world = robot(link("world"));
  EXPECT_EQ(bodyOf(sceneOf(importText(world)), "world").kind, BodyKind::kStatic);
  EXPECT_EQ(bodyOf(sceneOf(importText(world, {.base = RobotBase::kFree})), "world").kind,
            BodyKind::kDynamic);
}

TEST(Urdf, Effort_IsTheLargestForceOfAMotor) {
  const std::string limit = "<limit lower=\"-1\" upper=\"1\" effort=\"12\" velocity=\"1\"/>";
  const std::string text =
      robot("<link name=\"world\"/>" + link("a") + link("b") +
            joint("one", "revolute", "world", "a", limit) +
            joint("two", "revolute", "world", "b", limit) +
            "<transmission name=\"t\"><joint name=\"one\"><hardwareInterface>"
            "VelocityJointInterface</hardwareInterface></joint></transmission>");
  const Scene driven = sceneOf(importText(text));
  const auto& motor = jointOf(driven, "one").definition.axes[kAboutX].motor;
  ASSERT_TRUE(motor);
  EXPECT_EQ(motor->kind, MotorKind::kVelocity);
  EXPECT_EQ(motor->maxForce, 12);
  EXPECT_FALSE(jointOf(driven, "two").definition.axes[kAboutX].motor);
  const Scene held = sceneOf(importText(text, {.holdJoints = true}));
  EXPECT_EQ(jointOf(held, "two").definition.axes[kAboutX].motor->kind, MotorKind::kPosition);
}

// q_b = -2 q_a + 0.3 from the start on, and with the offset there too.
TEST(Urdf, Mimic_HoldsMultiplierAndOffset) {
  const std::string text = robot(
      "<link name=\"world\"/>" + link("a") + link("b") +
      joint("lead", "continuous", "world", "a",
            "<axis xyz=\"0 0 1\"/><dynamics damping=\"0.01\"/>") +
      joint("follow", "continuous", "world", "b",
            "<origin xyz=\"1 0 0\"/><axis xyz=\"0 0 1\"/><mimic joint=\"lead\" multiplier=\"-2\" "
            "offset=\"0.3\"/>"));
  const ImportedScene imported = importText(text);
  const Scene scene = sceneOf(imported);
  EXPECT_NEAR(bodyOf(scene, "b").pose.rotation.z(), std::sin(0.15), kAsInFile);
  World world = buildWorld(scene, makeDefaultRegistry());
  for (int step = 0; step < 60; ++step) {
    world.body(world.findBody("a")).applyTorque({0, 0, 0.5});
    world.step();
  }
  const Real lead = world.joint(world.findJoint("lead")).coordinate(kAboutX);
  const Real follow = world.joint(world.findJoint("follow")).coordinate(kAboutX);
  EXPECT_GT(lead, 0.5);
  EXPECT_NEAR(follow, -2 * lead + 0.3, 1e-6);  // the gear's drift
}

TEST(Urdf, PlanarJoint_LeavesThreeCoordinates) {
  const Scene scene =
      sceneOf(importText(robot("<link name=\"world\"/>" + link("puck") +
                               joint("ice", "planar", "world", "puck", "<axis xyz=\"0 0 1\"/>"))));
  World world = buildWorld(scene, makeDefaultRegistry());
  for (int step = 0; step < 30; ++step) {
    world.body(world.findBody("puck")).applyForce({2, 0, 0});
    world.step();
  }
  const Vec3 at = world.body(world.findBody("puck")).pose().position;
  EXPECT_GT(at.x(), 0.1);
  EXPECT_NEAR(at.z(), 0, 1e-9);  // gravity does not take it off the plane; rounding of the solver
}

TEST(Urdf, Arm_FallsWithEveryStepExact) {
  expectExactSteps(importData("arm.urdf").text, 200);
  expectExactSteps(importData("arm.urdf", {.holdJoints = true}).text, 200);
}

// Its feet stand 0.525 m below the trunk.
TEST(Urdf, Quadruped_StandsOnAPlaneWithEveryStepExact) {
  const ImportedScene imported = importData("quadruped.urdf", {.holdJoints = true});
  const World world = expectExactSteps(withPlane(imported.text, "-0.525"), 200);
  const Pose& trunk = world.body(world.findBody("trunk")).pose();
  EXPECT_NEAR(trunk.position.z(), 0, 0.02);
  EXPECT_GT(trunk.rotation.w(), 0.99);
}

}  // namespace
}  // namespace drystone
