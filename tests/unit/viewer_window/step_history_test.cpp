#include "viewer/window/step_history.h"

#include <gtest/gtest.h>

namespace drystone::viewer {
namespace {

StepSample stepOf(std::int64_t step, double milliseconds = 1) {
  StepSample sample;
  sample.step = step;
  sample.times.step = milliseconds;
  return sample;
}

TEST(StepHistory, OneMoreThanItHolds_DropsTheOldest) {
  StepHistory history;
  const auto capacity = static_cast<std::int64_t>(StepHistory::kCapacity);
  for (std::int64_t step = 1; step <= capacity + 1; ++step) history.add(stepOf(step));
  EXPECT_EQ(history.size(), StepHistory::kCapacity);
  EXPECT_EQ(history[0].step, 2);
  EXPECT_EQ(history.newest().step, capacity + 1);
}

TEST(StepHistory, StepGoneBackTo_DropsAllAfterIt) {
  StepHistory history;
  for (std::int64_t step = 1; step <= 10; ++step) history.add(stepOf(step));
  history.add(stepOf(7));
  EXPECT_EQ(history.size(), 7U);
  history.add(stepOf(8));
  ASSERT_EQ(history.size(), 8U);
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(history[i].step, static_cast<std::int64_t>(i) + 1);
}

// Back at the start nothing is left to plot, and the start itself has no figures.
TEST(StepHistory, StateThatAllBeganWith_DropsAllAndIsNoStep) {
  StepHistory history;
  for (std::int64_t step = 4; step <= 10; ++step) history.add(stepOf(step));
  StepSample start = stepOf(3);
  start.isDone = false;
  history.add(start);
  EXPECT_TRUE(history.empty());
}

TEST(StepHistory, SameStepTwice_CountsOnce) {
  StepHistory history;
  history.add(stepOf(1));
  history.add(stepOf(1));
  EXPECT_EQ(history.size(), 1U);
}

// Back and forward between two pictures: only the second computation of the step is seen.
TEST(StepHistory, StepComputedAgain_HasItsNewFigures) {
  StepHistory history;
  const auto capacity = static_cast<std::int64_t>(StepHistory::kCapacity);
  for (std::int64_t step = 1; step <= capacity; ++step) history.add(stepOf(step, 2));
  history.add(stepOf(capacity, 9));
  EXPECT_EQ(history.newest().times.step, 9);
  EXPECT_EQ(history.size(), StepHistory::kCapacity);
  EXPECT_EQ(history[0].step, 1);
}

TEST(StepHistory, Spread_IsLastMeanAndLargest) {
  StepHistory history;
  history.add(stepOf(1, 2));
  history.add(stepOf(2, 9));
  history.add(stepOf(3, 4));
  const Spread spread = spreadOf(history, [](const StepSample& s) { return s.times.step; });
  EXPECT_DOUBLE_EQ(spread.now, 4);
  EXPECT_DOUBLE_EQ(spread.mean, 5);
  EXPECT_DOUBLE_EQ(spread.most, 9);
}

}  // namespace
}  // namespace drystone::viewer
