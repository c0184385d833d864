// What waits for a long step, in words.
#include "viewer/session/command_queue.h"

#include <gtest/gtest.h>

namespace drystone::viewer {
namespace {

TEST(Waiting, NothingAskedFor_SaysNothing) {
  const Waiting waiting = waitingOf({});
  EXPECT_EQ(waiting.text, "");
  EXPECT_FALSE(waiting.playing.has_value());
}

TEST(Waiting, StepsAskedForOneByOne_AreAdded) {
  EXPECT_EQ(waitingOf({StepBy{1}}).text, "step");
  EXPECT_EQ(waitingOf({StepBy{1}, StepBy{1}, StepBy{1}}).text, "3 steps");
  EXPECT_EQ(waitingOf({StepBy{-1}}).text, "step back");
  EXPECT_EQ(waitingOf({StepBy{1}, StepBy{-1}, StepBy{-1}, StepBy{-1}}).text, "2 steps back");
  EXPECT_EQ(waitingOf({StepBy{1}, StepBy{-1}}).text, "");
  EXPECT_EQ(waitingOf({StepBy{2}, Throw{}, StepBy{1}}).text, "2 steps, throw, step");
}

TEST(Waiting, LastOfRunAndPause_Decides) {
  EXPECT_EQ(waitingOf({Pause{}, Play{}}).playing, true);
  EXPECT_EQ(waitingOf({Play{}, Pause{}}).playing, false);
  EXPECT_EQ(waitingOf({Play{}, StepBy{1}}).playing, false);
  EXPECT_FALSE(waitingOf({Restart{}, Throw{}}).playing.has_value());
}

// The spring is moved with every picture, and what it needs is asked for by the window itself.
TEST(Waiting, WhatNobodyAskedForByAKey_IsLeftOut) {
  EXPECT_EQ(waitingOf({Drag{}, Drag{}, Release{}, Measure{}, CancelRace{}}).text, "");
  EXPECT_EQ(waitingOf({SetSolver{{.name = "nsgs"}}, Open{.path = "wall"}, GoToStep{7}}).text,
            "solver nsgs, open wall, back to step 7");
}

TEST(Waiting, TheSameTwice_IsSaidOnce) {
  EXPECT_EQ(waitingOf({Throw{}, Throw{}, Restart{}}).text, "throw, restart");
}

}  // namespace
}  // namespace drystone::viewer
