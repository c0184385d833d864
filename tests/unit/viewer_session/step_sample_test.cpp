// Figures of steps on their way to the window.
#include "viewer/session/step_sample.h"

#include <gtest/gtest.h>

namespace drystone::viewer {
namespace {

StepSample stepOf(std::int64_t step) {
  StepSample sample;
  sample.step = step;
  return sample;
}

TEST(StepSampleQueue, EveryStep_IsTakenOnce) {
  StepSampleQueue queue;
  for (std::int64_t step = 1; step <= 3; ++step) queue.push(stepOf(step));
  const StepSamples taken = queue.take();
  EXPECT_FALSE(taken.areAnew);
  ASSERT_EQ(taken.samples.size(), 3u);
  EXPECT_EQ(taken.samples[2].step, 3);
  EXPECT_TRUE(queue.take().samples.empty());
}

// A recording may begin at a later step than the scene before it had: its number tells nothing.
TEST(StepSampleQueue, StepsOfTheSceneBefore_AreForgotten) {
  StepSampleQueue queue;
  queue.push(stepOf(3));
  queue.startAnew();
  queue.push(stepOf(7));
  const StepSamples taken = queue.take();
  EXPECT_TRUE(taken.areAnew);
  ASSERT_EQ(taken.samples.size(), 1u);
  EXPECT_EQ(taken.samples[0].step, 7);
  EXPECT_FALSE(queue.take().areAnew);
}

// A hidden window takes nothing for hours.
TEST(StepSampleQueue, WhatNobodyTakes_StaysBounded) {
  StepSampleQueue queue;
  const auto count = static_cast<std::int64_t>(5 * StepSampleQueue::kMost + 7);
  for (std::int64_t step = 1; step <= count; ++step) queue.push(stepOf(step));
  const StepSamples taken = queue.take();
  EXPECT_GE(taken.samples.size(), StepSampleQueue::kMost);
  EXPECT_LE(taken.samples.size(), 2 * StepSampleQueue::kMost);
  EXPECT_EQ(taken.samples.back().step, count);
}

}  // namespace
}  // namespace drystone::viewer
