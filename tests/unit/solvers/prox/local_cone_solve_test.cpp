#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/random.h"
#include "solvers/prox/local_cone_solve.h"

namespace drystone {
namespace {

/// By how much (λ, w = W λ + q) misses Coulomb's law, relative to the size of what cancels in it.
Real coulombError(const Mat3& w, Real mu, const Vec3& q, const Vec3& lambda) {
  const Vec3 u = w * lambda + q;
  const Real speed = q.norm() + w.norm() * lambda.norm();
  const Real slip = u.tail<2>().norm();
  const Real friction = lambda.tail<2>().norm();
  if (lambda[0] == 0) return std::max<Real>(0, -u[0]) / speed + friction;
  Real error = std::abs(u[0]) / speed;
  if (friction < mu * lambda[0] * (1 - 1e-12)) return std::max(error, slip / speed);
  error = std::max(error, (friction - mu * lambda[0]) / lambda.norm());
  if (friction == 0) return error;
  return std::max(error, (u.tail<2>() + slip / friction * lambda.tail<2>()).norm() / speed);
}

Vec3 solveLocal(const Mat3& w, Real mu, const Vec3& q, Real* slip = nullptr) {
  const Eigen::Matrix<Real, 3, 3, Eigen::RowMajor> rowMajor = w;
  Vec3 lambda = Vec3::Zero();
  Real s = 0;
  LocalConeSolve(rowMajor.data(), mu).solve(q.data(), lambda.data(), slip ? *slip : s);
  return lambda;
}

/// W = J diag(1, 1, thinness) Jᵀ plus a skew part, at a scale of 1e-8 … 1e8; μ from 0 to 10.
struct RandomContact {
  Mat3 w;
  Vec3 q;
  Real mu;
};

RandomContact drawContact(Random& random, Real thinness, Real skewness) {
  const auto drawMatrix = [&] {
    Mat3 m;
    for (int i = 0; i < 9; ++i) m(i / 3, i % 3) = random.uniform(-1, 1);
    return m;
  };
  const Mat3 j = drawMatrix(), skew = drawMatrix();
  RandomContact contact;
  contact.w = j * Vec3(1, 1, thinness).asDiagonal() * j.transpose();
  contact.w += skewness * contact.w.trace() * (skew - skew.transpose());
  contact.w *= std::pow(10, random.uniform(-8, 8));
  contact.q = Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
  contact.q *= std::pow(10, random.uniform(-8, 8));
  contact.q[0] *= std::pow(10, random.uniform(-6, 0));
  contact.mu = random.uniform() < 0.1 ? 0 : std::pow(10, random.uniform(-3, 1));
  return contact;
}

TEST(LocalConeSolve, OpenContact_TakesNoImpulse) {
  EXPECT_EQ(solveLocal(Mat3::Identity(), 0.5, {0.1, 3, -2}), Vec3::Zero());
  EXPECT_EQ(solveLocal(Mat3::Identity(), 0.5, {0, 3, -2}), Vec3::Zero());
}

TEST(LocalConeSolve, Stick_StopsTheContactAtOnce) {
  // W = 2: λ = −q/2 = (1, -0.2, 0.1), inside the cone of μ = 0.5 since 0.2236 < 0.5.
  const Vec3 lambda = solveLocal(2 * Mat3::Identity(), 0.5, {-2, 0.4, -0.2});
  EXPECT_NEAR((lambda - Vec3(1, -0.2, 0.1)).norm(), 0, 1e-15);
}

TEST(LocalConeSolve, SlipOnIsotropicBlock_FrictionOpposesTheVelocity) {
  // W = 1: λ_n = 1, and friction of length μ λ_n = 0.5 against q_t = (3, 4): λ_t = −(0.3, 0.4).
  // What is left, w_t = (2.7, 3.6), is s = 9 times as long as λ_t.
  Real slip = 0;
  const Vec3 lambda = solveLocal(Mat3::Identity(), 0.5, {-1, 3, 4}, &slip);
  EXPECT_NEAR((lambda - Vec3(1, -0.3, -0.4)).norm(), 0, 1e-14);
  EXPECT_NEAR(slip, 9, 1e-12);
}

TEST(LocalConeSolve, NoFriction_NormalOnly) {
  const Vec3 lambda = solveLocal(4 * Mat3::Identity(), 0, {-1, 3, 4});
  EXPECT_EQ(lambda, Vec3(0.25, 0, 0));
}

// Both tangents move the same: w_t = (λ_t1 + λ_t2) (1, 1) + q_t. Stick under 0.4 (1, 1): of all λ_t
// with λ_t1 + λ_t2 = −0.4 the shortest. Slip: μ λ_n = 0.1 along (1, 1) leaves 0.4 − 0.2/√2 each, so
// that s = √2 (0.4 − 0.2/√2)/0.1 = 4√2 − 2. Under 0.4 (1, −1) no impulse slows the slip down.
TEST(LocalConeSolve, RedundantTangents_ShareTheFriction) {
  Mat3 w = Mat3::Identity();
  w(1, 2) = w(2, 1) = 1;
  Real slip = 0;
  const Vec3 sticks = solveLocal(w, 0.5, {-1, 0.4, 0.4}, &slip);
  EXPECT_NEAR((sticks - Vec3(1, -0.2, -0.2)).norm(), 0, 1e-15);
  EXPECT_EQ(slip, 0);
  const Real half = 0.1 / std::sqrt(2);
  const Vec3 slips = solveLocal(w, 0.1, {-1, 0.4, 0.4}, &slip);
  EXPECT_NEAR((slips - Vec3(1, -half, -half)).norm(), 0, 1e-15);
  EXPECT_NEAR(slip, 4 * std::sqrt(2) - 2, 1e-13);
  const Vec3 free = solveLocal(w, 0.1, {-1, 0.4, -0.4});
  EXPECT_NEAR((free - Vec3(1, -half, half)).norm(), 0, 1e-15);
}

// W = v vᵀ: one motion for all three rows. Under q = −v/2 the normal alone stops it, λ = 1/2.
TEST(LocalConeSolve, BlockOfRankOne_NeedsNoFriction) {
  const Vec3 v(1, 0.3, -0.7);
  const Vec3 lambda = solveLocal(v * v.transpose(), 0.4, -0.5 * v);
  EXPECT_NEAR((lambda - Vec3(0.5, 0, 0)).norm(), 0, 1e-15);
}

TEST(LocalConeSolve, RandomBlocks_SolvedToRoundOff) {
  // Also nearly flat, gyroscopically unsymmetric, tiny and huge ones. Each entry of w is a sum of
  // four products: some tens of roundings, times the condition of the root in s.
  Random random(1);
  for (const Real thinness : {1.0, 1e-4, 1e-8, 1e-15, 0.0}) {
    for (const Real skewness : {0.0, 1e-3, 1e-2}) {
      for (int i = 0; i < 5000; ++i) {
        const RandomContact contact = drawContact(random, thinness, skewness);
        const Vec3 lambda = solveLocal(contact.w, contact.mu, contact.q);
        ASSERT_LT(coulombError(contact.w, contact.mu, contact.q, lambda), 1e-11)
            << "thinness " << thinness << " skewness " << skewness << " draw " << i;
      }
    }
  }
}

TEST(LocalConeSolve, SlipGuess_DoesNotMatterForTheAnswer) {
  Random random(2);
  for (int i = 0; i < 2000; ++i) {
    // At μ ≤ 1 on a well-conditioned block there is one solution.
    const Mat3 w = Mat3::Identity() + 0.1 * drawContact(random, 1, 0).w.normalized();
    const Vec3 q(-random.uniform(), random.uniform(-3, 3), random.uniform(-3, 3));
    const Vec3 cold = solveLocal(w, 0.4, q);
    Real guess = std::pow(10, random.uniform(-5, 5));
    EXPECT_LT((solveLocal(w, 0.4, q, &guess) - cold).norm(), 1e-12 * cold.norm()) << i;
  }
}

TEST(LocalConeSolve, HopelessBlocks_GiveFiniteImpulsesInTheCone) {
  // Nothing moves; only the tangents move; indefinite; velocities beyond all scales.
  Mat3 tangentsOnly = Mat3::Identity();
  tangentsOnly(0, 0) = 0;
  const Mat3 indefinite = Vec3(1, -1, -2).asDiagonal();
  for (const Mat3& w : {Mat3(Mat3::Zero()), tangentsOnly, indefinite}) {
    for (const Vec3& q : {Vec3(-1, 2, 3), Vec3(-1e-300, 1e10, 0), Vec3(-1, 0, 0)}) {
      const Vec3 lambda = solveLocal(w, 0.7, q);
      EXPECT_TRUE(lambda.allFinite());
      EXPECT_LE(lambda.tail<2>().norm(), 0.7 * lambda[0] * (1 + 1e-12));
    }
  }
}

}  // namespace
}  // namespace drystone
