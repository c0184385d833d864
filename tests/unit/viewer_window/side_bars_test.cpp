#include "viewer/window/style.h"

#include <gtest/gtest.h>

namespace drystone::viewer {
namespace {

TEST(SideBars, InAWideWindow_AreAsTheLayoutHasThem) {
  const SideBars bars = sideBarsOf(Layout(), 1280, 1);
  EXPECT_EQ(bars.left, 300);
  EXPECT_EQ(bars.right, 310);
  EXPECT_FALSE(bars.isOne);
}

TEST(SideBars, WhereBothFitNarrower_BothAreThere) {
  for (const float width : {800.0f, 720.0f, 848.0f}) {
    const SideBars bars = sideBarsOf(Layout(), width, 1);
    EXPECT_FALSE(bars.isOne) << width;
    EXPECT_GE(bars.left, 220) << width;
    EXPECT_GE(bars.right, 220) << width;
    EXPECT_GE(width - bars.left - bars.right, 240) << width;
  }
}

TEST(SideBars, WhereTwoDoNotFit_OneHasAllSections) {
  for (const float width : {640.0f, 480.0f, 320.0f}) {
    const SideBars bars = sideBarsOf(Layout(), width, 1);
    EXPECT_TRUE(bars.isOne) << width;
    EXPECT_GE(bars.left, 220) << width;
    EXPECT_GE(width - bars.left, 100) << width;
    EXPECT_EQ(bars.right, 0) << width;
  }
}

TEST(SideBars, OnAFineScreen_TakeTheirPoints) {
  const SideBars bars = sideBarsOf(Layout(), 1600, 2);
  const SideBars coarse = sideBarsOf(Layout(), 800, 1);
  EXPECT_EQ(bars.left, 2 * coarse.left);
  EXPECT_EQ(bars.right, 2 * coarse.right);
}

// Of the usual window: 1280 x 720, of which the time bar has 44 points in height.
TEST(SideBars, Folded_LeaveThreeQuartersOfTheWindowToTheScene) {
  const SideBars bars = sideBarsOf({.foldLeft = true, .foldRight = true}, 1280, 1);
  EXPECT_GT(bars.left, 0) << "the button that opens it";
  EXPECT_GT(bars.right, 0);
  EXPECT_GT((1280 - bars.left - bars.right) * (720 - 44), 0.75F * 1280 * 720);
  const SideBars one = sideBarsOf({.foldLeft = true}, 1280, 1);
  EXPECT_EQ(one.left, bars.left);
  EXPECT_EQ(one.right, 310) << "the other stays as it was";
  const SideBars narrow = sideBarsOf({.foldLeft = true}, 480, 1);
  EXPECT_TRUE(narrow.isOne);
  EXPECT_EQ(narrow.left, bars.left);
}

TEST(SideBars, Hidden_LeaveAllToTheScene) {
  const SideBars bars = sideBarsOf({.panels = false}, 1280, 1);
  EXPECT_EQ(bars.left, 0);
  EXPECT_EQ(bars.right, 0);
}

// One that was drawn very wide does not push the other out.
TEST(SideBars, WidestLeft_LeavesTheRightOneItsLeast) {
  const SideBars bars = sideBarsOf({.left = 1000, .right = 180}, 1000, 1);
  EXPECT_GE(bars.right, 220);
  EXPECT_GE(1000 - bars.left - bars.right, 240);
}

}  // namespace
}  // namespace drystone::viewer
