// The integrations that the study of validation compares with.
#include "bench/studies/validation/ode.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace drystone::bench {
namespace {

/// x'' = -x as a circle: (cos t, -sin t) from (1, 0).
VecX circleRate(Real, const VecX& y) { return VecX{{y[1], -y[0]}}; }

Real circleError(int steps) {
  const VecX end = rungeKutta(circleRate, VecX{{1.0, 0.0}}, 1, steps);
  return (end - VecX{{std::cos(1.0), -std::sin(1.0)}}).norm();
}

TEST(RungeKutta, HalvedSteps_DivideTheErrorBySixteen) {
  // 3 % for the terms of the next order at 16 steps.
  EXPECT_NEAR(circleError(16) / circleError(32), 16, 0.5);
}

TEST(RungeKutta, TimeInTheRate_IsThatOfTheStages) {
  // ∫ 4 t³ dt = t⁴: Simpson's rule, which the method then is, is exact to the third power.
  const auto rate = [](Real t, const VecX&) { return VecX{{4 * t * t * t}}; };
  EXPECT_NEAR(rungeKutta(rate, VecX::Zero(1), 2, 3)[0], 16, 1e-13);
}

TEST(Integrate, HalvesUntilTheEndStays) {
  const OdeSolution turn = integrate(circleRate, VecX{{1.0, 0.0}}, 2 * std::numbers::pi);
  EXPECT_TRUE(turn.converged());
  // A halving that changes the end by 1e-10 leaves a fifteenth of that.
  EXPECT_NEAR((turn.state - VecX{{1.0, 0.0}}).norm(), 0, 1e-11);
}

TEST(Integrate, WhatDoesNotConverge_HasNoEnd) {
  // It reaches infinity at t = 1.
  const auto explodes = [](Real, const VecX& y) { return VecX{{y[0] * y[0]}}; };
  EXPECT_TRUE(std::isnan(integrate(explodes, VecX{{1.0}}, 2).end()[0]));
}

TEST(TimeOfEvent, IsThatOfTheZero_AndNoneWhereThereIsNone) {
  const auto height = [](const VecX& y) { return y[0]; };
  const VecX top{{1.0, 0.0}};
  EXPECT_NEAR(timeOfEvent(circleRate, top, height, 3, 1000), std::numbers::pi / 2, 1e-11);
  EXPECT_TRUE(std::isnan(timeOfEvent(circleRate, top, height, 1.5, 1000)));
}

}  // namespace
}  // namespace drystone::bench
