// The algebra of one contact: the path, its derivative and the steps along it.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "solvers/pivoting/cone_pair.h"

namespace drystone::test {
namespace {

constexpr Real kFriction = 0.4;
constexpr Real kStep = 2;  // ρ [kg]

ConePair pairAt(Real m) {
  return {0, kFriction, kStep, m, Vec3(1, 0.3, -0.1), Vec3(-0.2, 0.5, 0.7)};
}

/// (μ λ_n, λ_t) and (a + √(‖u_t‖² + a²), u_t).
Vec3 xOf(const Vec3& lambda) { return {kFriction * lambda[0], lambda[1], lambda[2]}; }
Vec3 yOf(const Vec3& u) {
  const Real a = u[0] / kFriction;
  return {a + std::hypot(u[1], u[2], a), u[1], u[2]};
}

// x ∘ y = m e: the first entry is x·y, the others are x_n y_t + y_n x_t.
TEST(ConePair, Start_IsOnThePath) {
  for (const Real m : {1e-8, 1e-2, 10.0}) {
    const ConePair pair = pairAt(m);
    const Vec3 x = xOf(pair.impulse()), y = yOf(pair.velocity());
    EXPECT_NEAR(x.dot(y), m, 1e-12 * (1 + x.norm() * y.norm()));
    for (int i = 1; i < 3; ++i) EXPECT_NEAR(x[0] * y[i] + y[0] * x[i], 0, 1e-12 * (1 + m));
    EXPECT_NEAR(pair.productAfter(0), m, 1e-6 * m + 1e-13);
  }
}

// For m → 0 the start is what the projection of x − ρ y on the cone takes and leaves: u = w where
// it opens, λ where it sticks.
TEST(ConePair, StartForSmallM_IsTheProjection) {
  const ConePair open(0, kFriction, kStep, 1e-14, Vec3(0, 0, 0), Vec3(1, 0.1, 0));
  EXPECT_LT(open.impulse().norm(), 1e-6);
  EXPECT_NEAR((open.velocity() - Vec3(1, 0.1, 0)).norm(), 0, 1e-6);
  const ConePair sticks(0, kFriction, kStep, 1e-14, Vec3(1, 0.1, 0.2), Vec3(0, 0, 0));
  EXPECT_NEAR((sticks.impulse() - Vec3(1, 0.1, 0.2)).norm(), 0, 1e-6);
  EXPECT_LT(sticks.velocity().norm(), 1e-6);
}

// Θ takes λ to u (y is homogeneous in u), and Rᵀ Θ C is diagonal.
TEST(ConePair, Theta_TakesTheImpulseToTheVelocity) {
  ConePair pair = pairAt(0.05);
  pair.follow(Vec3(0.1, -0.02, 0.03), Vec3(0.05, 0.1, -0.2));
  pair.move(1);  // off the path
  pair.scale();
  EXPECT_NEAR((pair.applyTheta(pair.impulse()) - pair.velocity()).norm(), 0, 1e-12);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const ConePair::Unknown row = pair.unknown(i), column = pair.unknown(j);
      const Real value = row.equation.dot(pair.applyTheta(column.column));
      EXPECT_NEAR(value, i == j ? row.weight : 0, 1e-12) << i << j;
    }
  }
}

// A step that solves Θ dλ + du = pull − u is a Newton step on x ∘ y = target e: what it leaves is
// of second order, so that a tenth of it leaves a hundredth.
TEST(ConePair, StepTowardsATarget_LeavesTheSecondOrder) {
  const auto left = [](Real share) {
    ConePair pair = pairAt(0.05);
    const Real target = 0.05 * (1 - share);
    pair.scale();
    pair.aim(target, false);
    // Any λ step; u follows.
    const Vec3 impulseStep = share * Vec3(0.1, -0.05, 0.07);
    pair.follow(impulseStep, pair.pull() - pair.velocity() - pair.applyTheta(impulseStep));
    pair.move(1);
    const Vec3 x = xOf(pair.impulse()), y = yOf(pair.velocity());
    return std::abs(x.dot(y) - target) + std::abs(x[0] * y[1] + y[0] * x[1]);
  };
  EXPECT_NEAR(left(0.01) / left(0.1), 0.01, 0.003);
}

// The first share of a step at which λ is on its cone or u_n is 0.
TEST(ConePair, LongestStep_EndsAtTheBoundary) {
  ConePair pair = pairAt(0.05);
  pair.follow(Vec3(-0.1, 0.5, 0.2), Vec3::Zero());
  Vec3 x = xOf(pair.impulse() + pair.longestStep() * Vec3(-0.1, 0.5, 0.2));
  EXPECT_NEAR(std::hypot(x[1], x[2]), x[0], 1e-12);
  pair.follow(Vec3::Zero(), -2 * pair.velocity());
  EXPECT_NEAR(pair.longestStep(), 0.5, 1e-12);
  pair.follow(Vec3(1, 0, 0), Vec3(1, 0, 0));
  EXPECT_EQ(pair.longestStep(), std::numeric_limits<Real>::infinity());
}

}  // namespace
}  // namespace drystone::test
