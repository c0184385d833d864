#include "viewer/window/plot_axis.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace drystone::viewer {
namespace {

PlotAxis axisOf(std::initializer_list<double> values, bool logarithmic) {
  PlotRange range(logarithmic);
  for (const double value : values) range.add(value);
  return range.axis();
}

TEST(PlotAxis, PositionAndValueAreInverse) {
  for (const PlotAxis& axis : {PlotAxis{-2, 6, false}, PlotAxis{1e-9, 1e2, true}}) {
    for (const double position : {0.0, 0.3, 1.0}) {
      EXPECT_NEAR(axis.position(axis.value(position)), position, 1e-12);
    }
  }
}

TEST(PlotRange, LogarithmicAxis_EndsAtDecadesAroundTheValues) {
  const PlotAxis axis = axisOf({3e-7, 0.02, -1, NAN, INFINITY}, true);
  EXPECT_NEAR(axis.low, 1e-7, 1e-19);
  EXPECT_NEAR(axis.high, 0.1, 1e-12);
}

// A residual of 0 is no residual of 1e-3, and the best of all.
TEST(PlotRange, ZerosOnALogarithmicAxis_StandAtItsFootBelowTheDecades) {
  const PlotAxis axis = axisOf({0, 3e-7, 0.02}, true);
  EXPECT_EQ(axis.position(0), 0);
  EXPECT_GT(axis.position(1e-7), 0.1);
  const std::vector<PlotTick> ticks = plotTicks(axis, 6);
  ASSERT_GE(ticks.size(), 3U);
  EXPECT_EQ(ticks[0].value, 0);
  EXPECT_EQ(ticks[0].label, "0");
  EXPECT_EQ(ticks[1].label, "1e-7");
  // Without zeros there is no such place.
  EXPECT_NE(plotTicks(axisOf({3e-7, 0.02}, true), 6)[0].label, "0");
}

TEST(PlotTicks, OfWholeNumbers_AreWhole) {
  for (const double high : {2.0, 3.0, 7.0, 40.0}) {
    for (const PlotTick& tick : plotTicks({1, high, false, true}, 6)) {
      EXPECT_EQ(tick.value, std::round(tick.value)) << high;
      EXPECT_EQ(tick.label.find('.'), std::string::npos) << tick.label;
    }
  }
  EXPECT_EQ(plotTicks({1, 2, false, true}, 6).size(), 2U);
}

TEST(PlotRange, LogarithmicAxis_ShowsTheLargestDecadesOnly) {
  PlotRange range(true);
  range.add(1e-300);
  range.add(1e-3);
  EXPECT_NEAR(range.axis(16).low / 1e-18, 1, 1e-9);
}

TEST(PlotRange, LinearAxisOfPositiveValues_BeginsAtZero) {
  const PlotAxis axis = axisOf({1, 4}, false);
  EXPECT_EQ(axis.low, 0);
  EXPECT_GT(axis.high, 4);
}

TEST(PlotRange, ValuesNearEachOtherAndFarFromZero_FillTheAxis) {
  const PlotAxis axis = axisOf({1000, 1001}, false);
  EXPECT_GT(axis.low, 998);
  EXPECT_LT(axis.high, 1003);
  EXPECT_LT(axis.low, 1000);
  EXPECT_GT(axis.high, 1001);
}

TEST(PlotRange, WithoutValuesOrWithOneOnly_TheAxisStillSpansSomething) {
  for (const bool logarithmic : {false, true}) {
    for (const PlotAxis& axis : {axisOf({}, logarithmic), axisOf({5}, logarithmic),
                                 axisOf({0}, logarithmic), axisOf({-3, -3}, logarithmic)}) {
      EXPECT_LT(axis.low, axis.high);
      EXPECT_TRUE(std::isfinite(axis.low) && std::isfinite(axis.high));
    }
  }
}

TEST(PlotTicks, AreInsideTheAxisAndToldApart) {
  for (const PlotAxis& axis :
       {PlotAxis{0, 1, false}, PlotAxis{-0.037, 0.12, false}, PlotAxis{99990, 100010, false},
        PlotAxis{1e-13, 1e-2, true}, PlotAxis{0.1, 1, true}, PlotAxis{0, 3e-7, false}}) {
    const auto ticks = plotTicks(axis, 4);
    ASSERT_GE(ticks.size(), 2U) << axis.low;
    EXPECT_LE(ticks.size(), 8U) << axis.low;
    std::set<std::string> labels;
    for (const PlotTick& tick : ticks) {
      EXPECT_GE(axis.position(tick.value), -1e-6);
      EXPECT_LE(axis.position(tick.value), 1 + 1e-6);
      labels.insert(tick.label);
      // A label says its value to better than half the way to the next one.
      EXPECT_NEAR(std::stod(tick.label), tick.value,
                  0.5 * std::abs(ticks[1].value - ticks[0].value) + 1e-300);
    }
    EXPECT_EQ(labels.size(), ticks.size()) << axis.low;
  }
}

}  // namespace
}  // namespace drystone::viewer
