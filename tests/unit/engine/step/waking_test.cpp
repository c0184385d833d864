// What wakes goes on as it rested: neither falling asleep nor waking up shows in the residual.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/support/worlds.h"
#include "tests/unit/engine/step/sleepers.h"

namespace drystone {
namespace {

/// A world of rest that may sleep: a stack of ten, or a small wall in running bond.
World resting(bool isWall) {
  WorldSettings settings;
  settings.sleeping.enabled = true;
  World world(settings, test::registry());
  test::addGround(world);
  if (!isWall) {
    test::addStack(world, 10);
    return world;
  }
  for (int layer = 0; layer < 6; ++layer) {
    for (int i = 0; i < 6; ++i) {
      const Real x = i + 0.5 * (layer % 2);
      test::addBody(world, Box{Vec3(0.5, 0.25, 0.25)}, 1, {Vec3(x, 0, 0.25 + 0.5 * layer)});
    }
  }
  return world;
}

class Waking : public testing::TestWithParam<bool> {};

TEST_P(Waking, LeavesNoMoreThanTheStepsBeforeSleep) {
  World world = resting(GetParam());
  Real before = 0;
  while (world.lastReport().asleepBodies == 0 && world.time() < 3) {
    world.step();
    if (world.time() > 0.2) before = std::max(before, world.lastReport().naturalMap);
  }
  ASSERT_GT(world.lastReport().asleepBodies, 0);
  // A thousandth of the tolerance: as warm starts are accepted.
  EXPECT_LE(before, 1e-9);
  for (int i = 0; i < 20; ++i) world.step();
  const BodyId top = world.bodies().back();
  const Vec3 rested = world.body(top).centerOfMass();
  world.body(top).wake();
  Real after = 0, fastest = 0;
  for (int i = 0; i < 20; ++i) {
    const StepReport& report = world.step();
    ASSERT_EQ(report.asleepBodies, 0) << "step " << i;
    // The impulses that it slept with hold it: no Newton step but what rest takes anyway.
    if (i == 0) {
      EXPECT_LE(report.iterations, 1);
    }
    after = std::max(after, report.naturalMap);
    fastest = std::max(fastest, report.maxSpeed);
  }
  EXPECT_LE(after, 1e-9);
  EXPECT_LE(fastest, 1e-7);
  EXPECT_NEAR((world.body(top).centerOfMass() - rested).norm(), 0, 1e-8);
}

INSTANTIATE_TEST_SUITE_P(World, Waking, testing::Bool(), [](const auto& parameter) {
  return parameter.param ? "OfAWall" : "OfAStack";
});

}  // namespace
}  // namespace drystone
