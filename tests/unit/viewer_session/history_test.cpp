#include "viewer/session/history.h"

#include <gtest/gtest.h>

namespace drystone::viewer {
namespace {

void add(History& history, std::int64_t step, std::size_t bytes = 100) {
  history.next().step = step;
  history.next().state.assign(bytes, static_cast<std::byte>(step));
  history.add();
}

TEST(History, BeyondItsSteps_ForgetsTheOldest) {
  History history({.bytes = 1 << 20, .steps = 5});
  for (int step = 0; step < 12; ++step) add(history, step);
  EXPECT_EQ(history.firstStep(), 7);
  EXPECT_EQ(history.lastStep(), 11);
  for (int step = 7; step <= 11; ++step) {
    history.goTo(step);
    EXPECT_EQ(history.present().step, step);
    EXPECT_EQ(history.present().state.front(), static_cast<std::byte>(step));
  }
}

TEST(History, BeyondItsBytes_ForgetsTheOldest) {
  // 10 kB a step and some 1.2 kB for its report: 9 steps fit into 105 kB.
  History history({.bytes = 105'000, .steps = 1000});
  for (int step = 0; step < 50; ++step) add(history, step, 10'000);
  EXPECT_EQ(history.lastStep(), 49);
  EXPECT_EQ(history.firstStep(), 41);
}

TEST(History, StepLargerThanAllBytes_IsKeptAlone) {
  History history({.bytes = 10, .steps = 1000});
  for (int step = 0; step < 3; ++step) {
    add(history, step);
    EXPECT_EQ(history.firstStep(), step);
    EXPECT_EQ(history.lastStep(), step);
  }
}

TEST(History, StepAddedInThePast_ForgetsWhatWasAfterIt) {
  History history({.bytes = 1 << 20, .steps = 5});
  for (int step = 0; step < 7; ++step) add(history, step);
  history.goTo(3);
  add(history, 4);
  EXPECT_EQ(history.firstStep(), 2);
  EXPECT_EQ(history.lastStep(), 4);
  EXPECT_EQ(history.present().step, 4);
}

TEST(History, StepsUndoneAgainAndAgain_LeaveTheirBytesFree) {
  History history({.bytes = 105'000, .steps = 1000});
  for (int round = 0; round < 20; ++round) {
    for (int step = 0; step < 5; ++step) {
      if (round > 0 && step == 0) continue;
      add(history, step, 10'000);
    }
    EXPECT_EQ(history.firstStep(), 0);
    EXPECT_EQ(history.lastStep(), 4);
    history.goTo(0);
  }
}

TEST(History, FullHistory_UsesTheMemoryOfForgottenSteps) {
  History history({.bytes = 1 << 20, .steps = 3});
  for (int step = 0; step < 5; ++step) add(history, step, 1000);
  EXPECT_GE(history.next().state.capacity(), 1000u);
}

}  // namespace
}  // namespace drystone::viewer
