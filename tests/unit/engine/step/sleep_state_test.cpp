// What a world with sleeping islands keeps: hashes, saved states, reactions and errors of joints,
// memory.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/allocation_counter.h"
#include "tests/support/worlds.h"
#include "tests/unit/engine/step/sleepers.h"

namespace drystone {
namespace {

using test::addStack;
using test::sleepy;

/// Two stacks, a ball that hits one of them after both sleep, and a hanging chain.
World ballAndStacks(int threads) {
  WorldSettings settings = sleepy();
  settings.threads = threads;
  World world(settings, test::registry());
  test::addGround(world);
  addStack(world, 4);
  addStack(world, 3, 6);
  const BodyId post = world.addBody({.kind = BodyKind::kStatic});
  BodyId above = post;
  for (int i = 0; i < 3; ++i) {
    const BodyId link = test::addBody(world, Sphere{0.1}, 1, {{20, 0, 9.0 - i}, Quat::Identity()});
    world.addJoint(
        ballJoint(above, link, i == 0 ? Vec3(20, 0, 9.5) : Vec3(0, 0, -0.5), {0, 0, 0.5}));
    above = link;
  }
  test::addBody(world, Sphere{0.3}, 2, {{-14, 0, 5}, Quat::Identity()}, {14, 0, 3});
  return world;
}

TEST(SleepState, IsTheSameForEveryThreadCountAndAfterRestoring) {
  World one = ballAndStacks(1), four = ballAndStacks(4);
  int mostAsleep = 0, wakings = 0, before = 0;
  for (int i = 0; i < 150; ++i) {
    one.step();
    four.step();
    const int asleep = one.lastReport().asleepBodies;
    ASSERT_EQ(one.observe().hash(), four.observe().hash()) << i;
    ASSERT_EQ(asleep, four.lastReport().asleepBodies);
    mostAsleep = std::max(mostAsleep, asleep);
    wakings += asleep < before ? 1 : 0;
    before = asleep;
    if (i == 20 || i == 45) {  // while the timers run, and asleep
      four = ballAndStacks(2);
      four.restore(one.save());
    }
  }
  EXPECT_EQ(mostAsleep, 10);  // both stacks and the chain
  EXPECT_GE(wakings, 1);
}

/// Two boxes on hinges at the origin, coupled by a gear that keeps them from touching.
World gearedBoxes(Real breakingImpulse) {
  WorldSettings settings = sleepy();
  settings.gravity.setZero();
  World world(settings, test::registry());
  const BodyId post = world.addBody({.kind = BodyKind::kStatic});
  JointId hinges[2];
  for (JointId& joint : hinges) {
    const BodyId box = test::addUnitBox(world, Vec3::Zero());
    JointDefinition hinge = hingeJoint(post, box, {}, {});
    hinge.breakingImpulse = breakingImpulse;
    joint = world.addJoint(hinge);
  }
  JointDefinition gear = gearJoint(hinges[0], hinges[1], 1);
  gear.collide = false;
  world.addJoint(gear);
  return world;
}

TEST(SleepState, GearOfABrokenJoint_ConnectsNothing) {
  World world = gearedBoxes(1);
  world.body({1, 1}).setVelocity({0, 9, 0}, Vec3::Zero());
  world.step();
  // The gear goes with the hinge.
  ASSERT_EQ(world.lastReport().brokenJoints, (std::vector<int>{0, 2}));
  EXPECT_EQ(std::ssize(world.joints()), 1);
  world.body({1, 1}).setVelocity({0, 9, 0}, Vec3::Zero());  // the hinge has held it for that step
  test::simulate(world, 1);
  for (int i = 0; i < 10; ++i) {
    world.step();
    EXPECT_TRUE(world.body({1, 1}).isAwake());  // flies on
    EXPECT_FALSE(world.body({2, 1}).isAwake());
  }
}

TEST(GearThatDiesWithItsJoint, LetsItsBodiesTouch) {
  World world = gearedBoxes(kInfinity);
  EXPECT_EQ(world.step().contacts, 0);
  world.removeJoint({0});
  EXPECT_GT(world.step().contacts, 0);
}

/// A load of 3 kg that hangs asleep on a ball joint.
World hangingAsleep() {
  World world(sleepy(), test::registry());
  const BodyId post = world.addBody({.kind = BodyKind::kStatic});
  const BodyId load =
      test::addBody(world, Sphere{0.1}, 3, {{0, 0, -1.001}, Quat::Identity()}, Vec3::Zero());
  JointDefinition joint = ballJoint(post, load, Vec3::Zero(), {0, 0, 1});
  joint.compliance = 1e-4;
  world.addJoint(joint);
  return world;
}

TEST(SleepState, ReactionOfASleepingJoint_IsItsForceAtEveryTimestep) {
  World world = hangingAsleep();
  test::simulate(world, 2);
  ASSERT_EQ(world.lastReport().asleepBodies, 1);
  for (const Real timestep : {1.0 / 60, 1.0 / 240, 1.0 / 30}) {
    world.setTimestep(timestep);
    for (int i = 0; i < 2; ++i) {
      EXPECT_NEAR(world.joint({0}).reaction().force.z(), 3 * 9.81, 1e-3) << timestep;
      world.step();
    }
    EXPECT_EQ(world.lastReport().asleepBodies, 1);
  }
}

TEST(SleepState, ReportOfARestoredWorld_HasTheErrorsOfSleepingJoints) {
  World world = hangingAsleep();
  test::simulate(world, 2);
  ASSERT_EQ(world.lastReport().asleepBodies, 1);
  World restored = hangingAsleep();
  restored.restore(world.save());
  EXPECT_EQ(restored.step().maxJointDrift, world.step().maxJointDrift);
  EXPECT_GT(world.lastReport().maxJointDrift, 1e-6);
}

TEST(SleepState, StepsOfSleepers_AllocateNothing) {
  World world(sleepy(), test::registry());
  test::addGround(world);
  const std::vector<BodyId> stack = addStack(world, 4);
  addStack(world, 3, 6);
  test::simulate(world, 1);
  world.body(stack[0]).wake();
  test::simulate(world, 1);
  std::int64_t before = test::allocationCount();
  for (int i = 0; i < 5; ++i) world.step();  // all asleep
  EXPECT_EQ(test::allocationCount(), before);
  world.body(stack[0]).wake();
  // The broad phase moves what wakes from one tree to the other, in two steps that may allocate.
  for (int i = 0; i < 2; ++i) world.step();
  before = test::allocationCount();
  for (int i = 0; i < 20; ++i) world.step();  // one stack awake, the other asleep
  EXPECT_EQ(test::allocationCount(), before);
  EXPECT_EQ(world.lastReport().asleepBodies, 3);
}

}  // namespace
}  // namespace drystone
