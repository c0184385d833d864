#include "viewer/session/pacing.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace drystone::viewer {
namespace {

using std::chrono::duration;
using std::chrono::milliseconds;

/// A run on a clock that only the test moves.
class PacedRun {
 public:
  explicit PacedRun(double speed) {
    pacing.setSpeed(speed);
    pacing.start(0.01, now);
  }
  /// Does what is due until `end` has passed; a step of 0.01 s takes `cost`.
  void runFor(milliseconds length, milliseconds cost) {
    const auto end = now + length;
    while (now < end) {
      now = std::max(now, pacing.due());
      now += cost;
      ++steps;
      pacing.stepped(0.01, 0.01, now);
    }
  }
  Pacing pacing;
  Pacing::Time now{std::chrono::hours(1)};
  int steps = 0;
};

TEST(Pacing, CheapSteps_FollowTheClockTimesTheSpeed) {
  // 2 s at a quarter of real time are 0.5 s: 50 steps of 0.01 s.
  PacedRun run(0.25);
  run.runFor(milliseconds(2000), milliseconds(1));
  EXPECT_NEAR(run.steps, 50, 1);
  EXPECT_NEAR(run.pacing.achievedSpeed(), 0.25, 0.03);
}

TEST(Pacing, StepsSlowerThanRealTime_RunSlowerAndSaySo) {
  // A step of 0.01 s takes 40 ms: a quarter of real time, and never more than kMostLag behind.
  PacedRun run(1);
  run.runFor(milliseconds(4000), milliseconds(40));
  EXPECT_NEAR(run.pacing.achievedSpeed(), 0.25, 1e-12);
  EXPECT_GE(run.pacing.due(), run.now - Pacing::kMostLag);
  // Once steps are cheap again it catches up 0.1 s, and no more: 10 steps beside the 100 of 1 s.
  run.steps = 0;
  run.runFor(milliseconds(1000), milliseconds(0));
  EXPECT_NEAR(run.steps, 110, 2);
}

TEST(Pacing, ShortDelay_IsCaughtUp) {
  PacedRun run(1);
  run.runFor(milliseconds(500), milliseconds(1));
  run.now += milliseconds(50);
  run.runFor(milliseconds(450), milliseconds(1));
  EXPECT_NEAR(run.steps, 100, 1);
}

TEST(Pacing, StepsOfUnequalLength_AreDueAtTheirTimes) {
  Pacing pacing;
  const Pacing::Time start{std::chrono::hours(1)};
  pacing.start(0.5, start);
  EXPECT_EQ(pacing.due() - start, milliseconds(500));
  pacing.stepped(0.5, 0.25, pacing.due());
  EXPECT_EQ(pacing.due() - start, milliseconds(750));
}

TEST(Pacing, InfiniteSpeed_IsAlwaysDue) {
  PacedRun run(std::numeric_limits<double>::infinity());
  run.runFor(milliseconds(100), milliseconds(1));
  EXPECT_EQ(run.steps, 100);
}

TEST(Pacing, TinySpeed_StaysOnTheClock) {
  PacedRun run(1e-300);
  run.pacing.stepped(0.01, 0.01, run.now);
  EXPECT_GT(run.pacing.due(), run.now);
  EXPECT_LE(run.pacing.due(), run.now + std::chrono::hours(2));
}

TEST(Pacing, Stopped_AchievesNothing) {
  PacedRun run(1);
  run.runFor(milliseconds(500), milliseconds(1));
  EXPECT_GT(run.pacing.achievedSpeed(), 0.9);
  run.pacing.stop();
  EXPECT_EQ(run.pacing.achievedSpeed(), 0);
}

}  // namespace
}  // namespace drystone::viewer
