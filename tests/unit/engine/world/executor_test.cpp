// Worlds whose loops run on threads of the host program.
#include "core/executor.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <vector>

#include "core/input_error.h"
#include "engine/world/world.h"
#include "tests/support/async_executor.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

/// Stacks apart from each other, so that islands are solved side by side.
World stacks(int threads) {
  WorldSettings settings = test::settingsFor("sor-prox");
  settings.threads = threads;
  World world(settings, test::registry());
  test::addGround(world);
  for (int i = 0; i < 8; ++i) {
    test::addUnitBox(world, {3.0 * i, 0, 0.5});
    test::addUnitBox(world, {3.0 * i + 0.1, 0, 1.5 + 0.1 * i}, {0.5, 0, -1});
  }
  return world;
}

TEST(WorldExecutor, OfAnyKind_HasTheBitsOfOneThread) {
  const auto async = std::make_shared<test::AsyncExecutor>();
  std::vector<std::shared_ptr<Parallel>> executors = {async, makeThreadPool()};
  if (makeOpenMp()) executors.push_back(makeOpenMp());
  World one = stacks(1);
  std::vector<World> others;
  for (const std::shared_ptr<Parallel>& executor : executors) {
    others.push_back(stacks(3));
    others.back().setExecutor(executor);
  }
  for (int step = 1; step <= 40; ++step) {
    one.step();
    for (std::size_t i = 0; i < others.size(); ++i) {
      others[i].step();
      ASSERT_EQ(others[i].observe().hash(), one.observe().hash())
          << "executor " << i << ", step " << step;
    }
  }
  EXPECT_GT(async->loops, 40);
  EXPECT_EQ(async->mostThreads, 3);
  EXPECT_GT(one.lastReport().contacts, 30);
}

TEST(WorldExecutor, Null_GivesTheLoopsBack) {
  const auto executor = std::make_shared<test::AsyncExecutor>();
  World world = stacks(2);
  world.setExecutor(executor);
  world.step();
  const int loops = executor->loops;
  EXPECT_GT(loops, 0);
  world.setExecutor(nullptr);
  EXPECT_EQ(executor.use_count(), 1) << "kept by the world";
  world.step();
  EXPECT_EQ(executor->loops, loops);
}

TEST(WorldExecutor, OfOneWorld_IsNotThatOfAnother) {
  const auto executor = std::make_shared<test::AsyncExecutor>();
  World world = stacks(2), other = stacks(2);
  world.setExecutor(executor);
  world.step();
  const int loops = executor->loops;
  EXPECT_GT(loops, 0);
  other.step();
  EXPECT_EQ(executor->loops, loops);
}

TEST(WorldExecutor, CastsManyRays) {
  const auto executor = std::make_shared<test::AsyncExecutor>();
  World world = stacks(1);
  world.setExecutor(executor);
  const std::vector<Ray> rays(2000, Ray{{0, 0, 5}, {0, 0, -5}});
  std::vector<std::optional<BodyHit>> hits(rays.size());
  world.queries().rayCasts(rays, hits, 2);
  EXPECT_EQ(executor->loops, 1);
  for (const std::optional<BodyHit>& hit : hits) ASSERT_TRUE(hit);
}

// Stays what it was when it is given one that offers no thread.
TEST(WorldExecutor, WithoutThreads_IsRefused) {
  const auto executor = std::make_shared<test::AsyncExecutor>();
  World world = stacks(2);
  world.setExecutor(executor);
  EXPECT_THROW(world.setExecutor(std::make_shared<test::AsyncExecutor>(0)), InputError);
  world.step();
  EXPECT_GT(executor->loops, 0);
}

// The report says how many threads were at work, whoever they are.
TEST(WorldExecutor, StageTimes_CountItsThreads) {
  World world = stacks(2);
  world.setExecutor(std::make_shared<test::AsyncExecutor>());
  for (int step = 0; step < 3; ++step) world.step();
  const StageTime& solve = world.lastReport().times[StepStage::kSolve];
  EXPECT_GT(solve.wall, 0);
  EXPECT_NE(solve.busy, solve.wall) << "loops were not timed";
}

}  // namespace
}  // namespace drystone
