#include "viewer/app/report_history.h"

#include <gtest/gtest.h>

namespace drystone::viewer {
namespace {

StepReport reportOf(std::int64_t step, double milliseconds = 1) {
  StepReport report;
  report.step = step;
  report.times.step = milliseconds;
  return report;
}

TEST(ReportHistory, OneMoreThanItHolds_DropsTheOldest) {
  ReportHistory history;
  const auto capacity = static_cast<std::int64_t>(ReportHistory::kCapacity);
  for (std::int64_t step = 1; step <= capacity + 1; ++step) history.add(reportOf(step));
  EXPECT_EQ(history.size(), ReportHistory::kCapacity);
  EXPECT_EQ(history[0].step, 2);
  EXPECT_EQ(history.newest().step, capacity + 1);
}

TEST(ReportHistory, StepGoneBackTo_DropsAllAfterIt) {
  ReportHistory history;
  for (std::int64_t step = 1; step <= 10; ++step) history.add(reportOf(step));
  history.add(reportOf(7));
  EXPECT_EQ(history.size(), 7U);
  history.add(reportOf(8));
  ASSERT_EQ(history.size(), 8U);
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(history[i].step, static_cast<std::int64_t>(i) + 1);
}

TEST(ReportHistory, SameStepTwice_CountsOnce) {
  ReportHistory history;
  history.add(reportOf(1));
  history.add(reportOf(1));
  EXPECT_EQ(history.size(), 1U);
}

// Back and forward between two pictures: only the second computation of the step is seen.
TEST(ReportHistory, StepComputedAgain_HasItsNewFigures) {
  ReportHistory history;
  const auto capacity = static_cast<std::int64_t>(ReportHistory::kCapacity);
  for (std::int64_t step = 1; step <= capacity; ++step) history.add(reportOf(step, 2));
  history.add(reportOf(capacity, 9));
  EXPECT_EQ(history.newest().times.step, 9);
  EXPECT_EQ(history.size(), ReportHistory::kCapacity);
  EXPECT_EQ(history[0].step, 1);
}

TEST(ReportHistory, Spread_IsLastMeanAndLargest) {
  ReportHistory history;
  history.add(reportOf(1, 2));
  history.add(reportOf(2, 9));
  history.add(reportOf(3, 4));
  const Spread spread = spreadOf(history, [](const ReportSample& s) { return s.times.step; });
  EXPECT_DOUBLE_EQ(spread.now, 4);
  EXPECT_DOUBLE_EQ(spread.mean, 5);
  EXPECT_DOUBLE_EQ(spread.most, 9);
}

}  // namespace
}  // namespace drystone::viewer
