// What a joint does along and about its axes against closed forms: motors, limits, springs and
// friction. Without gravity unless said; masses and inertias are given.
#include <gtest/gtest.h>

#include <cmath>

#include "core/input_error.h"
#include "tests/physics/joint_rig.h"
#include "tests/support/constants.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

using test::kGravity;
using test::kJointStep;
using test::Rig;

TEST(HingeMotor, SpinsUpByItsTorqueAndHoldsTheTarget) {
  Rig rig;
  JointDefinition hinge = hingeJoint(rig.post, rig.body, {}, {});
  hinge.axes[kAboutX].motor = JointMotor{.target = 6, .maxForce = 4};
  const JointId joint = rig.world.addJoint(hinge);
  rig.run(60);
  // ω = T t / I = 2 rad/s after one second, and the target after three.
  EXPECT_NEAR(rig.world.body(rig.body).angularVelocity().x(), 2, 1e-9);
  EXPECT_NEAR(rig.world.joint(joint).reaction().torque.x(), 4, 1e-9);
  rig.run(180);
  // The compliance of 1e-9 lets the target be missed by nothing that a double of 6 would show much
  // of.
  EXPECT_NEAR(rig.world.joint(joint).rate(kAboutX), 6, 1e-9);
  EXPECT_NEAR(rig.world.joint(joint).reaction().torque.x(), 0, 1e-6);
}

TEST(HingeAngle, CountsWholeTurns) {
  Rig rig;
  JointDefinition hinge = hingeJoint(rig.post, rig.body, {}, {});
  hinge.axes[kAboutX].motor = JointMotor{.target = -2 * M_PI};
  const JointId joint = rig.world.addJoint(hinge);
  rig.run(180);
  // Three seconds at one turn a second, from the first step on.
  EXPECT_NEAR(rig.world.joint(joint).coordinate(kAboutX), -6 * M_PI, 1e-6);
}

TEST(HingeLimit, StopsAtTheAngle) {
  for (const Real side : {-1.0, 1.0}) {
    Rig rig;
    JointDefinition hinge = hingeJoint(rig.post, rig.body, {}, {});
    hinge.axes[kAboutX] = JointAxis::limited(-0.5, 0.5);
    const JointId joint = rig.world.addJoint(hinge);
    rig.world.body(rig.body).setVelocity(Vec3::Zero(), {2 * side, 0, 0});
    rig.run(120);
    EXPECT_NEAR(rig.world.joint(joint).coordinate(kAboutX), 0.5 * side, 1e-8);
    EXPECT_NEAR(rig.world.body(rig.body).angularVelocity().x(), 0, 1e-8);
  }
}

TEST(HingeLimit, IsReachedExactlyAndNotBefore) {
  Rig rig;
  JointDefinition hinge = hingeJoint(rig.post, rig.body, {}, {});
  hinge.axes[kAboutX] = JointAxis::limited(-kInfinity, 0.5);
  const JointId joint = rig.world.addJoint(hinge);
  rig.world.body(rig.body).setVelocity(Vec3::Zero(), {2, 0, 0});
  rig.run(14);  // 2 · 14/60 = 0.4667 rad: untouched
  EXPECT_NEAR(rig.world.joint(joint).coordinate(kAboutX), 28 * kJointStep, 1e-12);
  rig.run(1);  // 0.5 rad: exactly there
  EXPECT_NEAR(rig.world.joint(joint).coordinate(kAboutX), 0.5, 1e-9);
  EXPECT_DOUBLE_EQ(rig.world.lastReport().maxJointTurn, 0);
}

TEST(SliderLimit, StopsWhatWouldPassTheWholeRangeInAStep) {
  // 0.04 m from the lower end of 0.1 m, and on the way to the upper one at 20 m/s, 0.33 m a step.
  Rig rig({0.04, 0, 0});
  JointDefinition slider = sliderJoint(rig.post, rig.body, {}, {});
  slider.axes[kAlongX] = JointAxis::limited(0, 0.1);
  const JointId joint = rig.world.addJoint(slider);
  rig.world.body(rig.body).setVelocity({20, 0, 0}, Vec3::Zero());
  rig.run(1);
  EXPECT_NEAR(rig.world.joint(joint).coordinate(kAlongX), 0.1, 1e-8);  // compliance
  rig.run(1);
  EXPECT_NEAR(rig.world.joint(joint).coordinate(kAlongX), 0.1, 1e-8);
  EXPECT_NEAR(rig.world.joint(joint).rate(kAlongX), 0, 1e-7);
}

// The slider is at rest on its carrier and nearer to its lower end, until the step in which the
// carrier comes to the end of its own range at 6 m/s.
TEST(SliderLimit, HoldsAtTheEndThatTheSolveThrowsItTo) {
  for (const Real lower : {-0.06, -0.04, -1e-3}) {
    Rig rig;
    const BodyId rider = rig.addBody({0, 0, 1});
    JointDefinition rail = sliderJoint(rig.post, rig.body, {}, {});
    rail.axes[kAlongX] = JointAxis::limited(-1, 0.51);
    rig.world.addJoint(rail);
    JointDefinition slider = sliderJoint(rig.body, rider, {.position = {0, 0, 1}}, {});
    slider.axes[kAlongX] = JointAxis::limited(lower, 0.05);
    const JointId joint = rig.world.addJoint(slider);
    for (const BodyId id : {rig.body, rider}) rig.world.body(id).setVelocity({6, 0, 0}, {});
    for (int i = 0; i < 20; ++i) {
      const StepReport& report = rig.world.step();
      ASSERT_LT(rig.world.joint(joint).coordinate(kAlongX), 0.05 + 1e-7) << i;
      ASSERT_TRUE(report.withinTolerance) << i;
    }
    EXPECT_NEAR(rig.world.joint(joint).coordinate(kAlongX), 0.05, 1e-6);
  }
}

// 2000 N bring 3 kg over 0.19 m within a step, and 2e4 N of a spring farther. The other end is
// nearer.
TEST(NarrowRange, HoldsWhatItsMotorAndItsSpringThrow) {
  for (const bool isAngle : {false, true}) {
    for (const Real side : {-1.0, 1.0}) {
      for (const bool isSpring : {false, true}) {
        Rig rig;
        JointDefinition joint = isAngle ? hingeJoint(rig.post, rig.body, {}, {})
                                        : sliderJoint(rig.post, rig.body, {}, {});
        JointAxis& axis = joint.axes[isAngle ? kAboutX : kAlongX];
        axis = JointAxis::limited(-0.05 + 0.01 * side, 0.05 + 0.01 * side);
        if (isSpring) {
          axis.spring = JointSpring{.stiffness = 1e4, .rest = 2 * side};
        } else {
          axis.motor = JointMotor{.target = 100 * side, .maxForce = 2000};
        }
        const JointId id = rig.world.addJoint(joint);
        rig.run(1);
        EXPECT_NEAR(rig.world.joint(id).coordinate(isAngle ? kAboutX : kAlongX), 0.06 * side, 1e-6);
        EXPECT_TRUE(rig.world.lastReport().withinTolerance);
      }
    }
  }
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
    ASSERT_NEAR(rig.world.body(rig.body).centerOfMass().x(), x, 1e-10) << i;
  }
}

TEST(HingeSpring, IsStableAtAnyStiffness) {
  Rig rig;
  JointDefinition hinge = hingeJoint(rig.post, rig.body, {}, {});
  hinge.axes[kAboutX].spring = JointSpring{.stiffness = 1e12, .damping = 0, .rest = 0.2};
  const JointId joint = rig.world.addJoint(hinge);
  rig.run(60);
  // Implicit: as a rigid row, it is at rest at the first step's end.
  EXPECT_NEAR(rig.world.joint(joint).coordinate(kAboutX), 0.2, 1e-6);
}

TEST(SliderFriction, BrakesByForceOverMassAndThenHolds) {
  Rig rig;
  JointDefinition slider = sliderJoint(rig.post, rig.body, {}, {});
  slider.axes[kAlongX].friction = 6;
  rig.world.addJoint(slider);
  rig.world.body(rig.body).setVelocity({4, 0, 0}, Vec3::Zero());
  rig.run(60);
  EXPECT_NEAR(rig.world.body(rig.body).linearVelocity().x(), 4 - 6.0 / Rig::kMass, 1e-9);
  rig.run(90);
  EXPECT_NEAR(rig.world.body(rig.body).linearVelocity().x(), 0, 1e-9);
}

TEST(MotorWithoutACap, StopsAtTheLimitsOfItsAngle) {
  const auto turnWith = [](const JointMotor& motor, int steps) {
    Rig rig;
    JointDefinition hinge = hingeJoint(rig.post, rig.body, {}, {});
    hinge.axes[kAboutX] = JointAxis::limited(-1, 1);
    hinge.axes[kAboutX].motor = motor;
    const JointId id = rig.world.addJoint(hinge);
    Real farthest = 0;
    for (int i = 0; i < steps; ++i) {
      rig.run(1);
      const Real angle = rig.world.joint(id).coordinate(kAboutX);
      if (std::abs(angle) > std::abs(farthest)) farthest = angle;
    }
    return farthest;
  };
  EXPECT_NEAR(turnWith({.target = 2}, 120), 1, 1e-6);
  EXPECT_NEAR(turnWith({.target = -2}, 120), -1, 1e-6);
  EXPECT_NEAR(turnWith({.kind = MotorKind::kPosition, .target = 3}, 120), 1, 1e-6);
  // On its way it has its speed.
  EXPECT_NEAR(turnWith({.target = 2}, 15), 0.5, 1e-6);
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
    ASSERT_NEAR(rig.world.joint(joint).coordinate(kAlongX), motor.target.at(i * kJointStep), 1e-8)
        << i;
  }
  EXPECT_NEAR(rig.world.joint(joint).reaction().force.z(), Rig::kMass * kGravity, 1e-6);
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
  EXPECT_NEAR(world.joint(joint).coordinate(kAlongX), 0.5 * world.time(), 1e-8);
}

TEST(SliderPositionMotor, TooWeak_LetsTheLoadFall) {
  Rig rig(Vec3::Zero(), {-kGravity, 0, 0});
  JointDefinition slider = sliderJoint(rig.post, rig.body, {}, {});
  slider.axes[kAlongX].motor = JointMotor{.kind = MotorKind::kPosition, .target = 0, .maxForce = 9};
  rig.world.addJoint(slider);
  rig.run(60);
  EXPECT_NEAR(rig.world.body(rig.body).linearVelocity().x(), -(kGravity - 9 / Rig::kMass), 1e-9);
}

TEST(MotorTarget, SetWhileRunning_ReplacesTheSchedule) {
  Rig rig;
  JointDefinition hinge = hingeJoint(rig.post, rig.body, {}, {});
  hinge.axes[kAboutX].motor = JointMotor{.target = 1};
  const JointId joint = rig.world.addJoint(hinge);
  rig.run(2);
  rig.world.joint(joint).setMotorTarget(kAboutX, -3);
  rig.run(2);
  EXPECT_NEAR(rig.world.joint(joint).rate(kAboutX), -3, 1e-9);
  EXPECT_THROW(rig.world.joint(joint).setMotorTarget(kAboutY, 1), InputError);
}

// Limits that come to lie elsewhere bring the joint back, and throw it nowhere.
TEST(AxisLimits, ThatAreSetBeyondTheJoint_BringItBackAtThePushOutSpeed) {
  Rig rig;
  const JointId id = rig.world.addJoint(hingeJoint(rig.post, rig.body, {}, {}));
  rig.world.joint(id).setLimits(kAboutX, -2, -1);
  for (int i = 0; i < 180; ++i) {
    rig.run(1);
    const Real rate = rig.world.joint(id).rate(kAboutX);
    ASSERT_LE(std::abs(rate), rig.world.settings().stabilization.maxPushSpeed + 1e-9) << i;
  }
  EXPECT_GE(rig.world.joint(id).coordinate(kAboutX), -2 - 1e-6);
  EXPECT_LE(rig.world.joint(id).coordinate(kAboutX), -1 + 1e-6);
}

}  // namespace
}  // namespace drystone
