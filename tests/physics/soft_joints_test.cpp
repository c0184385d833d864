// Soft stepping of islands with joints: their clusters hold, and rest as exact steps let them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/random.h"
#include "tests/support/constants.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

WorldSettings stepped(Stepping stepping) {
  WorldSettings settings;
  settings.stepping = stepping;
  settings.overlapTolerance = settings.jointTolerance = 1e-3;
  return settings;
}

/// A trunk with two legs on hinges with limits and two arms on ball joints, 0.7 m tall.
void addDoll(World& world, const Pose& pose) {
  const auto add = [&](const Vec3& halfExtents, Real mass, const Vec3& place) {
    return test::addBody(world, Box{halfExtents}, mass, {pose * place, pose.rotation});
  };
  const BodyId trunk = add(Vec3(0.18, 0.1, 0.2), 4, Vec3::Zero());
  for (const Real side : {-1.0, 1.0}) {
    const BodyId leg = add(Vec3(0.07, 0.07, 0.15), 1.5, Vec3(0.1 * side, 0, -0.36));
    JointDefinition hip =
        hingeJoint(trunk, leg, jointFrame(Vec3(0.1 * side, 0, -0.205), Vec3::UnitX()),
                   jointFrame(Vec3(0, 0, 0.155), Vec3::UnitX()));
    hip.axes[kAboutX] = JointAxis::limited(-0.8, 0.8);
    hip.axes[kAboutX].friction = 0.5;
    world.addJoint(hip);
    const BodyId arm = add(Vec3(0.05, 0.05, 0.15), 1, Vec3(0.24 * side, 0, 0.02));
    world.addJoint(ballJoint(trunk, arm, Vec3(0.22 * side, 0, 0.17), Vec3(-0.02 * side, 0, 0.15)));
  }
}

/// Dolls that fall on a heap inside of four walls, turned at random.
World fallingDolls(const WorldSettings& settings, int count) {
  World world(settings, test::registry());
  test::addGround(world);
  for (const Vec3& side : {Vec3(1.4, 0, 2), Vec3(-1.4, 0, 2), Vec3(0, 1.4, 2), Vec3(0, -1.4, 2)}) {
    BodyDefinition wall;
    wall.kind = BodyKind::kStatic;
    wall.shape = Box{side.x() != 0 ? Vec3(0.4, 2, 4) : Vec3(2, 0.4, 4)};
    wall.pose.position = side;
    world.addBody(wall);
  }
  Random random(3);
  for (int i = 0; i < count; ++i) {
    const Quat turned = test::turn(
        Vec3(random.uniform(-1, 1), random.uniform(-1, 1), 1).normalized(), random.uniform(-1, 1));
    addDoll(world, {Vec3(i % 2 - 0.5, i / 2 % 2 - 0.5, 0.7 + 0.9 * (i / 4)), turned});
  }
  return world;
}

Real heightOfMass(const World& world) {
  Real moment = 0, mass = 0;
  for (const BodyId id : world.bodies()) {
    if (world.body(id).kind() != BodyKind::kDynamic) continue;
    moment += world.body(id).mass() * world.body(id).centerOfMass().z();
    mass += world.body(id).mass();
  }
  return moment / mass;
}

TEST(SoftJoints, AHeapOfDolls_FallsSoftlyAndRestsAsExactStepsLetIt) {
  constexpr int kDolls = 8;
  World exact = fallingDolls(stepped(Stepping::kExact), kDolls);
  World soft = fallingDolls(stepped(Stepping::kSoft), kDolls);
  int softSteps = 0;
  Real jointError = 0, overlap = 0;
  for (int i = 0; i < 240; ++i) {
    exact.step();
    const StepReport& report = soft.step();
    if (report.softIslands > 0) ++softSteps;
    EXPECT_NEAR(report.energy.ledgerError, 0, 1e-9);
    jointError = std::max(jointError, report.maxJointDrift);
    overlap = std::max(overlap, report.maxPenetration);
  }
  EXPECT_GT(softSteps, 30);
  EXPECT_LT(jointError, 2e-4);  // one Newton step too few leaves millimetres
  EXPECT_LT(overlap, 0.03);
  EXPECT_LT(soft.lastReport().energy.kinetic, 3);  // a hundredth of that of the fall
  EXPECT_NEAR(heightOfMass(soft), heightOfMass(exact), 0.05);
}

/// A chain of 40 boxes on ball joints, laid in turns over the ground.
World fallingChain(const WorldSettings& settings) {
  World world(settings, test::registry());
  test::addGround(world);
  BodyId last;
  for (int i = 0; i < 40; ++i) {
    const Real place = i % 20 < 10 ? i % 20 : 19 - i % 20;
    const BodyId link = test::addBody(world, Box{Vec3(0.12, 0.12, 0.12)}, 1,
                                      {Vec3(0.3 * place, 0.3 * (i / 10), 0.5 + 0.03 * i)});
    if (i > 0) {
      const Vec3 way = world.body(link).centerOfMass() - world.body(last).centerOfMass();
      world.addJoint(ballJoint(last, link, way / 2, -way / 2));
    }
    last = link;
  }
  return world;
}

TEST(SoftJoints, AChainThatFalls_HoldsAndSaysWhatTheSweepsLeave) {
  World world = fallingChain(stepped(Stepping::kSoft));
  int softSteps = 0;
  Real worst = 0, joints = 0;
  for (int i = 0; i < 150; ++i) {
    const StepReport& report = world.step();
    joints = std::max(joints, report.maxJointDrift);
    if (report.softIslands == 0) continue;
    ++softSteps;
    worst = std::max(worst, report.naturalMap);
    // What misses is said to miss, and is a contact: locks are solved.
    EXPECT_EQ(report.solvesWithin, report.naturalMap <= 1e-6);
  }
  EXPECT_GT(softSteps, 10);
  EXPECT_GT(worst, 1e-6);
  EXPECT_LT(joints, 5e-4);
}

/// A stack of cubes of 1 kg under a foot of 1 kg, which a weld connects to a load beside the stack.
TEST(SoftJoints, AHeavyLoadOnALightFoot_StandsOnCubesAsInExactSteps) {
  World world(stepped(Stepping::kSoft), test::registry());
  test::addGround(world);
  constexpr int kCubes = 14;
  const auto addCube = [&](Real mass, Real height) {
    return test::addBody(world, Box{Vec3(0.5, 0.5, 0.5)}, mass, {Vec3(0, 0, height)});
  };
  for (int i = 0; i < kCubes; ++i) addCube(1, 0.5 + i);
  // It lands, for what is at rest is solved exactly anyway.
  const BodyId foot = addCube(1, kCubes + 0.51), load = addCube(300, kCubes + 2.01);
  for (const BodyId id : {foot, load}) world.body(id).setVelocity(Vec3(0, 0, -1), Vec3::Zero());
  world.addJoint(fixedJoint(foot, load, {Vec3(0, 0, 0.75)}, {Vec3(0, 0, -0.75)}));
  Real overlap = 0;
  for (int i = 0; i < 60; ++i) overlap = std::max(overlap, world.step().maxPenetration);
  EXPECT_LT(overlap, 1e-6);  // sweeps over bodies by their own masses leave 0.1 m
}

TEST(SoftJoints, ThreadCount_DoesNotChangeABit) {
  int softIslands = 0;
  test::expectSameBitsForEveryThreadCount(
      [](int threads) {
        WorldSettings settings = stepped(Stepping::kSoft);
        settings.threads = threads;
        return fallingDolls(settings, 8);
      },
      70, [&](const World& world) { softIslands += world.lastReport().softIslands; });
  EXPECT_GT(softIslands, 10);
}

TEST(SoftJoints, ARestoredWorld_ContinuesBitForBit) {
  World world = fallingDolls(stepped(Stepping::kSoft), 8);
  for (int i = 0; i < 50; ++i) world.step();
  World copy = fallingDolls(stepped(Stepping::kSoft), 8);
  copy.restore(world.save());
  int softIslands = 0;
  for (int i = 0; i < 30; ++i) {
    softIslands += world.step().softIslands;
    copy.step();
    ASSERT_EQ(world.observe().hash(), copy.observe().hash()) << "step " << i;
  }
  EXPECT_GT(softIslands, 10);
}

}  // namespace
}  // namespace drystone
