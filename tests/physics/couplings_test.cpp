// Wheels on a suspension, and what couples two joints: gears, racks, pulleys and winches, against
// closed forms. Masses are 3 kg and inertias 2 kg m².
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "core/input_error.h"
#include "tests/physics/joint_rig.h"
#include "tests/support/constants.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

using test::kGravity;
using test::Rig;

Pose pointAt(const Vec3& point) { return {point, Quat::Identity()}; }

/// Up is z, and the axle lies along y.
Pose wheelFrame() { return jointFrame(Vec3::Zero(), Vec3::UnitZ(), Vec3::UnitY()); }

TEST(WheelJoint, HangsInItsSpringSteersAndSpins) {
  Rig rig(Vec3::Zero(), {0, 0, -kGravity});
  JointDefinition wheel = wheelJoint(rig.post, rig.body, wheelFrame(), wheelFrame());
  wheel.axes[kAlongX].spring = JointSpring{.stiffness = 500, .damping = 60};
  wheel.axes[kAboutX] = {.motor = JointMotor{.kind = MotorKind::kPosition, .target = 0.3}};
  wheel.axes[kAboutZ].motor = JointMotor{.target = 4 * M_PI};
  const JointId id = rig.world.addJoint(wheel);
  rig.run(300);
  const auto joint = rig.world.joint(id);
  EXPECT_NEAR(joint.coordinate(kAlongX), -Rig::kMass * kGravity / 500, 1e-6);
  EXPECT_NEAR(joint.coordinate(kAboutX), 0.3, 1e-6);
  // Ten turns in five seconds. What the wheel turned as it was steered in the first steps is of
  // second order in that angle.
  EXPECT_NEAR(joint.coordinate(kAboutZ), 20 * M_PI, 0.1);
  const Vec3 axle(-std::sin(0.3), std::cos(0.3), 0);
  EXPECT_NEAR((rig.world.body(rig.body).angularVelocity() - 4 * M_PI * axle).norm(), 0, 1e-5);
}

TEST(WheelJoint, IsNotSteeredUnlessItIsAsked) {
  Rig rig;
  const JointId id = rig.world.addJoint(wheelJoint(rig.post, rig.body, wheelFrame(), wheelFrame()));
  rig.world.body(rig.body).setVelocity({1, 1, 1}, {2, 2, 2});
  rig.run(30);
  EXPECT_NEAR((rig.world.body(rig.body).angularVelocity() - Vec3(0, 2, 0)).norm(), 0, 1e-6);
  EXPECT_NEAR((rig.world.body(rig.body).linearVelocity() - Vec3(0, 0, 1)).norm(), 0, 1e-6);
  EXPECT_NEAR(rig.world.joint(id).coordinate(kAboutX), 0, 1e-6);
}

/// Two bodies on ropes of one metre over a post.
struct Tackle {
  Tackle() : rig({0, 0, -1}, {0, 0, -kGravity}), other(rig.addBody({5, 0, -1})) {
    one = rig.world.addJoint(
        distanceJoint(rig.post, rig.body, Vec3::Zero(), Vec3::Zero(), 0, kInfinity));
    two = rig.world.addJoint(distanceJoint(rig.post, other, {5, 0, 0}, Vec3::Zero(), 0, kInfinity));
  }
  Real fall(BodyId body) const { return -rig.world.body(body).linearVelocity().z(); }

  Rig rig;
  BodyId other;
  JointId one, two;
};

TEST(Pulley, LiftsTheOneByTheWeightOfTheOther) {
  // With x1 + 2 x2 constant and equal masses: a2 = g (m − 2 m) / (m + 4 m), and a1 = −2 a2.
  Tackle tackle;
  tackle.rig.world.addJoint(pulleyJoint(tackle.one, tackle.two, 2));
  tackle.rig.run(30);
  EXPECT_NEAR(tackle.fall(tackle.other), -0.5 * kGravity / 5, 1e-7);
  EXPECT_NEAR(tackle.fall(tackle.rig.body), 0.5 * 2 * kGravity / 5, 1e-7);
}

TEST(Pulley, HasARopeThatDoesNotPush) {
  Tackle tackle;
  const JointId rope = tackle.rig.world.addJoint(pulleyJoint(tackle.one, tackle.two));
  tackle.rig.world.body(tackle.rig.body).setVelocity({0, 0, 3}, Vec3::Zero());
  tackle.rig.run(12);
  // Slack as long as the one flies up faster than the other falls, which is 3 m/s at first.
  EXPECT_LT(tackle.rig.world.joint(rope).coordinate(0), -0.15);
  EXPECT_NEAR(tackle.fall(tackle.other), 0.2 * kGravity, 1e-9);
  EXPECT_NEAR(tackle.fall(tackle.rig.body), 0.2 * kGravity - 3, 1e-9);
  Tackle gear;  // which does push
  gear.rig.world.addJoint(gearJoint(gear.one, gear.two, 1));
  gear.rig.world.body(gear.rig.body).setVelocity({0, 0, 3}, Vec3::Zero());
  gear.rig.run(12);
  EXPECT_NEAR(gear.fall(gear.other), 1.5, 1e-7);
}

TEST(RackAndPinion, TravelsByItsRadiusPerRadian) {
  Rig rig;
  const BodyId rack = rig.addBody({0, 5, 0});
  JointDefinition drive = hingeJoint(rig.post, rig.body, {}, {});
  drive.axes[kAboutX].motor = JointMotor{.target = 3};
  const JointId pinion = rig.world.addJoint(drive);
  const JointId guide = rig.world.addJoint(sliderJoint(rig.post, rack, pointAt({0, 5, 0}), {}));
  rig.world.addJoint(rackAndPinionJoint(guide, pinion, 0.2));
  rig.run(60);
  EXPECT_NEAR(rig.world.joint(guide).coordinate(kAlongX), 0.6, 1e-7);
}

/// A drum that a motor turns at a speed [rad/s], and a ball of radius 0.1 m and 3 kg on its rope
/// over a floor at z = 0. With a radius below 0, turning forwards lets out rope.
struct Hoist {
  static constexpr Real kRadius = 0.2;  ///< of the drum [m]

  explicit Hoist(Real height, Real speed, Real radius = -kRadius)
      : rig({0, 0, 3}, {0, 0, -kGravity}), load(rig.addBody({kRadius, 0, height})) {
    rig.world.body(load).setShape(Sphere{.radius = 0.1});
    rig.world.body(load).setMass({Rig::kMass, Vec3::Zero(), Rig::kInertia * Mat3::Identity()});
    BodyDefinition floor;
    floor.kind = BodyKind::kStatic;
    floor.shape = Plane{};
    ground = rig.world.addBody(floor);
    const Pose axle = jointFrame({0, 0, 3}, Vec3::UnitY());
    JointDefinition drum = hingeJoint(rig.post, rig.body, axle, {Vec3::Zero(), axle.rotation});
    drum.axes[kAboutX].motor = JointMotor{.target = speed};
    hinge = rig.world.addJoint(drum);
    rope = rig.world.addJoint(
        distanceJoint(rig.post, load, {kRadius, 0, 3}, Vec3::Zero(), 0, kInfinity));
    winch = rig.world.addJoint(winchJoint(rope, hinge, radius));
  }
  Real height() const { return rig.world.body(load).pose().position.z(); }
  /// Of the floor on the load [N].
  Real support() const {
    Real sum = 0;
    for (const BodyContact& contact : rig.world.body(load).contacts()) sum += contact.impulse.z();
    return sum / test::kJointStep;
  }

  Rig rig;
  BodyId load, ground;
  JointId hinge, rope, winch;
};

TEST(Winch, HoldsItsLoadAndItsDrumBearsTheTorque) {
  Hoist hoist(1, 0);
  hoist.rig.run(120);
  EXPECT_NEAR(hoist.height(), 1, 1e-5);
  // The rope pulls with m g, and the drum's motor holds that on the arm of the radius.
  EXPECT_NEAR(hoist.rig.world.joint(hoist.hinge).reaction().torque.y(), -0.2 * 3 * kGravity, 1e-3);
}

TEST(Winch, WindsUpByTheRadiusPerRadian) {
  Hoist hoist(1, -2);
  hoist.rig.run(60);
  EXPECT_NEAR(hoist.height(), 1 + 0.2 * 2, 1e-5);
  Hoist turned(1, 2, 0.2);
  turned.rig.run(60);
  EXPECT_NEAR(turned.height(), 1 + 0.2 * 2, 1e-5);
}

// The load goes up at 0.4 m/s from z = 1, below the pulley at z = 3, and stays there where its rope
// is 1 m long. The motor can lift m g on its arm, 5.9 N m, and more.
TEST(Winch, TellsItsPullAndStopsWhereItsRopeHasALimit) {
  Hoist hoist(1, -2);
  World& world = hoist.rig.world;
  world.joint(hoist.hinge).setMotor(kAboutX, JointMotor{.target = -2, .maxForce = 20});
  world.joint(hoist.rope).setLimits(0, 1, kInfinity);
  hoist.rig.run(60);
  EXPECT_NEAR(world.joint(hoist.winch).axisForce(0).limit, -3 * kGravity, 1e-2);
  EXPECT_EQ(world.joint(hoist.rope).axisForce(0).total(), 0);
  hoist.rig.run(180);
  EXPECT_NEAR(hoist.height(), 2, 1e-4);
  EXPECT_NEAR(world.joint(hoist.hinge).rate(kAboutX), 0, 1e-6);
}

TEST(Winch, PaysOutOntoTheFloorWithoutPressing) {
  // 0.4 m are let out in the first second, and the load hangs 0.2 m above the floor.
  Hoist hoist(0.3, 2);
  hoist.rig.run(120);
  EXPECT_NEAR(hoist.height(), 0.1, 1e-5);
  EXPECT_NEAR(hoist.support(), 3 * kGravity, 1e-4);
  // Let out were 0.8 m, and taken 0.2 m.
  EXPECT_NEAR(hoist.rig.world.joint(hoist.winch).coordinate(0), 0.2 - 0.8, 1e-5);
  EXPECT_NEAR(hoist.rig.world.joint(hoist.hinge).reaction().torque.y(), 0, 1e-6);
}

TEST(Winch, TakesUpItsSlackBeforeItLifts) {
  Hoist hoist(0.1, 2);
  hoist.rig.run(60);
  auto drum = hoist.rig.world.joint(hoist.hinge);
  drum.setMotorTarget(kAboutX, -2);
  hoist.rig.run(54);
  EXPECT_NEAR(hoist.height(), 0.1, 1e-5);
  EXPECT_NEAR(hoist.support(), 3 * kGravity, 1e-4);
  hoist.rig.run(66);
  EXPECT_NEAR(hoist.height(), 0.1 + 0.4, 1e-4);
}

TEST(Gear, OfARopeAndADrum_LetsOutTheRopeByItsTurns) {
  Rig rig(Vec3::Zero(), {0, 0, -kGravity});
  const BodyId load = rig.addBody({5, 0, -1});
  JointDefinition drum = hingeJoint(rig.post, rig.body, {}, {});
  drum.axes[kAboutX].motor = JointMotor{.target = 2};
  const JointId turns = rig.world.addJoint(drum);
  const JointId rope =
      rig.world.addJoint(distanceJoint(rig.post, load, {5, 0, 0}, Vec3::Zero(), 0, kInfinity));
  rig.world.addJoint(gearJoint(rope, turns, -0.5));
  rig.run(60);
  EXPECT_NEAR(rig.world.joint(rope).coordinate(0), 2, 1e-6);
  EXPECT_NEAR(rig.world.joint(rope).rate(0), 1, 1e-6);
}

TEST(Gear, OnAnArmThatIsOneOfItsBodies_KeepsTheToolUpright) {
  // The tool turns back on the arm as the arm turns on the post, as in a desk lamp. Either joint
  // may come first.
  for (const bool isArmFirst : {true, false}) {
    Rig rig;
    const BodyId tool = rig.addBody({0, 1, 0});
    JointDefinition drive = hingeJoint(rig.post, rig.body, {}, {});
    drive.axes[kAboutX].motor = JointMotor{.target = 2};
    const JointId arm = rig.world.addJoint(drive);
    const JointId wrist = rig.world.addJoint(hingeJoint(rig.body, tool, pointAt({0, 1, 0}), {}));
    rig.world.addJoint(isArmFirst ? gearJoint(arm, wrist, 1) : gearJoint(wrist, arm, 1));
    rig.run(120);
    EXPECT_NEAR(rig.world.joint(wrist).coordinate(kAboutX), -4, 1e-6);
    EXPECT_NEAR(rig.world.body(rig.body).angularVelocity().x(), 2, 1e-6);
    EXPECT_NEAR(rig.world.body(tool).angularVelocity().norm(), 0, 1e-6);
  }
}

TEST(Gear, OfAHingeThatIsMadeTheOtherWayRound_ActsOnItsBodyA) {
  Rig rig;
  const BodyId second = rig.addBody({5, 0, 0});
  JointDefinition drive = hingeJoint(rig.body, rig.post, {}, {});
  drive.axes[kAboutX].motor = JointMotor{.target = 6};
  const JointId one = rig.world.addJoint(drive);
  const JointId two = rig.world.addJoint(hingeJoint(rig.post, second, pointAt({5, 0, 0}), {}));
  rig.world.addJoint(gearJoint(one, two, 3));
  rig.run(60);
  EXPECT_NEAR(rig.world.body(rig.body).angularVelocity().x(), -6, 1e-7);
  EXPECT_NEAR(rig.world.body(second).angularVelocity().x(), -2, 1e-7);
}

TEST(Gear, OfThreeDynamicBodies_IsRefusedWithTheRule) {
  Rig rig;
  const BodyId left = rig.addBody({0, 5, 0}), right = rig.addBody({0, -5, 0});
  const JointId one = rig.world.addJoint(hingeJoint(rig.body, left, pointAt({0, 5, 0}), {}));
  const JointId two = rig.world.addJoint(hingeJoint(rig.body, right, pointAt({0, -5, 0}), {}));
  try {
    rig.world.addJoint(gearJoint(one, two, 1));
    ADD_FAILURE() << "coupled three bodies";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("a gear acts on two dynamic bodies"));
  }
  rig.world.body(rig.body).setKind(BodyKind::kKinematic);
  EXPECT_NO_THROW(rig.world.addJoint(gearJoint(one, two, 1)));
  EXPECT_THROW(rig.world.body(rig.body).setKind(BodyKind::kDynamic), InputError);
}

TEST(JointFrame, OfTheWorld_IsPlacedInBothBodies) {
  Rig rig({1, 2, 3});
  rig.world.body(rig.body).setPose({{1, 2, 3}, test::turn(Vec3::UnitY(), 1)});
  rig.world.body(rig.post).setPose({{4, 0, 0}, test::turn(Vec3::UnitX(), 2)});
  const Pose frame = jointFrame({0, 1, 0}, {0, 1, 1});
  const JointId id = rig.world.addJoint(hingeJoint(rig.post, rig.body), frame);
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(rig.world.joint(id).coordinate(i), 0, 1e-15);
  const JointDefinition made = rig.world.joint(id).definition();
  const Pose placed = rig.world.body(rig.body).pose() * made.frameB;
  EXPECT_NEAR((placed.position - frame.position).norm(), 0, 1e-15);
  EXPECT_NEAR((placed.rotation * Vec3::UnitX() - Vec3(0, 1, 1).normalized()).norm(), 0, 1e-15);
  EXPECT_THROW(rig.world.addJoint(gearJoint(id, id, 1), frame), InputError);
}

TEST(JointFrame, HasItsAxesAlongTheDirections) {
  const Pose frame = jointFrame({1, 2, 3}, {0, 0, 2}, {0, 3, 4});
  EXPECT_NEAR((frame.rotation * Vec3::UnitX() - Vec3::UnitZ()).norm(), 0, 1e-15);
  EXPECT_NEAR((frame.rotation * Vec3::UnitZ() - Vec3::UnitY()).norm(), 0, 1e-15);
  EXPECT_EQ(frame.position, Vec3(1, 2, 3));
  EXPECT_THROW(jointFrame(Vec3::Zero(), {0, 0, 2}, {0, 0, -1}), InputError);
  EXPECT_THROW(jointFrame(Vec3::Zero(), Vec3::Zero()), InputError);
}

}  // namespace
}  // namespace drystone
