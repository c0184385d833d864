// The color range of residuals that follows them.
#include "viewer/window/residual_range.h"

#include <gtest/gtest.h>

#include <vector>

namespace drystone::viewer {
namespace {

ResidualRange after(std::initializer_list<std::vector<Real>> steps, Real tolerance = 1e-12) {
  ResidualRange range;
  for (const std::vector<Real>& step : steps) range.take(step, tolerance);
  return range;
}

void expectDecades(const ResidualRange& range, Real low, Real high) {
  EXPECT_NEAR(range.low() / low, 1, 1e-9);
  EXPECT_NEAR(range.high() / high, 1, 1e-9);
}

TEST(ResidualRange, IsWholeDecadesAroundTheResiduals) {
  expectDecades(after({{3e-8, 2e-5}}), 1e-8, 1e-4);
  expectDecades(after({{0, 3e-8, NAN, 2e-5, INFINITY}}), 1e-8, 1e-4);
}

TEST(ResidualRange, HasAtLeastTwoDecadesAndAtMostSix) {
  expectDecades(after({{2e-7}}), 1e-8, 1e-6);
  expectDecades(after({{1e-15, 2e-3}}), 1e-8, 1e-2);
}

TEST(ResidualRange, WidensAtOnceAndNarrowsOnlyByTwoDecades) {
  expectDecades(after({{3e-8, 2e-5}, {3e-8, 2e-4}}), 1e-8, 1e-3);
  expectDecades(after({{3e-8, 2e-5}, {3e-7, 2e-6}}), 1e-8, 1e-4);
  expectDecades(after({{3e-8, 2e-5}, {3e-8, 2e-7}}), 1e-8, 1e-6);
}

// What is within the tolerance must not look as bad as what is not.
TEST(ResidualRange, EndsAtTheToleranceOrAbove) {
  expectDecades(after({{1e-10, 2e-9}}, 1e-6), 1e-10, 1e-6);
  expectDecades(after({{1e-15, 2e-14}}, 1e-6), 1e-12, 1e-6);
  expectDecades(after({{1e-8, 2e-4}}, 1e-6), 1e-8, 1e-3);
  expectDecades(after({{1e-10, 2e-9}}, 2e-7), 1e-10, 1e-6);
}

TEST(ResidualRange, StepWithoutAny_LeavesIt) {
  expectDecades(after({{3e-8, 2e-5}, {}, {0, 0}}), 1e-8, 1e-4);
}

}  // namespace
}  // namespace drystone::viewer
