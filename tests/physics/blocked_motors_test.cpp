// Motors without a cap against what holds: locks, gears, limits behind them, the floor. What blocks
// stays whole, and what is not blocked is driven at once.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/physics/joint_rig.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

using test::kJointStep;

struct Scheme {
  const char* name;
  Integrator integrator = Integrator::kSemiImplicitEuler;
  Stepping stepping = Stepping::kExact;
};

class BlockedMotor : public testing::TestWithParam<Scheme> {
 protected:
  BlockedMotor()
      : world([] {
          WorldSettings settings = test::settingsFor("bpp-auto");
          settings.gravity = Vec3::Zero();
          settings.integrator = GetParam().integrator;
          settings.stepping = GetParam().stepping;
          return World(settings, test::registry());
        }()) {
    post = world.addBody({.name = "post", .kind = BodyKind::kStatic});
  }

  /// 3 kg, 2 kg m² unless said.
  BodyId addWheel(const Vec3& place, Real inertia = 2) {
    BodyDefinition wheel;
    wheel.mass = MassProperties{3, Vec3::Zero(), inertia * Mat3::Identity()};
    wheel.pose.position = place;
    return world.addBody(wheel);
  }
  JointId addHinge(const Vec3& place, const JointAxis& axis, Real inertia = 2) {
    JointDefinition hinge =
        hingeJoint(post, addWheel(place, inertia), jointFrame(place, Vec3::UnitX()));
    hinge.frameB = jointFrame(Vec3::Zero(), Vec3::UnitX());
    hinge.axes[kAboutX] = axis;
    return world.addJoint(hinge);
  }
  /// Steps, and looks that all holds: joints to 0.1 mm or mrad, and every solve.
  void run(int steps) {
    for (int i = 0; i < steps; ++i) {
      const StepReport& report = world.step();
      ASSERT_LT(report.jointError, 1e-4) << i;
      ASSERT_LT(report.maxPenetration, 1e-4) << i;
      ASSERT_TRUE(report.solvesWithin) << i;
    }
  }
  Real angle(JointId joint) const { return world.joint(joint).coordinate(kAboutX); }

  static JointAxis driven(const JointMotor& motor) { return {.motor = motor}; }

  World world;
  BodyId post;
};

TEST_P(BlockedMotor, ByALockOfItsCoordinate_RestsAndDoesNotPress) {
  for (const JointMotor& motor :
       {JointMotor{.target = 1}, JointMotor{.kind = MotorKind::kPosition, .target = 1}}) {
    const JointId joint = addHinge(Vec3::Zero(), driven(motor));
    world.step();
    world.joint(joint).setLimits(kAboutX, 0.05, 0.05);
    for (int i = 0; i < 60; ++i) world.step();  // the lock takes back what it starts off by
    run(60);
    EXPECT_NEAR(angle(joint), 0.05, 1e-6);
    EXPECT_EQ(world.joint(joint).axisForce(kAboutX).motor, 0);
  }
}

TEST_P(BlockedMotor, ByALimitBehindAGear_RestsThere) {
  const JointId drive = addHinge(Vec3::Zero(), driven({.target = 1}));
  const JointId driven = addHinge({1, 0, 0}, JointAxis::limited(-0.3, 0.3));
  world.addJoint(gearJoint(drive, driven, -0.5));
  run(120);
  EXPECT_NEAR(angle(driven), 0.3, 1e-5);
  EXPECT_NEAR(angle(drive), 0.15, 1e-5);
}

TEST_P(BlockedMotor, ByTheEndOfItsRope_RestsThere) {
  world.setGravity({-9.81, 0, 0});
  const JointId drum = addHinge(Vec3::Zero(), driven({.target = 2}));
  const BodyId load = addWheel({-2, 0, 0});
  const JointId rope =
      world.addJoint(distanceJoint(post, load, Vec3::Zero(), Vec3::Zero(), 1.8, 10));
  world.addJoint(winchJoint(rope, drum, 0.1));
  run(180);
  EXPECT_NEAR(world.joint(rope).coordinate(0), 1.8, 1e-4);
}

TEST_P(BlockedMotor, BySwingLimit_RestsThere) {
  JointDefinition joint = sixDofJoint(post, addWheel(Vec3::Zero()));
  for (const int i : {kAlongX, kAlongY, kAlongZ, kAboutX, kAboutY}) {
    joint.axes[i] = JointAxis::locked();
  }
  joint.swingLimit = 0.3;
  joint.axes[kAboutZ].motor = JointMotor{.target = 1};
  const JointId id = world.addJoint(joint);
  run(120);
  EXPECT_NEAR(world.joint(id).coordinate(kAboutZ), 0.3, 1e-5);
}

TEST_P(BlockedMotor, SoftAndStiff_RestsAtItsLimit) {
  JointAxis axis = JointAxis::limited(-0.5, 0.5);
  axis.motor = JointMotor{
      .kind = MotorKind::kPosition, .target = 1, .servo = JointSpring{.stiffness = 1e14}};
  const JointId joint = addHinge(Vec3::Zero(), axis);
  for (int i = 0; i < 120; ++i) world.step();
  EXPECT_NEAR(angle(joint), 0.5, 1e-5);
  EXPECT_TRUE(world.lastReport().solvesWithin);
}

TEST_P(BlockedMotor, ByTheFloor_StaysOnItsHinge) {
  world.setGravity({0, 0, -9.81});
  test::addPlane(world);
  const BodyId arm = test::addBody(world, Box{{0.5, 0.05, 0.05}}, 10, {{0.5, 0, 0.5}});
  JointDefinition hinge = hingeJoint(post, arm, jointFrame({0, 0, 0.5}, Vec3::UnitY()),
                                     jointFrame({-0.5, 0, 0}, Vec3::UnitY()));
  hinge.axes[kAboutX].motor = JointMotor{.target = 10};
  const JointId joint = world.addJoint(hinge);
  run(120);
  EXPECT_LT(angle(joint), 0.48);  // a corner of the arm stands on the floor
  EXPECT_NEAR(world.joint(joint).rate(kAboutX), 0, 1e-3);
}

TEST_P(BlockedMotor, Free_DrivesAHeavyLoadAndBearsItsTorqueAtOnce) {
  // Ten times as fast, 2000 kg m² are 2e5 kg m² for the motor, which has 2 of its own.
  const JointId drive = addHinge(Vec3::Zero(), driven({.target = 3}));
  const JointId heavy = addHinge({1, 0, 0}, {}, 2000);
  world.addJoint(gearJoint(drive, heavy, -0.1));
  run(1);
  EXPECT_NEAR(world.joint(heavy).rate(kAboutX), 30, 0.1);  // its compliance lets the gear slip
  const JointId held = addHinge({5, 0, 0}, driven({.target = 0}), 1e-3);
  const BodyId light = world.joint(held).definition().bodyB;
  world.body(light).applyTorque({1e5, 0, 0});
  run(1);
  EXPECT_NEAR(world.joint(held).rate(kAboutX), 0, 1e-3);
}

// A knob of a hundredth of a gram m², turned by a radian against what presses far more than it
// weighs.
TEST_P(BlockedMotor, ByFrictionDampersSpringsAndOtherMotors_Turns) {
  const JointMotor motor{.target = 1};
  const JointAxis stiff{.motor = motor, .friction = 5};
  const JointAxis damped{.spring = JointSpring{.damping = 30}, .motor = motor};
  const JointAxis sprung{.spring = JointSpring{.stiffness = 5}, .motor = motor};
  for (const JointAxis& axis : {stiff, damped, sprung}) {
    const JointId joint = addHinge(Vec3::Zero(), axis, 1e-5);
    run(60);
    EXPECT_NEAR(angle(joint), 1, 0.01);  // moreau takes half of the first step to come to its rate
    EXPECT_NEAR(world.joint(joint).rate(kAboutX), 1, 1e-4);
    world.removeJoint(joint);
  }
  const JointId joint = addHinge(Vec3::Zero(), driven(motor), 1e-5);
  const BodyId knob = world.joint(joint).definition().bodyB;
  JointDefinition other = hingeJoint(post, knob, jointFrame(Vec3::Zero(), Vec3::UnitX()),
                                     jointFrame(Vec3::Zero(), Vec3::UnitX()));
  other.axes[kAboutX].motor = JointMotor{.target = -1, .maxForce = 20};
  world.addJoint(other);
  run(60);
  EXPECT_NEAR(angle(joint), 1, 0.01);
  EXPECT_NEAR(world.joint(joint).rate(kAboutX), 1, 1e-4);
}

// In a step of 4 s gravity gives more speed than 100 m a step.
TEST_P(BlockedMotor, Free_LiftsInStepsOfAnyLength) {
  world.setGravity({0, 0, -9.81});
  world.setTimestep(4);
  JointDefinition slider =
      sliderJoint(post, addWheel(Vec3::Zero()), jointFrame(Vec3::Zero(), Vec3::UnitZ()),
                  jointFrame(Vec3::Zero(), Vec3::UnitZ()));
  slider.axes[kAlongX].motor = JointMotor{.target = 0.5};
  const JointId joint = world.addJoint(slider);
  for (int i = 0; i < 3; ++i) world.step();
  EXPECT_NEAR(world.joint(joint).rate(kAlongX), 0.5, 1e-4);
}

INSTANTIATE_TEST_SUITE_P(Schemes, BlockedMotor,
                         testing::Values(Scheme{.name = "euler"},
                                         Scheme{.name = "moreau",
                                                .integrator = Integrator::kMoreau},
                                         Scheme{.name = "soft", .stepping = Stepping::kSoft}),
                         [](const auto& scheme) { return scheme.param.name; });

}  // namespace
}  // namespace drystone
