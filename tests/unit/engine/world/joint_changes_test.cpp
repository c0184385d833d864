// A joint that is changed between steps does what a joint that was made so does, to the bit.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "core/input_error.h"
#include "tests/unit/engine/world/live_joints.h"

namespace drystone {
namespace {

class JointChange : public testing::TestWithParam<test::JointEdit> {};

void makeChange(World& world, const test::JointEdit& edit) {
  edit.change(world.joint(world.findJoint(edit.joint)));
}

TEST_P(JointChange, DoesWhatAJointMadeSoDoes) {
  for (const bool sleeps : {false, true}) {
    World built = test::machine(test::sleepy(sleeps), GetParam().joint, GetParam().make);
    World changed = test::machine(test::sleepy(sleeps));
    makeChange(changed, GetParam());
    EXPECT_EQ(test::firstDifference(built, changed, 80), -1);
    EXPECT_EQ(built.observe().hash(), changed.observe().hash());
  }
}

TEST_P(JointChange, MattersToTheMotion) {
  World plain = test::machine(test::sleepy(false)), changed = test::machine(test::sleepy(false));
  makeChange(changed, GetParam());
  EXPECT_NE(test::firstDifference(plain, changed, 80), -1);
}

TEST_P(JointChange, InTheMiddleOfAMotion_IsWhatAWorldWithItsStateDoes) {
  for (const JointRows rows : {JointRows::kEnd, JointRows::kMean}) {
    WorldSettings settings = test::sleepy(true);
    settings.jointRows = rows;
    if (rows == JointRows::kMean) settings.integrator = Integrator::kMoreau;
    World first = test::machine(settings), second = test::machine(settings);
    for (int i = 0; i < 20; ++i) first.step();
    const std::vector<std::byte> before = first.save();
    makeChange(first, GetParam());
    const std::vector<std::byte> after = first.save();
    EXPECT_NE(before, after);
    second.restore(after);
    EXPECT_EQ(second.save(), after);
    EXPECT_EQ(test::firstDifference(first, second, 50), -1);
    EXPECT_EQ(first.save(), second.save());
    // Back to before the change, which is undone.
    first.restore(before);
    EXPECT_EQ(first.save(), before);
    World third = test::machine(settings);
    third.restore(before);
    EXPECT_EQ(test::firstDifference(first, third, 50), -1);
  }
}

TEST_P(JointChange, IsInTheDefinition) {
  World built = test::machine(test::sleepy(false), GetParam().joint, GetParam().make);
  World changed = test::machine(test::sleepy(false));
  makeChange(changed, GetParam());
  const auto copyOf = [&](const World& from) {
    return test::machine(test::sleepy(false), GetParam().joint, [&](JointDefinition& joint) {
      joint = from.joint(from.findJoint(GetParam().joint)).definition();
    });
  };
  for (const World* const from : {&built, &changed}) {
    World again = test::machine(test::sleepy(false), GetParam().joint, GetParam().make);
    World copy = copyOf(*from);
    EXPECT_EQ(test::firstDifference(again, copy, 50), -1);
  }
}

INSTANTIATE_TEST_SUITE_P(All, JointChange, testing::ValuesIn(test::jointEdits()),
                         [](const auto& one) { return std::string(one.param.name); });

/// A machine that has run for a while.
struct Running {
  World world = test::machine(test::sleepy(false));
  JointHandle hinge = world.joint(world.findJoint("hinge"));
  JointHandle slider = world.joint(world.findJoint("slider"));
  JointHandle gear = world.joint(world.findJoint("gear"));

  Running() {
    for (int i = 0; i < 20; ++i) world.step();
  }
};

// It had q1 + 2 q2 = 0, so that -q1 + 3 q2 is not 0 any more.
TEST(JointChanges, OtherGearRatio_HoldsFromWhereItStands) {
  Running machine;
  ASSERT_GT(std::abs(machine.slider.coordinate(kAlongX)), 0.05);
  machine.gear.setGearRatio(3);
  EXPECT_EQ(machine.gear.coordinate(0), 0);
  const Real before = machine.slider.coordinate(kAlongX);
  machine.world.step();
  EXPECT_NEAR(machine.slider.coordinate(kAlongX), before, 0.05);
  EXPECT_LT(std::abs(machine.gear.coordinate(0)), 1e-6);
}

TEST(JointChanges, OtherFramesOfACoupledJoint_MoveNothingOfTheGear) {
  Running machine;
  const JointDefinition hinge = machine.hinge.definition();
  Pose turned = hinge.frameA;
  turned.rotation = turned.rotation * test::turn(Vec3::UnitX(), 1);
  machine.hinge.setFrames(turned, hinge.frameB);
  EXPECT_EQ(machine.gear.coordinate(0), 0);
  machine.world.step();
  EXPECT_LT(std::abs(machine.gear.coordinate(0)), 1e-6);
}

TEST(JointChanges, TurnsAreCountedAnewWithOtherFramesAlone) {
  World world = test::groundedWorld();
  const BodyId post = world.addBody({.kind = BodyKind::kStatic});
  const BodyId wheel = test::addUnitBox(world, {0, 0, 5});
  world.body(wheel).setVelocity(Vec3::Zero(), {15, 0, 0});
  const JointHandle hinge = world.joint(world.addJoint(hingeJoint(post, wheel, {{0, 0, 5}}, {})));
  test::simulate(world, 0.5);
  ASSERT_NEAR(hinge.coordinate(kAboutX), 7.5, 1e-6);
  hinge.setFriction(kAboutX, 1);
  hinge.setBreakingImpulse(1e6);
  hinge.setFrames({{0, 0, 5}}, {});  // those that it has
  EXPECT_NEAR(hinge.coordinate(kAboutX), 7.5, 1e-6);
  hinge.setFrames({{0, 0, 5}}, {{0, 0, 1e-9}});
  EXPECT_NEAR(hinge.coordinate(kAboutX), 7.5 - 2 * M_PI, 1e-6);
}

TEST(JointChanges, AnotherMotor_ForgetsTheTargetThatWasSet) {
  World world = test::machine(test::sleepy(false));
  const JointHandle slider = world.joint(world.findJoint("slider"));
  slider.setMotor(kAlongX, JointMotor{.target = 1});
  slider.setMotorTarget(kAlongX, -2);
  EXPECT_EQ(slider.definition().axes[kAlongX].motor->target.at(0), -2);
  slider.setMotor(kAlongX, JointMotor{.target = 3});
  EXPECT_EQ(slider.definition().axes[kAlongX].motor->target.at(0), 3);
  world.step();
  EXPECT_NEAR(slider.rate(kAlongX), 3, 1e-6);
  slider.setMotor(kAlongX, std::nullopt);
  EXPECT_THROW(slider.setMotorTarget(kAlongX, 1), InputError);
}

// Frames are what the torque of a reaction is about.
TEST(JointChanges, ReactionsStayButWithOtherFrames) {
  Running machine;
  const Vec3 force = machine.hinge.reaction().force;
  ASSERT_GT(force.norm(), 1);
  machine.hinge.setFriction(kAboutX, 0.5);
  EXPECT_EQ(machine.hinge.reaction().force, force);
  machine.hinge.setFrames(test::kMovedA, test::kMovedB);
  EXPECT_TRUE(machine.hinge.reaction().force.isZero(0));
}

// Two boxes in each other meet only while the joint lets them.
TEST(JointChanges, Collide_TurnsThePairOnAndOff) {
  World world = test::groundedWorld();
  const BodyId one = test::addUnitBox(world, {0, 0, 5}), two = test::addUnitBox(world, {0.9, 0, 5});
  const JointHandle joint = world.joint(world.addJoint(sixDofJoint(one, two, {}, {})));
  const JointHandle other = world.joint(world.addJoint(sixDofJoint(one, two, {}, {})));
  EXPECT_EQ(world.step().contacts, 0);
  joint.setCollide(true);
  EXPECT_EQ(world.step().contacts, 0);  // the other one still separates them
  other.setCollide(true);
  EXPECT_GT(world.step().contacts, 0);
  joint.setCollide(false);
  EXPECT_EQ(world.step().contacts, 0);
}

}  // namespace
}  // namespace drystone
