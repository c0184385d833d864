// Soft sweeps on one ball over the ground, whose every sub-step can be told in advance.
#include "engine/step/soft_sweeps.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/support/constants.h"
#include "tests/support/problem_builder.h"

namespace drystone {
namespace {

using test::kGravity;

constexpr Real kBallStep = 1.0 / 60;
constexpr Real kBallFriction = 0.5, kBallMass = 2, kBallRadius = 0.5;

/// A ball and what it had before the step: one contact below it.
struct BallOnGround {
  Vec6 old = Vec6::Zero();
  Real gap = 0, average = 0, maxPush = 1;
  Vec3 restitution = Vec3::Zero();
  std::vector<Real> lambda = {0, 0, 0};
  Vec6 way = Vec6::Zero();

  Vec6 free() const {
    Vec6 u = old;
    u[2] -= kGravity * kBallStep;
    return u;
  }
  /// Takes a step. Returns u⁺.
  Vec6 step() {
    test::ProblemBuilder builder(FrictionModel::kCone);
    builder.addSphere(kBallMass, kBallRadius, Vec3(0, 0, kBallRadius), free());
    builder.addContact(-1, 0, Vec3::Zero(), Vec3::UnitZ(), kBallFriction);
    const StoredProblem stored = builder.build();
    const std::vector<Real> gaps = {gap}, averages = {average}, fixed(3, 0);
    const std::vector<Real> bounce = {restitution.x(), 0, 0};
    const std::vector<Vec6> before = {old}, after = {free()};
    std::vector<Vec6> moved = {Vec6::Zero()};
    SoftWorkspace work;
    softSweeps({stored.view(), kBallStep, maxPush, gaps, averages, fixed, bounce, before, after},
               work, lambda, moved);
    way = moved[0];
    Vec6 u = free();
    for (int row = 0; row < 3; ++row) {
      u.head<3>() += stored.bodies[0].inverseMass * stored.jacobianB[row].head<3>() * lambda[row];
      u.tail<3>() +=
          stored.bodies[0].inverseInertia * stored.jacobianB[row].tail<3>() * lambda[row];
    }
    return u;
  }
};

TEST(SoftSweeps, ABallAtRest_IsHeldByItsWeight) {
  BallOnGround ball;
  const Real weight = kBallMass * kGravity * kBallStep;
  ball.lambda = {weight, 0, 0};
  ball.average = weight;
  EXPECT_NEAR(ball.step().norm(), 0, 1e-12);
  EXPECT_NEAR(ball.lambda[0], weight, 1e-12);
  // It sinks by 3e-6 m a step without memory, and by a twentieth of that with it.
  EXPECT_LT(std::abs(ball.way[2]), 3e-7);
}

TEST(SoftSweeps, ABallWithoutMemory_StopsAndSinksALittle) {
  BallOnGround ball;
  EXPECT_NEAR(ball.step().norm(), 0, 1e-12);
  EXPECT_NEAR(ball.lambda[0], kBallMass * kGravity * kBallStep, 1e-12);
  EXPECT_LE(ball.way[2], 0);
  EXPECT_GT(ball.way[2], -1e-3);
}

TEST(SoftSweeps, AGap_IsClosedAndNotPassed) {
  BallOnGround ball;
  ball.old[2] = -4;
  ball.gap = 0.02;  // a third of the way of the step
  const Vec6 after = ball.step();
  EXPECT_NEAR(after[2], 0, 1e-9);
  EXPECT_NEAR(ball.way[2], -ball.gap, 1e-3);
}

TEST(SoftSweeps, AWideGap_IsNoContact) {
  BallOnGround ball;
  ball.old[2] = -4;
  ball.gap = 0.2;
  EXPECT_NEAR(ball.step()[2], -4 - kGravity * kBallStep, 1e-12);
  // Constant acceleration in eight sub-steps, each at the velocity of its end.
  EXPECT_NEAR(ball.way[2], -4 * kBallStep - kGravity * kBallStep * kBallStep * 9 / 16, 1e-12);
}

TEST(SoftSweeps, ABallThatBounces_LeavesAsFastAsAsked) {
  BallOnGround ball;
  ball.old[2] = -4;
  ball.restitution.x() = -2;
  EXPECT_NEAR(ball.step()[2], 2, 1e-12);
}

TEST(SoftSweeps, AnOverlap_IsPushedOutNoFasterThanAllowedAndLeavesNoVelocity) {
  BallOnGround ball;
  ball.gap = -0.1;
  ball.maxPush = 0.5;
  const Vec6 after = ball.step();
  EXPECT_NEAR(after[2], 0, 1e-9);
  EXPECT_GT(ball.way[2], 0.5 * ball.maxPush * kBallStep);
  EXPECT_LE(ball.way[2], ball.maxPush * kBallStep);
}

TEST(SoftSweeps, ASlidingBall_IsBrakedByTheConeAlone) {
  BallOnGround ball;
  ball.old.head<3>() = Vec3(3, 4, 0);
  ball.step();
  const Real normal = ball.lambda[0], tangent = std::hypot(ball.lambda[1], ball.lambda[2]);
  EXPECT_GT(normal, 0);
  EXPECT_NEAR(tangent, kBallFriction * normal, 1e-12);
}

TEST(SoftSweeps, Friction_StopsTheSlipOfABallThatLands) {
  BallOnGround ball;
  ball.old << 1, 0, -1, 0, 1, 0;  // slips at 1 - 1 · 0.5 m/s
  const Vec6 after = ball.step();
  EXPECT_NEAR(after[0] - after[4] * kBallRadius, 0, 1e-9);
  EXPECT_LT(after[0], 1);
  EXPECT_GT(after[4], 1);
}

}  // namespace
}  // namespace drystone
