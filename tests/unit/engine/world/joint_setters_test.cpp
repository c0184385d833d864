// What the setters of joints wake and what they refuse.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "core/input_error.h"
#include "tests/unit/engine/world/live_joints.h"

namespace drystone {
namespace {

using JointSetter = std::function<void(JointHandle)>;

constexpr Real kNoNumber = std::numeric_limits<Real>::quiet_NaN();
const Pose kCrooked{Vec3::Zero(), Quat(2, 0, 0, 0)};

/// Two boxes that lie on the ground and sleep, one bound to the other.
struct Bound {
  World world = test::groundedWorld(test::sleepy());
  BodyId one = test::addUnitBox(world, {0, 0, 0.5}), two = test::addUnitBox(world, {2, 0, 0.5});
  JointHandle joint = world.joint(world.addJoint(sixDofJoint(one, two, {}, {})));

  Bound() {
    test::simulate(world, 2);
    EXPECT_EQ(test::awakeOf(world, {one, two}), 0);
  }
};

TEST(JointSetters, WakeTheBodiesOfTheJoint) {
  for (const test::JointEdit& edit : test::jointEdits()) {
    if (edit.joint == std::string_view("gear")) continue;
    Bound bound;
    edit.change(bound.joint);
    EXPECT_EQ(test::awakeOf(bound.world, {bound.one, bound.two}), 2) << edit.name;
  }
}

TEST(JointSetters, OfARemovedOrBrokenJoint_Throw) {
  for (const test::JointEdit& edit : test::jointEdits()) {
    World world = test::machine(test::sleepy());
    const JointHandle joint = world.joint(world.findJoint(edit.joint));
    world.removeJoint(joint.id());
    EXPECT_THROW(edit.change(joint), InputError) << edit.name;
    EXPECT_THROW(joint.definition(), InputError);
  }
  World world = test::machine(test::sleepy());
  const JointHandle ball = world.joint(world.findJoint("ball"));
  ball.setBreakingImpulse(1e-6);
  world.step();
  ASSERT_FALSE(world.contains(ball.id()));
  EXPECT_EQ(ball.definition().breakingImpulse, 1e-6);
  try {
    ball.setCollide(true);
    ADD_FAILURE() << "no error";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("setCollide: joint 'ball' is broken: remove it"));
  }
}

struct JointRefusal {
  const char* joint;
  const char* problem;  ///< part of what the error says
  JointSetter set;
};

const JointRefusal kJointRefusals[] = {
    {"hinge", "'hinge': the lower limit must not exceed the upper one",
     [](JointHandle j) { j.setLimits(kAboutX, 1, -1); }},
    {"ball", "lower limit must not exceed",
     [](JointHandle j) { j.setLimits(kAboutX, kNoNumber, 1); }},
    {"ball", "limits must leave something to move in",
     [](JointHandle j) { j.setLimits(kAboutX, kInfinity, kInfinity); }},
    {"ball", "must stay within ±90°", [](JointHandle j) { j.setLimits(kAboutY, -2, 2); }},
    {"ball", "motor of the second angle leads past ±90°",
     [](JointHandle j) { j.setMotor(kAboutY, JointMotor{.target = 1}); }},
    {"rope", "upper limit of a distance must be >= 0",
     [](JointHandle j) { j.setLimits(0, -2, -1); }},
    {"rope", "has coordinates 0 to 0, not 3", [](JointHandle j) { j.setFriction(3, 1); }},
    {"hinge", "has coordinates 0 to 5, not -1", [](JointHandle j) { j.setLimits(-1, 0, 1); }},
    {"ball", "stiffness must be >= 0",
     [](JointHandle j) { j.setSpring(kAboutX, JointSpring{.stiffness = -1}); }},
    {"ball", "needs a stiffness or a damping",
     [](JointHandle j) { j.setSpring(kAboutX, JointSpring{}); }},
    {"ball", "cap of a motor must be >= 0",
     [](JointHandle j) { j.setMotor(kAboutX, JointMotor{.maxForce = kNoNumber}); }},
    {"ball", "only a position motor has a servo",
     [](JointHandle j) { j.setMotor(kAboutX, JointMotor{.servo = JointSpring{.stiffness = 1}}); }},
    {"ball", "the damping of a position motor needs a stiffness; leave both out for a hard motor",
     [](JointHandle j) {
       j.setMotor(kAboutX, JointMotor{.kind = MotorKind::kPosition,
                                      .target = 1,
                                      .servo = JointSpring{.damping = 5}});
     }},
    {"ball", "friction must be >= 0", [](JointHandle j) { j.setFriction(kAboutX, -1); }},
    {"ball", "swing limit must be > 0", [](JointHandle j) { j.setSwingLimit(0); }},
    {"ball", "breaking impulse must be > 0", [](JointHandle j) { j.setBreakingImpulse(-1); }},
    {"ball", "compliance must be >= 0", [](JointHandle j) { j.setCompliance(kNoNumber); }},
    {"ball", "frames must be finite, with unit", [](JointHandle j) { j.setFrames(kCrooked, {}); }},
    {"ball", "positions of frames must be within ±1e+15 m, got 1e+300",
     [](JointHandle j) {
       j.setFrames({}, {.position = {0, -1e300, 0}});
     }},
    {"ball", "positions of frames must be within ±1e+15 m, got 1.1e+15",
     [](JointHandle j) {
       j.setFrames({.position = {0, 0, 1.1e15}}, {});
     }},
    {"slider", "a limit must be infinite or within ±1e+15, got -1e+300",
     [](JointHandle j) { j.setLimits(0, -1e300, 1); }},
    {"slider", "a limit must be infinite or within ±1e+15, got 1e+300",
     [](JointHandle j) { j.setLimits(0, -1, 1e300); }},
    {"gear", "the ratio of a gear must be within ±1e+15, got -1e+300",
     [](JointHandle j) { j.setGearRatio(-1e300); }},
    {"gear", "ratio of a gear must be finite and not 0", [](JointHandle j) { j.setGearRatio(0); }},
    {"ball", "setGearRatio: joint 'ball' is no gear", [](JointHandle j) { j.setGearRatio(2); }},
    {"gear", "setLimits: joint 'gear' is a gear", [](JointHandle j) { j.setLimits(0, 0, 1); }},
    {"gear", "setSwingLimit: joint 'gear' is a gear", [](JointHandle j) { j.setSwingLimit(1); }},
    {"gear", "setFrames: joint 'gear' is a gear", [](JointHandle j) { j.setFrames({}, {}); }},
    {"hinge", "'hinge': gear 'gear' needs its one free coordinate, 3: remove the gear first",
     [](JointHandle j) { j.setLimits(kAboutX, 0, 0); }},
    {"slider", "gear 'gear' needs its one free coordinate, 0",
     [](JointHandle j) { j.setLimits(kAboutX, -1, 1); }},
};

TEST(JointSetters, BadArguments_AreRefusedWithTheirNameAndChangeNothing) {
  World world = test::machine(test::sleepy());
  for (int i = 0; i < 5; ++i) world.step();
  const std::vector<std::byte> before = world.save();
  for (const JointRefusal& refusal : kJointRefusals) {
    try {
      refusal.set(world.joint(world.findJoint(refusal.joint)));
      ADD_FAILURE() << "no error: " << refusal.problem;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr(refusal.problem));
    }
    EXPECT_EQ(world.save(), before) << refusal.problem;
  }
}

TEST(JointSetters, OfANamelessJoint_NameItsIndex) {
  Bound bound;
  try {
    bound.joint.setSwingLimit(-1);
    ADD_FAILURE() << "no error";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("joint 'joint_0'"));
  }
}

}  // namespace
}  // namespace drystone
