#include "viewer/window/plot.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace drystone::viewer {
namespace {

// Block pivoting that is rescued counts from 1 again, or from 0: the line must not run back.
TEST(ConvergenceLine, SolverThatCountsAnew_GoesOnToTheRight) {
  const ResidualHistory::Entry entries[] = {{1, 1e-1}, {2, 1e-2}, {3, 1e-2}, {1, 1},
                                            {2, 1e-3}, {0, 2},    {1, 1e-9}};
  const PlotLine line = convergenceLine(entries);
  EXPECT_EQ(line.x, (std::vector<double>{1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(line.y, (std::vector<double>{1e-1, 1e-2, 1e-2, 1, 1e-3, 2, 1e-9}));
}

TEST(ConvergenceLine, SolverThatReportsEveryTenth_KeepsItsCount) {
  const ResidualHistory::Entry entries[] = {{10, 1}, {20, 0.5}, {30, 0}};
  const PlotLine line = convergenceLine(entries);
  EXPECT_EQ(line.x, (std::vector<double>{10, 20, 30}));
  EXPECT_EQ(line.y.back(), 0) << "a residual of 0 is plotted as such";
}

// Times of single runs are those of the machine as well: 5 iterations cannot take longer than 8.
TEST(RaceLine, ByTime_NeverRunsBack) {
  const RaceEntry entry{.points = {{1, 0.2, 1}, {2, 0.9, 0.5}, {3, 0.4, 0.6}, {5, 0.8, 0.1}}};
  const PlotLine line = raceLine(entry, 0, true);
  EXPECT_EQ(line.x, (std::vector<double>{0.2, 0.4, 0.4, 0.8}));
  EXPECT_EQ(line.y, (std::vector<double>{1, 0.5, 0.6, 0.1})) << "residuals as judged";
  EXPECT_TRUE(std::ranges::is_sorted(line.x));
}

TEST(RaceLine, ByIteration_HasEveryPointWhereItIs) {
  const RaceEntry entry{.points = {{0, 0.2, 0}, {2, 0.1, 0.5}}};
  EXPECT_EQ(raceLine(entry, 0, false).x, (std::vector<double>{1, 2}));
}

}  // namespace
}  // namespace drystone::viewer
