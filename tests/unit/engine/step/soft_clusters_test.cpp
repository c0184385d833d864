// Soft steps with condensed joints: without joints they are those of bodies, and joints hold.
#include "engine/step/soft_clusters.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "solvers/problem/problem_ops.h"
#include "tests/support/problem_builder.h"

namespace drystone {
namespace {

constexpr Real kClusterStep = 1.0 / 60, kClusterPush = 1;

/// Spheres of 1 and 2 kg that fall, the first on the ground and the others each on the one before.
struct Column {
  test::ProblemBuilder builder{FrictionModel::kCone};
  StoredProblem stored;
  ContactProblem view;
  std::vector<Vec6> old, free;
  std::vector<Real> fixed, restitution, gap, average, lambda;
  std::vector<RowState> state;
  std::vector<Vec6> way;

  Column() {
    for (int i = 0; i < 3; ++i) {
      const Vec6 fall = test::twist({0.3 * i, 0.1, -1}, {0, 0.5, 0.2});
      old.push_back(fall);
      free.push_back(fall + test::ProblemBuilder::fallingFreely());
      builder.addSphere(1 + i % 2, 0.5, {0.1 * i, 0, 0.5 + i}, free.back());
    }
  }
  void addContacts() {
    for (int i = 0; i < 3; ++i) {
      builder.addContact(i - 1, i, {0.1 * i - 0.05, 0, 1.0 * i}, Vec3::UnitZ(), 0.5);
    }
  }
  SoftInput input() {
    stored = builder.build();
    fixed.assign(stored.b.size(), 0);
    restitution.assign(stored.b.size(), 0);
    for (const ProblemBlock& block : stored.blocks) {
      for (int row = block.firstRow; row < block.firstRow + block.rows; ++row) {
        stored.b[row] = along(block, row, free);
      }
      const bool isContact = block.law == BlockLaw::kContact;
      gap.push_back(isContact ? -1e-3 : 0);
      average.push_back(isContact ? 0.02 : 0);
      if (isContact && block.bodyA < 0) restitution[block.firstRow] = -0.4;
    }
    lambda.assign(stored.b.size(), 0);
    for (const ProblemBlock& block : stored.blocks) {
      if (block.law == BlockLaw::kContact) lambda[block.firstRow] = 0.1;
    }
    state.assign(stored.b.size(), RowState::kUnknown);
    way.assign(old.size(), Vec6::Zero());
    view = stored.view();
    return {view, kClusterStep, kClusterPush, gap, average, fixed, restitution, old, free};
  }
  /// J of a row times a motion of the bodies.
  Real along(const ProblemBlock& block, int row, const std::vector<Vec6>& motion) const {
    Real sum = 0;
    if (block.bodyA >= 0) sum += stored.jacobianA[row].dot(motion[block.bodyA]);
    if (block.bodyB >= 0) sum += stored.jacobianB[row].dot(motion[block.bodyB]);
    return sum;
  }
  /// w of all rows at λ.
  std::vector<Real> velocities() const {
    std::vector<Vec6> bodies(old.size());
    std::vector<Real> w(lambda.size());
    constraintVelocity(stored.view(), lambda, bodies, w);
    return w;
  }
};

TEST(SoftClusters, WithoutJoints_AreTheSweepsOfBodies) {
  Column column;
  column.addContacts();
  const SoftInput input = column.input();
  std::vector<Real> lambda = column.lambda;
  std::vector<Vec6> way = column.way;
  SoftWorkspace work;
  softSweeps(input, work, lambda, way);
  SoftClusters clusters;
  ASSERT_TRUE(clusters.begin(input.problem, 1e-9));
  ASSERT_TRUE(clusters.sweep(input, column.lambda, column.state, column.way));
  for (std::size_t row = 0; row < lambda.size(); ++row) {
    EXPECT_NEAR(column.lambda[row], lambda[row], 1e-12) << row;
  }
  for (std::size_t i = 0; i < way.size(); ++i) {
    EXPECT_LT((column.way[i] - way[i]).norm(), 1e-13) << i;
  }
  EXPECT_GT(lambda[0], 0.1);
}

TEST(SoftClusters, Locks_HoldInVelocityAndOverTheWay) {
  Column column;
  column.builder.addBallJoint(0, 1, {0, 0, 1});
  column.builder.addHinge(1, 2, {0.1, 0, 2}, Vec3::UnitX());
  column.addContacts();
  const SoftInput input = column.input();
  SoftClusters clusters;
  ASSERT_TRUE(clusters.begin(input.problem, 1e-9));
  ASSERT_TRUE(clusters.sweep(input, column.lambda, column.state, column.way));
  const std::vector<Real> w = column.velocities();
  Real pressed = 0;
  for (const ProblemBlock& block : column.stored.blocks) {
    if (block.law == BlockLaw::kContact) {
      pressed += column.lambda[block.firstRow];
      continue;
    }
    for (int row = block.firstRow; row < block.firstRow + block.rows; ++row) {
      EXPECT_NEAR(w[row], 0, 1e-12) << row;
      EXPECT_NEAR(column.along(block, row, column.way), 0, 1e-14) << row;
      EXPECT_EQ(column.state[row], RowState::kFree);
    }
  }
  EXPECT_GT(pressed, 1);  // the weight and the fall of all three: 4 kg
}

TEST(SoftClusters, ABoundedRow_StopsItsBodiesOrGivesItsMost) {
  for (const Real most : {1e-3, 10.0}) {
    Column column;
    column.builder.addBallJoint(0, 1, {0, 0, 1});
    column.builder.addAngularRow(0, 1, Vec3::UnitX(), -most, most);
    column.old[1].tail<3>() += Vec3(3, 0, 0);
    column.free[1].tail<3>() += Vec3(3, 0, 0);
    column.addContacts();
    const SoftInput input = column.input();
    SoftClusters clusters;
    ASSERT_TRUE(clusters.begin(input.problem, 1e-9));
    ASSERT_TRUE(clusters.sweep(input, column.lambda, column.state, column.way));
    if (most < 1) {
      EXPECT_EQ(column.lambda[3], -most);
      EXPECT_EQ(column.state[3], RowState::kLower);
    } else {
      EXPECT_NEAR(column.velocities()[3], 0, 1e-6);
      EXPECT_LT(std::abs(column.lambda[3]), most);
      EXPECT_EQ(column.state[3], RowState::kFree);
    }
  }
}

TEST(SoftClusters, ACorrection_MovesTheLocksByTheError) {
  Column column;
  column.builder.addBallJoint(0, 1, {0, 0, 1});
  column.builder.addBallJoint(1, 2, {0.1, 0, 2});
  column.addContacts();
  const SoftInput input = column.input();
  SoftClusters clusters;
  ASSERT_TRUE(clusters.begin(input.problem, 1e-9));
  ASSERT_TRUE(clusters.sweep(input, column.lambda, column.state, column.way));
  std::vector<Real> error(column.lambda.size(), 0);
  for (int row = 0; row < 6; ++row) error[row] = 1e-3 * (row + 1);
  clusters.correct(error, column.way);
  for (int row = 0; row < 6; ++row) {
    EXPECT_NEAR(column.along(column.stored.blocks[row / 3], row, column.way), -error[row], 1e-13);
  }
}

TEST(SoftClusters, AClusterUnderTooManyContacts_IsNotForSweeps) {
  Column column;
  column.builder.addBallJoint(0, 1, {0, 0, 1});
  for (int i = 0; i < 60; ++i) column.addContacts();
  SoftClusters clusters;
  EXPECT_FALSE(clusters.begin(column.input().problem, 1e-9));
}

}  // namespace
}  // namespace drystone
