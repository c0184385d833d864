// The second angle of a joint: where the first or the third one is locked it turns as endlessly as
// they do; between two free ones it stays within ±90°, and says so where that matters.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "core/input_error.h"
#include "tests/physics/joint_rig.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

using test::Rig;

/// A joint whose point is held, and whose turns are free, to be locked one by one.
JointDefinition pointJoint(const Rig& rig) { return presetJoint("ball", rig.post, rig.body); }

/// The second angle alone is free. Of the two others one is locked at an angle of its own.
JointDefinition middleHinge(const Rig& rig, Real first = 0, Real third = 0) {
  JointDefinition joint = pointJoint(rig);
  joint.axes[kAboutX] = JointAxis::locked(first);
  joint.axes[kAboutZ] = JointAxis::locked(third);
  return joint;
}

TEST(SecondAngle, AloneFree_IsTurnedByItsMotorWithoutEnd) {
  // Locks at angles of their own turn the axis in A and B: x(a) y(θ2) z(c).
  for (const auto& [first, third] :
       {std::pair(0.0, 0.0), std::pair(0.4, 0.0), std::pair(0.4, -0.7)}) {
    Rig rig;
    rig.world.body(rig.body).setPose(
        {Vec3::Zero(), test::turn(Vec3::UnitX(), first) * test::turn(Vec3::UnitZ(), third)});
    JointDefinition joint = middleHinge(rig, first, third);
    joint.axes[kAboutY].motor = JointMotor{.target = 2 * M_PI};
    const JointId id = rig.world.addJoint(joint);
    for (int i = 0; i < 180; ++i) {
      rig.run(1);
      ASSERT_LE(rig.world.lastReport().maxJointTurn, 1e-6) << i;
    }
    EXPECT_NEAR(rig.world.joint(id).coordinate(kAboutY), 6 * M_PI, 1e-6);
    EXPECT_NEAR(rig.world.joint(id).coordinate(kAboutX), first, 1e-6);
    EXPECT_NEAR(rig.world.joint(id).coordinate(kAboutZ), third, 1e-6);
    const Vec3 axis = test::turn(Vec3::UnitX(), first) * Vec3::UnitY();
    EXPECT_NEAR((rig.world.body(rig.body).angularVelocity() - 2 * M_PI * axis).norm(), 0, 1e-6);
  }
}

// A lock of the second angle far from 0 is no middle turn, which has no more than ±90°.
TEST(SecondAngle, LockedFarFromZero_IsHeldBesideAnotherLock) {
  for (const Real angle : {-2.5, -1.0, 2.0, 3.0}) {
    for (const int free : {-1, static_cast<int>(kAboutX), static_cast<int>(kAboutZ)}) {
      Rig rig;
      const Quat turned = test::turn(Vec3::UnitX(), 0.2) * test::turn(Vec3::UnitY(), angle) *
                          test::turn(Vec3::UnitZ(), -0.3);
      rig.world.body(rig.body).setPose({Vec3::Zero(), turned});
      JointDefinition joint = pointJoint(rig);
      joint.axes[kAboutY] = JointAxis::locked(angle);
      if (free != kAboutX) joint.axes[kAboutX] = JointAxis::locked(0.2);
      if (free != kAboutZ) joint.axes[kAboutZ] = JointAxis::locked(-0.3);
      const JointId id = rig.world.addJoint(joint);
      rig.run(60);
      EXPECT_LE(rig.world.lastReport().maxJointTurn, 1e-6) << angle << ", free: " << free;
      EXPECT_NEAR(rig.world.joint(id).coordinate(kAboutY), angle, 1e-6);
      if (free < 0) {
        EXPECT_LE(rig.world.body(rig.body).pose().rotation.angularDistance(turned), 1e-6);
      }
    }
  }
}

TEST(SecondAngle, LockedBeyondARightAngleBetweenTwoFreeOnes_IsRefused) {
  Rig rig;
  JointDefinition joint = pointJoint(rig);
  joint.axes[kAboutY] = JointAxis::locked(2);
  EXPECT_THROW(rig.world.addJoint(joint), InputError);
  joint.axes[kAboutY] = JointAxis::locked(1.5);
  EXPECT_NO_THROW(rig.world.addJoint(joint));
}

TEST(SecondAngle, BesideOneLock_TurnsOnAsTheOtherDoes) {
  // The cross of two shafts whose first arm is y of A, or whose second is y of B: at rest about the
  // other arm, the motor turns the first one, over and over.
  for (const int locked : {kAboutX, kAboutZ}) {
    Rig rig;
    const Real at = 0.3;  // of the lock
    rig.world.body(rig.body).setPose(
        {Vec3::Zero(), test::turn(locked == kAboutX ? Vec3::UnitX() : Vec3::UnitZ(), at)});
    JointDefinition joint = pointJoint(rig);
    joint.axes[locked] = JointAxis::locked(at);
    joint.axes[kAboutY].motor = JointMotor{.target = -5};
    joint.axes[locked == kAboutX ? kAboutZ : kAboutX].motor = JointMotor{.target = 3};
    const JointId id = rig.world.addJoint(joint);
    rig.run(240);
    const auto turns = rig.world.joint(id);
    // The coordinates follow their rates to first order in the step.
    EXPECT_NEAR(turns.coordinate(kAboutY), -20, 0.02);
    EXPECT_NEAR(turns.coordinate(locked == kAboutX ? kAboutZ : kAboutX), 12, 0.02);
    EXPECT_NEAR(turns.coordinate(locked), at, 0.02);  // bends by (ω h)² a step, as any cross
    EXPECT_NEAR(turns.rate(kAboutY), -5, 1e-6);
    const Quat expected = test::turn(Vec3::UnitX(), turns.coordinate(kAboutX)) *
                          test::turn(Vec3::UnitY(), turns.coordinate(kAboutY)) *
                          test::turn(Vec3::UnitZ(), turns.coordinate(kAboutZ));
    EXPECT_LT(rig.world.body(rig.body).pose().rotation.angularDistance(expected), 0.03);
  }
}

TEST(SecondAngle, AloneFree_HasLimitsSpringsAndFrictionBeyondARightAngle) {
  Rig rig;
  JointDefinition joint = middleHinge(rig);
  joint.axes[kAboutY] = JointAxis::limited(-7, 4);
  JointId id = rig.world.addJoint(joint);
  rig.world.body(rig.body).setVelocity(Vec3::Zero(), {0, 3, 0});
  rig.run(120);
  EXPECT_NEAR(rig.world.joint(id).coordinate(kAboutY), 4, 1e-7);
  rig.world.body(rig.body).setVelocity(Vec3::Zero(), {0, -6, 0});
  rig.run(180);
  EXPECT_NEAR(rig.world.joint(id).coordinate(kAboutY), -7, 1e-7);

  rig.world.removeJoint(id);
  rig.world.body(rig.body).setPose({});
  joint.axes[kAboutY] = {.spring = JointSpring{.stiffness = 80, .damping = 25, .rest = 9}};
  id = rig.world.addJoint(joint);
  rig.run(600);
  EXPECT_NEAR(rig.world.joint(id).coordinate(kAboutY), 9, 1e-6);

  rig.world.removeJoint(id);
  joint.axes[kAboutY] = {.friction = 4};
  id = rig.world.addJoint(joint);
  const Real before = rig.world.joint(id).coordinate(kAboutY);
  rig.world.body(rig.body).setVelocity(Vec3::Zero(), {0, 8, 0});
  rig.run(60);
  EXPECT_NEAR(rig.world.joint(id).rate(kAboutY), 8 - 4 / Rig::kInertia, 1e-8);
  EXPECT_GT(rig.world.joint(id).coordinate(kAboutY) - before, 5);
}

TEST(SecondAngle, BesideALock_HasTheRatesOfItsCoordinates) {
  for (const int locked : {kAboutX, kAboutZ}) {
    Rig rig({0.3, 0.2, -0.4});
    const BodyId other = rig.addBody({-0.5, 0.1, 0});
    JointDefinition joint =
        sixDofJoint(other, rig.body, {{0.2, 0.1, 0}, test::turn({0, 0, 1}, 0.7)},
                    {{0, 0.3, 0.1}, test::turn({0, 1, 0}, 2.4)});
    // The lock is soft, and far off: what it measures then is still a coordinate.
    joint.axes[locked] = JointAxis::locked(0.3);
    joint.compliance = 1e12;
    const JointId id = rig.world.addJoint(joint);
    rig.world.body(rig.body).setVelocity({0.3, -0.2, 0.5}, {0.4, 0.6, -0.3});
    rig.world.body(other).setVelocity({-0.1, 0.4, 0.2}, {-0.5, 0.2, 0.7});
    rig.world.setTimestep(1e-6);
    std::array<Real, 6> before, rate;
    for (int i = 0; i < 6; ++i) {
      before[i] = rig.world.joint(id).coordinate(i);
      rate[i] = rig.world.joint(id).rate(i);
    }
    rig.world.step();
    for (int i = 0; i < 6; ++i) {
      EXPECT_NEAR((rig.world.joint(id).coordinate(i) - before[i]) / 1e-6, rate[i], 1e-5) << i;
    }
  }
}

TEST(SecondAngle, BetweenTwoFreeOnes_StopsAtALimitOfARightAngle) {
  for (const Real side : {-1.0, 1.0}) {
    Rig rig;
    JointDefinition joint = pointJoint(rig);
    joint.axes[kAboutY] = JointAxis::limited(-M_PI / 2, M_PI / 2);
    joint.compliance = 0.01;  // lets it go beyond by h² τ C / γ, 4e-5 rad
    const JointId id = rig.world.addJoint(joint);
    for (int i = 0; i < 300; ++i) {
      rig.world.body(rig.body).applyTorque({0, 3 * side, 0});
      rig.run(1);
    }
    EXPECT_NEAR(rig.world.joint(id).coordinate(kAboutY), side * (M_PI / 2 + 4.2e-5), 1e-6);
    EXPECT_NEAR(rig.world.body(rig.body).angularVelocity().norm(), 0, 1e-6);
    EXPECT_EQ(rig.world.lastReport().singularJoints, 1);
  }
}

TEST(SecondAngle, BetweenTwoFreeOnes_IsReportedAtARightAngleAndNothingIsLost) {
  // Thrown over and over through ±90°, with something on the turns, and with nothing.
  for (const bool isActedOn : {true, false}) {
    Rig rig;
    JointDefinition joint = pointJoint(rig);
    if (isActedOn) joint.axes[kAboutX].friction = joint.axes[kAboutZ].friction = 0.01;
    rig.world.addJoint(joint);
    rig.world.body(rig.body).setVelocity(Vec3::Zero(), {1e-5, 2, -1e-5});
    int seen = 0;
    for (int i = 0; i < 600; ++i) {
      rig.run(1);
      seen += rig.world.lastReport().singularJoints;
      ASSERT_TRUE(rig.world.body(rig.body).angularVelocity().allFinite()) << i;
      ASSERT_LE(rig.world.body(rig.body).angularVelocity().norm(), 2.01) << i;
    }
    // 20 rad pass six right angles; 2 rad/s pass 2° around each within one or two steps.
    EXPECT_EQ(seen > 0, isActedOn);
  }
}

TEST(SecondAngle, MotorsThatLeadItPastARightAngle_AreRefusedWithTheRemedy) {
  Rig rig;
  const auto refusal = [&](const JointAxis& second) {
    JointDefinition joint = pointJoint(rig);
    joint.axes[kAboutY] = second;
    try {
      rig.world.removeJoint(rig.world.addJoint(joint));
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  using ::testing::HasSubstr;
  const auto motor = [](Real target, MotorKind kind = MotorKind::kVelocity) {
    return JointMotor{.kind = kind, .target = target};
  };
  EXPECT_THAT(refusal({.motor = motor(1)}), HasSubstr("lock the first or the third one"));
  EXPECT_THAT(refusal({.lower = -1, .motor = motor(1)}), HasSubstr("leads past ±90°"));
  EXPECT_THAT(refusal({.motor = motor(1.6, MotorKind::kPosition)}), HasSubstr("leads past ±90°"));
  EXPECT_EQ(refusal({.upper = 1, .motor = motor(1)}), "accepted");
  EXPECT_EQ(refusal({.motor = motor(0)}), "accepted");  // a brake
  EXPECT_EQ(refusal({.motor = motor(1.5, MotorKind::kPosition)}), "accepted");

  JointDefinition joint = pointJoint(rig);
  joint.axes[kAboutY].motor = motor(0);
  const JointHandle brake = rig.world.joint(rig.world.addJoint(joint));
  EXPECT_THROW(brake.setMotorTarget(kAboutY, -1), InputError);
  brake.setLimits(kAboutX, 0, 0);
  EXPECT_NO_THROW(brake.setMotorTarget(kAboutY, -1));
  // Freed, the angle would be led past ±90°.
  EXPECT_THROW(brake.setLimits(kAboutX, -kInfinity, kInfinity), InputError);
}

TEST(SecondAngle, ATargetThatGoesWithItsMotor_HasNoSayOnTheNextOne) {
  Rig rig;
  JointDefinition free = sixDofJoint(rig.post, rig.body);
  free.axes[kAboutY] = JointAxis::limited(-1, 1);
  free.axes[kAboutY].motor = JointMotor{.target = 0};
  const JointId id = rig.world.addJoint(free);
  const JointHandle joint = rig.world.joint(id);
  joint.setMotorTarget(kAboutY, 5);  // a rate, and no angle past 90°
  const JointMotor past{.kind = MotorKind::kPosition, .target = 2};
  EXPECT_THROW(joint.setMotor(kAboutY, past), InputError);
  rig.run(3);
  EXPECT_NEAR(joint.rate(kAboutY), 5, 1e-6);  // the target stays where the call is refused
  joint.setMotor(kAboutY, JointMotor{.kind = MotorKind::kPosition, .target = 0.5});
  rig.run(90);
  EXPECT_NEAR(joint.coordinate(kAboutY), 0.5, 1e-6);
}

}  // namespace
}  // namespace drystone
