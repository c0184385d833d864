// Every kind of joint against closed forms, and how joints break and are refused. Without gravity
// unless said; masses and inertias are given.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/input_error.h"
#include "tests/physics/joint_rig.h"
#include "tests/support/constants.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

using test::kGravity;
using test::kJointStep;
using test::Rig;

Pose at(const Vec3& point) { return {point, Quat::Identity()}; }

TEST(FixedJoint, CarriesWeightAndMomentOfACantilever) {
  Rig rig({2, 0, 0}, {0, 0, -kGravity});
  const JointId joint =
      rig.world.addJoint(fixedJoint(rig.post, rig.body, at(Vec3::Zero()), at({-2, 0, 0})));
  rig.run(120);
  const JointReaction reaction = rig.world.joint(joint).reaction();
  // Sags by the compliance of 1e-9: tilts by h C τ h / γ, some 1e-11 rad.
  EXPECT_NEAR((reaction.force - Vec3(0, 0, Rig::kMass * kGravity)).norm(), 0, 1e-6);
  EXPECT_NEAR((reaction.torque - Vec3(0, -2 * Rig::kMass * kGravity, 0)).norm(), 0, 1e-6);
  EXPECT_LE(rig.world.lastReport().maxJointDrift, 1e-8);
  EXPECT_LE(rig.world.lastReport().maxJointTurn, 1e-8);
}

TEST(CylindricalJoint, SlidesAndTurnsAndNothingElse) {
  Rig rig;
  const JointId joint = rig.world.addJoint(cylindricalJoint(rig.post, rig.body, {}, {}));
  rig.world.body(rig.body).setVelocity({1, 2, 3}, {4, 5, 6});
  rig.run(30);
  EXPECT_NEAR((rig.world.body(rig.body).linearVelocity() - Vec3(1, 0, 0)).norm(), 0, 1e-8);
  EXPECT_NEAR((rig.world.body(rig.body).angularVelocity() - Vec3(4, 0, 0)).norm(), 0, 1e-8);
  EXPECT_NEAR(rig.world.joint(joint).coordinate(kAlongX), 0.5, 1e-8);
  EXPECT_NEAR(rig.world.joint(joint).coordinate(kAboutX), 2, 1e-8);
}

TEST(UniversalJoint, KeepsTheCrossRightAngledAndHoldsTwistAgainstIt) {
  Rig rig;
  const JointId joint = rig.world.addJoint(universalJoint(rig.post, rig.body, {}, {}));
  rig.world.body(rig.body).setVelocity(Vec3::Zero(), {0.5, 3, 0.7});
  rig.run(240);
  // x of A and z of B, the two arms of the cross.
  const Vec3 z = rig.world.body(rig.body).pose().rotation * Vec3::UnitZ();
  // A step of turning by ω h bends the cross by up to (ω h)² / 2, of which γ is taken back: 6e-3.
  EXPECT_NEAR(z.x(), 0, 6e-3);
  EXPECT_NEAR(rig.world.joint(joint).coordinate(kAboutY), 0, 6e-3);
  EXPECT_GT(std::abs(rig.world.joint(joint).coordinate(kAboutX)), 0.5);
}

TEST(SixDof, EachCoordinateIsWhatItSays) {
  // Frames turned against each other by known angles about x, then y, then z, and shifted.
  const Vec3 shift(0.1, -0.2, 0.3), angles(0.4, -0.5, 0.6);
  Rig rig;
  const Quat turned = test::turn(Vec3::UnitX(), angles.x()) *
                      test::turn(Vec3::UnitY(), angles.y()) * test::turn(Vec3::UnitZ(), angles.z());
  rig.world.body(rig.body).setPose({shift, turned});
  const JointId joint = rig.world.addJoint(sixDofJoint(rig.post, rig.body, {}, {}));
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(rig.world.joint(joint).coordinate(i), shift[i], 1e-14);
    EXPECT_NEAR(rig.world.joint(joint).coordinate(kAboutX + i), angles[i], 1e-14);
  }
}

TEST(SixDof, RatesAreTheDerivativesOfTheCoordinates) {
  Rig rig({0.3, 0.2, -0.4});
  const BodyId other = rig.addBody({-0.5, 0.1, 0});
  const Pose frameA{{0.2, 0.1, 0}, test::turn(Vec3(1, 2, 3).normalized(), 0.7)};
  const Pose frameB{{0, 0.3, 0.1}, test::turn(Vec3(-1, 1, 2).normalized(), 0.4)};
  const JointId joint = rig.world.addJoint(sixDofJoint(other, rig.body, frameA, frameB));
  rig.world.body(rig.body).setVelocity({0.3, -0.2, 0.5}, {0.4, 0.6, -0.3});
  rig.world.body(other).setVelocity({-0.1, 0.4, 0.2}, {-0.5, 0.2, 0.7});
  rig.world.setTimestep(1e-6);
  std::array<Real, 6> before, rate;
  for (int i = 0; i < 6; ++i) {
    before[i] = rig.world.joint(joint).coordinate(i);
    rate[i] = rig.world.joint(joint).rate(i);
  }
  rig.world.step();
  for (int i = 0; i < 6; ++i) {
    // One-sided difference: its error is h q̈ / 2, some 1e-6.
    EXPECT_NEAR((rig.world.joint(joint).coordinate(i) - before[i]) / 1e-6, rate[i], 1e-5) << i;
  }
}

TEST(Rope, IsSlackUntilItsLengthAndThenHolds) {
  Rig rig({1, 0, 0}, {0, 0, -kGravity});
  rig.world.addJoint(distanceJoint(rig.post, rig.body, Vec3::Zero(), Vec3::Zero(), 0, 2));
  rig.run(20);
  // Semi-implicit Euler falls by g h² n (n + 1) / 2.
  EXPECT_NEAR(rig.world.body(rig.body).centerOfMass().z(),
              -kGravity * kJointStep * kJointStep * 210, 1e-12);
  rig.run(580);
  EXPECT_LE(rig.world.body(rig.body).centerOfMass().norm(),
            2 + 1e-2);  // swings: error of order (ω h)²
  EXPECT_GE(rig.world.body(rig.body).centerOfMass().norm(), 1.9);
}

TEST(Rod, KeepsItsLengthAtRestAgainstPullAndPush) {
  for (const Real g : {-kGravity, kGravity}) {
    Rig rig({0, 0, 2}, {0, 0, g});
    const JointId joint =
        rig.world.addJoint(distanceJoint(rig.post, rig.body, Vec3::Zero(), Vec3::Zero(), 2, 2));
    rig.run(60);
    EXPECT_NEAR(rig.world.joint(joint).coordinate(0), 2, 1e-8);
    EXPECT_NEAR(rig.world.joint(joint).reaction().force.z(), -Rig::kMass * g, 1e-6);
  }
}

TEST(Gear, TiesTwoHingesByItsRatio) {
  Rig rig;
  const BodyId second = rig.addBody({5, 0, 0});
  JointDefinition drive = hingeJoint(rig.post, rig.body, {}, {});
  drive.axes[kAboutX].motor = JointMotor{.target = 6};
  const JointId one = rig.world.addJoint(drive);
  const JointId two = rig.world.addJoint(hingeJoint(rig.post, second, at({5, 0, 0}), {}));
  rig.world.addJoint(gearJoint(one, two, 3));
  rig.run(120);
  EXPECT_NEAR(rig.world.joint(two).rate(kAboutX), -2, 1e-8);  // q1 + 3 q2 = 0
  EXPECT_NEAR(
      rig.world.joint(one).coordinate(kAboutX) + 3 * rig.world.joint(two).coordinate(kAboutX), 0,
      1e-8);
}

TEST(Gear, RangeStopsItBesideACarrierThatIsFast) {
  // The body falls behind its lift by 1 mm a step. What the bodies alone do leads to the other end.
  Rig rig;
  BodyDefinition definition;
  definition.kind = BodyKind::kKinematic;
  definition.linearVelocity = {5, 0, 0};
  const BodyId lift = rig.world.addBody(definition);
  const BodyId second = rig.addBody({0, 5, 0});
  const JointId one = rig.world.addJoint(sliderJoint(lift, rig.body, {}, {}));
  const JointId two = rig.world.addJoint(sliderJoint(rig.post, second, at({0, 5, 0}), {}));
  JointDefinition joint = gearJoint(one, two, 1);
  joint.axes[0] = JointAxis::limited(-1e-3, 1e-3);
  const JointId gear = rig.world.addJoint(joint);
  rig.world.body(rig.body).setVelocity({5 - 0.06, 0, 0}, Vec3::Zero());
  for (int i = 0; i < 20; ++i) {
    rig.run(1);
    ASSERT_GE(rig.world.joint(gear).coordinate(0), -1e-3 - 1e-6) << i;
  }
  EXPECT_NEAR(rig.world.joint(gear).coordinate(0), -1e-3, 1e-6);
}

TEST(Gear, OnAMovingCarrierCountsFromIt) {
  // Two slides on a carrier that moves along them, tied to go the same way: carried along, neither
  // moves on it.
  Rig rig;
  BodyDefinition definition;
  definition.kind = BodyKind::kKinematic;
  definition.motion = {{.time = 0, .linear = {1, 0, 0}}};
  const BodyId carrier = rig.world.addBody(definition);
  const BodyId second = rig.addBody({0, 5, 0});
  const JointId one = rig.world.addJoint(sliderJoint(carrier, rig.body, {}, {}));
  const JointId two = rig.world.addJoint(sliderJoint(carrier, second, at({0, 5, 0}), {}));
  const JointId gear = rig.world.addJoint(gearJoint(one, two, 1));
  rig.world.body(rig.body).setVelocity({1.5, 0, 0}, Vec3::Zero());
  rig.world.body(second).setVelocity({0.5, 0, 0}, Vec3::Zero());
  rig.run(60);
  EXPECT_NEAR(rig.world.joint(one).coordinate(kAlongX), 0.5, 1e-8);
  EXPECT_NEAR(rig.world.joint(two).coordinate(kAlongX), -0.5, 1e-8);
  EXPECT_NEAR(rig.world.joint(gear).coordinate(0), 0, 1e-8);
  EXPECT_NEAR(rig.world.joint(gear).rate(0), 0, 1e-8);
}

TEST(FixedJoint, FollowsACarrierThatSpeedsUpUnderBothSchemes) {
  for (const Integrator integrator : {Integrator::kSemiImplicitEuler, Integrator::kMoreau}) {
    WorldSettings settings = test::settingsFor("bpp-auto");
    settings.gravity.setZero();
    settings.integrator = integrator;
    World world(settings, test::registry());
    BodyDefinition definition;
    definition.kind = BodyKind::kKinematic;
    definition.motion = {{.time = 0}, {.time = 1, .linear = {2, 0, 0}}};
    const BodyId carrier = world.addBody(definition);
    definition = {.mass = MassProperties{3, Vec3::Zero(), 2 * Mat3::Identity()}};
    const BodyId body = world.addBody(definition);
    world.addJoint(fixedJoint(carrier, body, {}, {}));
    test::simulate(world, 2);
    // ½ 2 1² m while it speeds up, 2 m after. Both bodies move by the same rule.
    EXPECT_NEAR(world.body(carrier).pose().position.x(), 3, 1e-9);
    EXPECT_NEAR(world.body(body).pose().position.x(), 3, 1e-6) << integratorName(integrator);
  }
}

TEST(BallSwingLimit, KeepsTheAxisInItsCone) {
  Rig rig;
  JointDefinition ball = ballJoint(rig.post, rig.body, Vec3::Zero(), Vec3::Zero());
  ball.swingLimit = 0.3;
  rig.world.addJoint(ball);
  rig.world.body(rig.body).setVelocity(Vec3::Zero(), {5, 1, 1});
  for (int i = 0; i < 240; ++i) {
    rig.world.step();
    const Vec3 axis = rig.world.body(rig.body).pose().rotation * Vec3::UnitX();
    // Turning on while it touches moves the axis across the cone by (ω h)² / 2 a step at most.
    ASSERT_LE(std::acos(axis.x()), 0.3 + 0.01) << i;
  }
}

TEST(BreakingJoint, BreaksInTheStepThatOverloadsItAndTheBodyFalls) {
  Rig rig({0, 0, -1}, {0, 0, -kGravity});
  JointDefinition ball = ballJoint(rig.post, rig.body, Vec3::Zero(), {0, 0, 1});
  ball.breakingImpulse = 2 * Rig::kMass * kGravity * kJointStep;
  const JointId joint = rig.world.addJoint(ball);
  rig.run(30);
  EXPECT_TRUE(rig.world.contains(joint));
  rig.world.body(rig.body).applyForce({0, 0, -1.1 * Rig::kMass * kGravity});
  rig.world.step();
  EXPECT_THAT(rig.world.lastReport().brokenJoints, ::testing::ElementsAre(joint.index));
  EXPECT_FALSE(rig.world.contains(joint));
  EXPECT_EQ(std::ssize(rig.world.joints()), 0);
  rig.run(60);
  EXPECT_NEAR(rig.world.body(rig.body).linearVelocity().z(), -kGravity, 1e-6);
}

TEST(MoreauPendulum, KeepsItsEnergy) {
  // Swings from 90° for 10 s at h = 1/1000. The lock leaves with J u⁺ = -γ φ/h, and the curvature
  // of the path, φ ≈ h² ω² l / (2 γ), makes that the mirror image of J u: a reflection, which costs
  // nothing where ω changes slowly.
  WorldSettings settings = test::settingsFor("bpp-auto");
  settings.integrator = Integrator::kMoreau;
  settings.timestep = 1e-3;
  World world(settings, test::registry());
  BodyDefinition post;
  post.kind = BodyKind::kStatic;
  const BodyId held = world.addBody(post);
  const BodyId bob = test::addBody(world, Sphere{0.05}, 1, {{1, 0, 0}, Quat::Identity()});
  world.addJoint(ballJoint(held, bob, Vec3::Zero(), {-1, 0, 0}));
  for (int i = 0; i < 10000; ++i) world.step();
  const EnergyLedger& energy = world.lastReport().energy;
  // 0 at the start, and m g l = 9.81 J are exchanged twice a swing.
  EXPECT_LT(std::abs(energy.kinetic + energy.potential), 2e-3 * 9.81);
}

TEST(JointReaction, OfAWeldedCantilever_IsTheWeightAndTheTipLoadTimesTheirArms) {
  // A beam of 3 kg and 2 m along x from the wall, with 50 N down at its tip. The weld holds B up
  // with m g + F. Its torque about the wall is −(m g l/2 + F l) about y, whichever frame says so:
  // frame B at the wall, or in the middle of the beam, where m g has no arm and F that of l/2.
  const Real g = 9.81, length = 2, load = 50;
  const Real atWall = -(Rig::kMass * g * length / 2 + load * length);
  for (const bool isApart : {false, true}) {
    Rig rig({length / 2, 0, 0}, {0, 0, -g});
    JointDefinition weld = presetJoint("fixed", rig.post, rig.body);
    if (isApart) {
      weld.axes[kAlongX] = JointAxis::locked(length / 2);
    } else {
      weld.frameB.position = {-length / 2, 0, 0};
    }
    const JointId joint = rig.world.addJoint(weld);
    for (int i = 0; i < 60; ++i) {
      rig.world.body(rig.body).applyForceAt({0, 0, -load}, {length, 0, 0});
      rig.run(1);
    }
    const auto held = rig.world.joint(joint);
    const Real scale = 1e-8 * std::abs(atWall);  // compliance
    EXPECT_NEAR(held.reaction().force.z(), Rig::kMass * g + load, scale);
    EXPECT_NEAR(held.torqueAboutFrameA().y(), atWall, scale) << isApart;
    EXPECT_NEAR(held.reaction().torque.y(), isApart ? -load * length / 2 : atWall, scale);
  }
}

TEST(JointDefinitions, NonsenseIsRefusedWithItsReason) {
  Rig rig;
  const auto refusal = [&](auto&& change) {
    JointDefinition joint = hingeJoint(rig.post, rig.body, {}, {});
    joint.name = "door";
    change(joint);
    try {
      rig.world.addJoint(joint);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  using ::testing::HasSubstr;
  EXPECT_THAT(refusal([](JointDefinition& j) { j.axes[kAboutX] = JointAxis::limited(1, -1); }),
              HasSubstr("'door': the lower limit must not exceed the upper one"));
  EXPECT_THAT(refusal([](JointDefinition& j) {
                j.axes[kAboutX].spring = JointSpring{-1, 0, 0};
              }),
              HasSubstr("stiffness must be >= 0"));
  EXPECT_THAT(refusal([&](JointDefinition& j) { j.bodyB = rig.post; }), HasSubstr("itself"));
  EXPECT_THAT(refusal([](JointDefinition& j) { j.bodyB = {77, 0}; }), HasSubstr("does not exist"));
  EXPECT_THAT(refusal([](JointDefinition& j) { j.axes[kAboutX].friction = -1; }),
              HasSubstr("friction must be >= 0"));
  EXPECT_THAT(refusal([](JointDefinition& j) {
                j.axes[kAboutY] = JointAxis::limited(-2, 2);
                j.axes[kAboutZ] = {};
              }),
              HasSubstr("within ±90°"));
  EXPECT_EQ(refusal([](JointDefinition& j) { j.axes[kAboutY] = JointAxis::limited(-2, 2); }),
            "accepted");
  EXPECT_THAT(refusal([](JointDefinition& j) { j.breakingImpulse = 0; }),
              HasSubstr("breaking impulse must be > 0"));
  const ForceTable table({{0, 0}, {1, 5}});
  EXPECT_THAT(refusal([&](JointDefinition& j) {
                j.axes[kAboutX].spring = JointSpring{.stiffness = 1, .forceTable = table};
              }),
              HasSubstr("a stiffness or a table of forces, not both"));
  EXPECT_THAT(refusal([&](JointDefinition& j) {
                j.axes[kAboutX].motor =
                    JointMotor{.kind = MotorKind::kPosition,
                               .servo = JointSpring{.damping = 1, .forceTable = table}};
              }),
              HasSubstr("a servo spring has no tables"));
  EXPECT_EQ(refusal([&](JointDefinition& j) {
              j.axes[kAboutX].spring = JointSpring{.forceTable = table};
            }),
            "accepted");
  EXPECT_THROW(ForceTable({{1, 0}}), InputError);
  EXPECT_THROW(ForceTable({{1, 0}, {1, 2}}), InputError);
  EXPECT_THROW(ForceTable({{1, 0}, {2, kInfinity}}), InputError);
  EXPECT_THROW(Schedule({{1, 0}, {1, 2}}), InputError);
  EXPECT_THROW(Schedule(std::vector<Schedule::Key>{}), InputError);
}

}  // namespace
}  // namespace drystone
