#include "solvers/prox/local_rolling_solve.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/random.h"

namespace drystone {
namespace {

using Vec5 = Eigen::Matrix<Real, 5, 1>;
using Mat5 = Eigen::Matrix<Real, 5, 5, Eigen::RowMajor>;

struct RollingContact {
  Mat5 w;
  Vec5 q;
  Real mu = 0, rolling = 0;
};

RollingContact drawRollingContact(Random& random) {
  RollingContact contact;
  Mat5 j;
  for (int i = 0; i < 25; ++i) j(i / 5, i % 5) = random.uniform(-1, 1);
  contact.w = 0.3 * j * j.transpose() + Mat5::Identity();
  const Real side = random.uniform() < 0.5 ? 1 : 0.1;  // slow sideways: friction may hold it
  for (int i = 0; i < 5; ++i) contact.q[i] = side * random.uniform(-1, 1);
  contact.q[0] = random.uniform(-1, 0);
  contact.mu = random.uniform(0, 1);
  contact.rolling = random.uniform(0, 0.5);
  return contact;
}

Vec5 solveRolling(const RollingContact& contact) {
  Vec5 lambda = Vec5::Zero();
  LocalRollingSolve(contact.w.data(), contact.mu, contact.rolling)
      .solve(contact.q.data(), lambda.data());
  return lambda;
}

/// By how much a pair of tangents misses ‖λ‖ ≤ bound, against its velocity where it is there.
Real discError(const Eigen::Vector2d& lambda, Real bound, const Eigen::Vector2d& velocity) {
  const Real length = lambda.norm();
  if (length < bound * (1 - 1e-9)) return velocity.norm();
  const Real excess = std::max<Real>(length - bound, 0);
  if (length == 0) return excess;
  return excess + (velocity + velocity.norm() / length * lambda).norm();
}

Real rollingLawError(const RollingContact& contact, const Vec5& lambda) {
  const Vec5 u = contact.w * lambda + contact.q;
  if (lambda[0] == 0) return std::max<Real>(-u[0], 0) + lambda.norm();
  return std::abs(u[0]) + discError(lambda.segment<2>(1), contact.mu * lambda[0], u.segment<2>(1)) +
         discError(lambda.tail<2>(), contact.rolling * lambda[0], u.tail<2>());
}

TEST(LocalRollingSolve, ObeysTheLawsOfNormalFrictionAndRolling) {
  Random random(5);
  int sliding = 0, rolling = 0, held = 0;
  for (int i = 0; i < 500; ++i) {
    const RollingContact contact = drawRollingContact(random);
    const Vec5 lambda = solveRolling(contact);
    EXPECT_LE(rollingLawError(contact, lambda), 1e-8) << i;
    if (lambda[0] == 0) continue;
    const bool slides = lambda.segment<2>(1).norm() > contact.mu * lambda[0] * (1 - 1e-9);
    const bool rolls = lambda.tail<2>().norm() > contact.rolling * lambda[0] * (1 - 1e-9);
    sliding += slides ? 1 : 0;
    rolling += rolls ? 1 : 0;
    held += !slides && !rolls ? 1 : 0;
  }
  EXPECT_GT(sliding, 20);
  EXPECT_GT(rolling, 20);
  EXPECT_GT(held, 20);
}

TEST(LocalRollingSolve, InOtherUnits_HasTheSameAnswer) {
  Random random(6);
  for (int i = 0; i < 100; ++i) {
    const RollingContact contact = drawRollingContact(random);
    RollingContact scaled = contact;
    scaled.w *= 1024;           // 1/kg
    scaled.q *= 1.0 / 1048576;  // m/s
    const Vec5 lambda = solveRolling(contact) / 1073741824.0;
    EXPECT_EQ(solveRolling(scaled), lambda) << i;
  }
}

TEST(LocalRollingSolve, WithTurnedTangents_HasTheTurnedAnswer) {
  Random random(7);
  for (int i = 0; i < 100; ++i) {
    const RollingContact contact = drawRollingContact(random);
    const Eigen::Rotation2D<Real> turn(random.uniform(-3, 3));
    Mat5 turned = Mat5::Identity();
    turned.block<2, 2>(1, 1) = turn.toRotationMatrix();
    turned.block<2, 2>(3, 3) = turn.toRotationMatrix();
    RollingContact other = contact;
    other.w = turned * contact.w * turned.transpose();
    other.q = turned * contact.q;
    const Vec5 expected = turned * solveRolling(contact);
    EXPECT_LE((solveRolling(other) - expected).norm(), 1e-8 * (1 + expected.norm())) << i;
  }
}

// Friction of next to nothing beside a large load: its last bits must not count.
TEST(LocalRollingSolve, WithRowsOfRoundOff_EndsAtTheLaw) {
  RollingContact contact;
  contact.w = Mat5::Identity();
  contact.w(0, 1) = contact.w(1, 0) = 0.3;
  contact.q << -1, 0.3, 1e-17, 0, 1e-18;  // sticks at λ_t = 0 to round-off
  contact.mu = 0.5;
  contact.rolling = 0.1;
  const Vec5 lambda = solveRolling(contact);
  EXPECT_LE(rollingLawError(contact, lambda), 1e-13);
}

}  // namespace
}  // namespace drystone
