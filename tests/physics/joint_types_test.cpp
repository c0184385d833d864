// Every kind of joint against closed forms. Without gravity unless said; bodies of unit density are
// not used: masses and inertias are given.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/input_error.h"
#include "tests/support/constants.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

using test::kGravity;
constexpr Real kJointStep = 1.0 / 60;

/// A world with one body on a joint to a post at the origin. The body's centre is at `place`; its
/// inertia is 2 kg m² about every axis, its mass 3 kg.
struct Rig {
  static constexpr Real kMass = 3, kInertia = 2;

  explicit Rig(const Vec3& place = Vec3::Zero(), const Vec3& gravity = Vec3::Zero(),
               const char* solver = "bpp-auto")
      : world([&] {
          WorldSettings settings = test::settingsFor(solver);
          settings.gravity = gravity;
          return World(settings, test::registry());
        }()) {
    BodyDefinition definition;
    definition.kind = BodyKind::kStatic;
    post = world.addBody(definition);
    body = addBody(place);
  }
  BodyId addBody(const Vec3& place) {
    BodyDefinition definition;
    definition.mass = MassProperties{kMass, Vec3::Zero(), kInertia * Mat3::Identity()};
    definition.pose.position = place;
    return world.addBody(definition);
  }
  void run(int steps) {
    for (int i = 0; i < steps; ++i) world.step();
  }

  World world;
  BodyId post, body;
};

Pose at(const Vec3& point) { return {point, Quat::Identity()}; }

TEST(HingeMotor, SpinsUpByItsTorqueAndHoldsTheTarget) {
  Rig rig;
  JointDefinition hinge = hingeJoint(rig.post, rig.body, {}, {});
  hinge.axes[kAboutX].motor = JointMotor{.target = 6, .maxForce = 4};
  const JointId joint = rig.world.addJoint(hinge);
  rig.run(60);
  // ω = T t / I = 2 rad/s after one second, and the target after three.
  EXPECT_NEAR(rig.world.angularVelocity(rig.body).x(), 2, 1e-9);
  EXPECT_NEAR(rig.world.jointReaction(joint).torque.x(), 4, 1e-9);
  rig.run(180);
  // The compliance of 1e-9 lets the target be missed by nothing that a double of 6 would show much
  // of.
  EXPECT_NEAR(rig.world.jointRate(joint, kAboutX), 6, 1e-9);
  EXPECT_NEAR(rig.world.jointReaction(joint).torque.x(), 0, 1e-6);
}

TEST(HingeAngle, CountsWholeTurns) {
  Rig rig;
  JointDefinition hinge = hingeJoint(rig.post, rig.body, {}, {});
  hinge.axes[kAboutX].motor = JointMotor{.target = -2 * M_PI};
  const JointId joint = rig.world.addJoint(hinge);
  rig.run(180);
  // Three seconds at one turn a second, from the first step on.
  EXPECT_NEAR(rig.world.jointCoordinate(joint, kAboutX), -6 * M_PI, 1e-6);
}

TEST(HingeLimit, StopsAtTheAngle) {
  for (const Real side : {-1.0, 1.0}) {
    Rig rig;
    JointDefinition hinge = hingeJoint(rig.post, rig.body, {}, {});
    hinge.axes[kAboutX] = JointAxis::limited(-0.5, 0.5);
    const JointId joint = rig.world.addJoint(hinge);
    rig.world.setVelocity(rig.body, Vec3::Zero(), {2 * side, 0, 0});
    rig.run(120);
    EXPECT_NEAR(rig.world.jointCoordinate(joint, kAboutX), 0.5 * side, 1e-8);
    EXPECT_NEAR(rig.world.angularVelocity(rig.body).x(), 0, 1e-8);
  }
}

TEST(HingeLimit, IsReachedExactlyAndNotBefore) {
  Rig rig;
  JointDefinition hinge = hingeJoint(rig.post, rig.body, {}, {});
  hinge.axes[kAboutX] = JointAxis::limited(-kInfinity, 0.5);
  const JointId joint = rig.world.addJoint(hinge);
  rig.world.setVelocity(rig.body, Vec3::Zero(), {2, 0, 0});
  rig.run(14);  // 2 · 14/60 = 0.4667 rad: untouched
  EXPECT_NEAR(rig.world.jointCoordinate(joint, kAboutX), 28 * kJointStep, 1e-12);
  rig.run(1);  // 0.5 rad: exactly there
  EXPECT_NEAR(rig.world.jointCoordinate(joint, kAboutX), 0.5, 1e-9);
  EXPECT_DOUBLE_EQ(rig.world.lastReport().maxJointTurn, 0);
}

TEST(SliderLimit, StopsWhatWouldPassTheWholeRangeInAStep) {
  // 0.04 m from the lower end of 0.1 m, and on the way to the upper one at 20 m/s, 0.33 m a step.
  Rig rig({0.04, 0, 0});
  JointDefinition slider = sliderJoint(rig.post, rig.body, {}, {});
  slider.axes[kAlongX] = JointAxis::limited(0, 0.1);
  const JointId joint = rig.world.addJoint(slider);
  rig.world.setVelocity(rig.body, {20, 0, 0}, Vec3::Zero());
  rig.run(1);
  EXPECT_NEAR(rig.world.jointCoordinate(joint, kAlongX), 0.1, 1e-8);  // compliance
  rig.run(1);
  EXPECT_NEAR(rig.world.jointCoordinate(joint, kAlongX), 0.1, 1e-8);
  EXPECT_NEAR(rig.world.jointRate(joint, kAlongX), 0, 1e-7);
}

TEST(SliderSpring, IsTheImplicitEulerOscillator) {
  Rig rig({0.3, 0, 0});
  JointDefinition slider = sliderJoint(rig.post, rig.body, {}, {});
  const JointSpring spring{.stiffness = 500, .damping = 7, .rest = 0.1};
  slider.axes[kAlongX].spring = spring;
  rig.world.addJoint(slider);
  Real x = 0.3, v = 0;
  const Real h = kJointStep, m = Rig::kMass;
  for (int i = 0; i < 200; ++i) {
    rig.world.step();
    // m (v⁺ - v) = -h (k (x + h v⁺ - rest) + d v⁺)
    v = (m * v - h * spring.stiffness * (x - spring.rest)) /
        (m + h * spring.damping + h * h * spring.stiffness);
    x += h * v;
    ASSERT_NEAR(rig.world.centerOfMass(rig.body).x(), x, 1e-10) << i;
  }
}

TEST(HingeSpring, IsStableAtAnyStiffness) {
  Rig rig;
  JointDefinition hinge = hingeJoint(rig.post, rig.body, {}, {});
  hinge.axes[kAboutX].spring = JointSpring{.stiffness = 1e12, .damping = 0, .rest = 0.2};
  const JointId joint = rig.world.addJoint(hinge);
  rig.run(60);
  // Implicit: as a rigid row, it is at rest at the first step's end.
  EXPECT_NEAR(rig.world.jointCoordinate(joint, kAboutX), 0.2, 1e-6);
}

TEST(SliderFriction, BrakesByForceOverMassAndThenHolds) {
  Rig rig;
  JointDefinition slider = sliderJoint(rig.post, rig.body, {}, {});
  slider.axes[kAlongX].friction = 6;
  rig.world.addJoint(slider);
  rig.world.setVelocity(rig.body, {4, 0, 0}, Vec3::Zero());
  rig.run(60);
  EXPECT_NEAR(rig.world.linearVelocity(rig.body).x(), 4 - 6.0 / Rig::kMass, 1e-9);
  rig.run(90);
  EXPECT_NEAR(rig.world.linearVelocity(rig.body).x(), 0, 1e-9);
}

TEST(SliderPositionMotor, FollowsItsSchedule) {
  Rig rig(Vec3::Zero(), {0, 0, -kGravity});
  const Pose upright{Vec3::Zero(), test::turn(Vec3::UnitY(), -M_PI / 2)};  // x of the frame is up
  JointDefinition slider = sliderJoint(rig.post, rig.body, upright, upright);
  JointMotor motor{.kind = MotorKind::kPosition, .maxForce = 1000};
  motor.target = Schedule({{0, 0}, {1, 0.5}, {2, 0.5}, {3, -0.1}});
  slider.axes[kAlongX].motor = motor;
  const JointId joint = rig.world.addJoint(slider);
  for (int i = 1; i <= 240; ++i) {
    rig.world.step();
    // Lifting costs a compliance of 1e-9 1/kg at 0.5 N s a step, over γ: far below 1e-8 m.
    ASSERT_NEAR(rig.world.jointCoordinate(joint, kAlongX), motor.target.at(i * kJointStep), 1e-8)
        << i;
  }
  EXPECT_NEAR(rig.world.jointReaction(joint).force.z(), Rig::kMass * kGravity, 1e-6);
}

TEST(SliderPositionMotor, FollowsARampUnderMoreauToo) {
  WorldSettings settings = test::settingsFor("bpp-auto");
  settings.integrator = Integrator::kMoreau;
  settings.gravity.setZero();
  World world(settings, test::registry());
  const BodyId post = world.addBody({.kind = BodyKind::kStatic});
  const BodyId body = test::addBody(world, Sphere{0.1}, 2, {});
  JointDefinition slider = sliderJoint(post, body, {}, {});
  slider.axes[kAlongX].motor =
      JointMotor{.kind = MotorKind::kPosition, .target = Schedule({{0, 0}, {10, 5}})};
  const JointId joint = world.addJoint(slider);
  for (int i = 0; i < 90; ++i) world.step();
  // The start at rest costs ½ h of the way, 4 mm, of which (1 - γ)^90 = 2e-9 is left; a target read
  // at another time than the pose would stay behind by those 4 mm.
  EXPECT_NEAR(world.jointCoordinate(joint, kAlongX), 0.5 * world.time(), 1e-8);
}

TEST(SliderPositionMotor, TooWeak_LetsTheLoadFall) {
  Rig rig(Vec3::Zero(), {-kGravity, 0, 0});
  JointDefinition slider = sliderJoint(rig.post, rig.body, {}, {});
  slider.axes[kAlongX].motor = JointMotor{.kind = MotorKind::kPosition, .target = 0, .maxForce = 9};
  rig.world.addJoint(slider);
  rig.run(60);
  EXPECT_NEAR(rig.world.linearVelocity(rig.body).x(), -(kGravity - 9 / Rig::kMass), 1e-9);
}

TEST(MotorTarget, SetWhileRunning_ReplacesTheSchedule) {
  Rig rig;
  JointDefinition hinge = hingeJoint(rig.post, rig.body, {}, {});
  hinge.axes[kAboutX].motor = JointMotor{.target = 1};
  const JointId joint = rig.world.addJoint(hinge);
  rig.run(2);
  rig.world.setMotorTarget(joint, kAboutX, -3);
  rig.run(2);
  EXPECT_NEAR(rig.world.jointRate(joint, kAboutX), -3, 1e-9);
  EXPECT_THROW(rig.world.setMotorTarget(joint, kAboutY, 1), InputError);
}

TEST(FixedJoint, CarriesWeightAndMomentOfACantilever) {
  Rig rig({2, 0, 0}, {0, 0, -kGravity});
  const JointId joint =
      rig.world.addJoint(fixedJoint(rig.post, rig.body, at(Vec3::Zero()), at({-2, 0, 0})));
  rig.run(120);
  const JointReaction reaction = rig.world.jointReaction(joint);
  // Sags by the compliance of 1e-9: tilts by h C τ h / γ, some 1e-11 rad.
  EXPECT_NEAR((reaction.force - Vec3(0, 0, Rig::kMass * kGravity)).norm(), 0, 1e-6);
  EXPECT_NEAR((reaction.torque - Vec3(0, -2 * Rig::kMass * kGravity, 0)).norm(), 0, 1e-6);
  EXPECT_LE(rig.world.lastReport().maxJointDrift, 1e-8);
  EXPECT_LE(rig.world.lastReport().maxJointTurn, 1e-8);
}

TEST(CylindricalJoint, SlidesAndTurnsAndNothingElse) {
  Rig rig;
  const JointId joint = rig.world.addJoint(cylindricalJoint(rig.post, rig.body, {}, {}));
  rig.world.setVelocity(rig.body, {1, 2, 3}, {4, 5, 6});
  rig.run(30);
  EXPECT_NEAR((rig.world.linearVelocity(rig.body) - Vec3(1, 0, 0)).norm(), 0, 1e-8);
  EXPECT_NEAR((rig.world.angularVelocity(rig.body) - Vec3(4, 0, 0)).norm(), 0, 1e-8);
  EXPECT_NEAR(rig.world.jointCoordinate(joint, kAlongX), 0.5, 1e-8);
  EXPECT_NEAR(rig.world.jointCoordinate(joint, kAboutX), 2, 1e-8);
}

TEST(UniversalJoint, KeepsTheCrossRightAngledAndHoldsTwistAgainstIt) {
  Rig rig;
  const JointId joint = rig.world.addJoint(universalJoint(rig.post, rig.body, {}, {}));
  rig.world.setVelocity(rig.body, Vec3::Zero(), {0.5, 3, 0.7});
  rig.run(240);
  // x of A and z of B, the two arms of the cross.
  const Vec3 z = rig.world.pose(rig.body).rotation * Vec3::UnitZ();
  // A step of turning by ω h bends the cross by up to (ω h)² / 2, of which γ is taken back: 6e-3.
  EXPECT_NEAR(z.x(), 0, 6e-3);
  EXPECT_NEAR(rig.world.jointCoordinate(joint, kAboutY), 0, 6e-3);
  EXPECT_GT(std::abs(rig.world.jointCoordinate(joint, kAboutX)), 0.5);
}

TEST(SixDof, EachCoordinateIsWhatItSays) {
  // Frames turned against each other by known angles about x, then y, then z, and shifted.
  const Vec3 shift(0.1, -0.2, 0.3), angles(0.4, -0.5, 0.6);
  Rig rig;
  const Quat turned = test::turn(Vec3::UnitX(), angles.x()) *
                      test::turn(Vec3::UnitY(), angles.y()) * test::turn(Vec3::UnitZ(), angles.z());
  rig.world.setPose(rig.body, {shift, turned});
  const JointId joint = rig.world.addJoint(sixDofJoint(rig.post, rig.body, {}, {}));
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(rig.world.jointCoordinate(joint, i), shift[i], 1e-14);
    EXPECT_NEAR(rig.world.jointCoordinate(joint, kAboutX + i), angles[i], 1e-14);
  }
}

TEST(SixDof, RatesAreTheDerivativesOfTheCoordinates) {
  Rig rig({0.3, 0.2, -0.4});
  const BodyId other = rig.addBody({-0.5, 0.1, 0});
  const Pose frameA{{0.2, 0.1, 0}, test::turn(Vec3(1, 2, 3).normalized(), 0.7)};
  const Pose frameB{{0, 0.3, 0.1}, test::turn(Vec3(-1, 1, 2).normalized(), 0.4)};
  const JointId joint = rig.world.addJoint(sixDofJoint(other, rig.body, frameA, frameB));
  rig.world.setVelocity(rig.body, {0.3, -0.2, 0.5}, {0.4, 0.6, -0.3});
  rig.world.setVelocity(other, {-0.1, 0.4, 0.2}, {-0.5, 0.2, 0.7});
  rig.world.setTimestep(1e-6);
  std::array<Real, 6> before, rate;
  for (int i = 0; i < 6; ++i) {
    before[i] = rig.world.jointCoordinate(joint, i);
    rate[i] = rig.world.jointRate(joint, i);
  }
  rig.world.step();
  for (int i = 0; i < 6; ++i) {
    // One-sided difference: its error is h q̈ / 2, some 1e-6.
    EXPECT_NEAR((rig.world.jointCoordinate(joint, i) - before[i]) / 1e-6, rate[i], 1e-5) << i;
  }
}

TEST(Rope, IsSlackUntilItsLengthAndThenHolds) {
  Rig rig({1, 0, 0}, {0, 0, -kGravity});
  rig.world.addJoint(distanceJoint(rig.post, rig.body, Vec3::Zero(), Vec3::Zero(), 0, 2));
  rig.run(20);
  // Semi-implicit Euler falls by g h² n (n + 1) / 2.
  EXPECT_NEAR(rig.world.centerOfMass(rig.body).z(), -kGravity * kJointStep * kJointStep * 210,
              1e-12);
  rig.run(580);
  EXPECT_LE(rig.world.centerOfMass(rig.body).norm(), 2 + 1e-2);  // swings: error of order (ω h)²
  EXPECT_GE(rig.world.centerOfMass(rig.body).norm(), 1.9);
}

TEST(Rod, KeepsItsLengthAtRestAgainstPullAndPush) {
  for (const Real g : {-kGravity, kGravity}) {
    Rig rig({0, 0, 2}, {0, 0, g});
    const JointId joint =
        rig.world.addJoint(distanceJoint(rig.post, rig.body, Vec3::Zero(), Vec3::Zero(), 2, 2));
    rig.run(60);
    EXPECT_NEAR(rig.world.jointCoordinate(joint, 0), 2, 1e-8);
    EXPECT_NEAR(rig.world.jointReaction(joint).force.z(), -Rig::kMass * g, 1e-6);
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
  EXPECT_NEAR(rig.world.jointRate(two, kAboutX), -2, 1e-8);  // q1 + 3 q2 = 0
  EXPECT_NEAR(rig.world.jointCoordinate(one, kAboutX) + 3 * rig.world.jointCoordinate(two, kAboutX),
              0, 1e-8);
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
  rig.world.setVelocity(rig.body, {1.5, 0, 0}, Vec3::Zero());
  rig.world.setVelocity(second, {0.5, 0, 0}, Vec3::Zero());
  rig.run(60);
  EXPECT_NEAR(rig.world.jointCoordinate(one, kAlongX), 0.5, 1e-8);
  EXPECT_NEAR(rig.world.jointCoordinate(two, kAlongX), -0.5, 1e-8);
  EXPECT_NEAR(rig.world.jointCoordinate(gear, 0), 0, 1e-8);
  EXPECT_NEAR(rig.world.jointRate(gear, 0), 0, 1e-8);
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
    EXPECT_NEAR(world.pose(carrier).position.x(), 3, 1e-9);
    EXPECT_NEAR(world.pose(body).position.x(), 3, 1e-6) << integratorName(integrator);
  }
}

TEST(BallSwingLimit, KeepsTheAxisInItsCone) {
  Rig rig;
  JointDefinition ball = ballJoint(rig.post, rig.body, Vec3::Zero(), Vec3::Zero());
  ball.swingLimit = 0.3;
  rig.world.addJoint(ball);
  rig.world.setVelocity(rig.body, Vec3::Zero(), {5, 1, 1});
  for (int i = 0; i < 240; ++i) {
    rig.world.step();
    const Vec3 axis = rig.world.pose(rig.body).rotation * Vec3::UnitX();
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
  rig.world.applyForce(rig.body, {0, 0, -1.1 * Rig::kMass * kGravity});
  rig.world.step();
  EXPECT_THAT(rig.world.lastReport().brokenJoints, ::testing::ElementsAre(joint.index));
  EXPECT_FALSE(rig.world.contains(joint));
  EXPECT_EQ(rig.world.jointCount(), 0);
  rig.run(60);
  EXPECT_NEAR(rig.world.linearVelocity(rig.body).z(), -kGravity, 1e-6);
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
  EXPECT_THAT(refusal([](JointDefinition& j) { j.axes[kAboutY] = JointAxis::limited(-2, 2); }),
              HasSubstr("within ±90°"));
  EXPECT_THAT(refusal([](JointDefinition& j) { j.breakingImpulse = 0; }),
              HasSubstr("breaking impulse must be > 0"));
  EXPECT_THROW(Schedule({{1, 0}, {1, 2}}), InputError);
  EXPECT_THROW(Schedule(std::vector<Schedule::Key>{}), InputError);
}

}  // namespace
}  // namespace drystone
