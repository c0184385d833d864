// Figures that are not finite must show in what a run reports.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>

#include "apps/support/csv_values.h"
#include "apps/support/json_values.h"
#include "apps/support/samples.h"

namespace drystone::cli {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Samples samplesOf(std::initializer_list<double> values) {
  Samples samples;
  for (const double value : values) samples.add(value);
  return samples;
}

TEST(Samples, MaximumOfNaN_IsNaNWhereverItStands) {
  EXPECT_TRUE(std::isnan(samplesOf({kNaN, 1, 2}).max()));
  EXPECT_TRUE(std::isnan(samplesOf({1, kNaN, 2}).max()));
  EXPECT_TRUE(std::isnan(samplesOf({1, 2, kNaN}).max()));
}

TEST(Samples, NaN_IsAboveInfinityAndTheRestKeepsItsOrder) {
  const Samples samples = samplesOf({3, kNaN, 1, std::numeric_limits<double>::infinity(), 2});
  EXPECT_TRUE(std::isnan(samples.quantile(1)));
  EXPECT_EQ(samples.median(), 3);  // the third of 1, 2, 3, inf, NaN
  EXPECT_EQ(samples.min(), 1);
}

TEST(Samples, QuantilesOfNumbers_AreLinearBetweenOrderStatistics) {
  const Samples samples = samplesOf({4, 1, 3, 2});
  EXPECT_EQ(samples.median(), 2.5);
  EXPECT_EQ(samples.max(), 4);
  EXPECT_NEAR(samples.quantile(0.99), 3.97, 1e-15);  // 0.97 of the way from 3 to 4
}

/// The numbers 0, 1, 2, ... in this order.
Samples ramp(std::int64_t count) {
  Samples samples;
  for (std::int64_t i = 0; i < count; ++i) samples.add(static_cast<double>(i));
  return samples;
}

TEST(Samples, AsManyAsAreKept_HaveExactQuantiles) {
  const Samples samples = ramp(Samples::kMostKept);
  EXPECT_EQ(samples.median(), (Samples::kMostKept - 1) / 2.0);
  EXPECT_EQ(samples.quantile(1), Samples::kMostKept - 1.0);
}

TEST(Samples, EightTimesAsMany_KeepEveryEighthOneAndTheRestExactly) {
  constexpr std::int64_t kCount = 8 * Samples::kMostKept;
  const Samples samples = ramp(kCount);
  EXPECT_EQ(samples.count(), kCount);
  EXPECT_EQ(samples.max(), kCount - 1.0);
  EXPECT_EQ(samples.last(), kCount - 1.0);
  EXPECT_EQ(samples.mean(), (kCount - 1) / 2.0);
  EXPECT_EQ(samples.min(), 0);
  EXPECT_EQ(samples.median(), (kCount - 8) / 2.0);
  EXPECT_EQ(samples.quantile(1), kCount - 8.0);
}

TEST(OutputNumbers, NaN_IsNullInJsonAndOneWordInCsv) {
  EXPECT_EQ(jsonText(Json{{"x", kNaN}}), "{\n  \"x\": null\n}\n");
  EXPECT_EQ(csvNumber(kNaN), "nan");
  // What 0/0 gives on x86 has its sign bit set.
  EXPECT_EQ(csvNumber(std::copysign(kNaN, -1)), "nan");
}

}  // namespace
}  // namespace drystone::cli
