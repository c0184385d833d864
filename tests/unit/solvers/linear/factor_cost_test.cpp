// What a factor costs, by the graph of the bodies alone.
#include "solvers/linear/factor_cost.h"

#include <gtest/gtest.h>

#include "tests/support/problem_builder.h"

namespace drystone {
namespace {

/// Balls that touch in rows of `size` along each of the first `axes` axes, the lowest on the
/// ground.
StoredProblem grid(int size, int axes, Real mass = 1) {
  test::ProblemBuilder builder(FrictionModel::kCone);
  const int strides[] = {1, size, size * size};
  int count = 1;
  for (int axis = 0; axis < axes; ++axis) count *= size;
  for (int i = 0; i < count; ++i) {
    builder.addSphere(mass, 0.5, Vec3(i / size % size, i / (size * size), i % size));
  }
  const Vec3 directions[] = {Vec3::UnitZ(), Vec3::UnitX(), Vec3::UnitY()};
  for (int i = 0; i < count; ++i) {
    const Vec3 centre(i / size % size, i / (size * size), i % size);
    if (i % size == 0) builder.addContact(-1, i, centre - 0.5 * Vec3::UnitZ(), Vec3::UnitZ(), 0.5);
    for (int axis = 0; axis < axes; ++axis) {
      if (i / strides[axis] % size == size - 1) continue;
      builder.addContact(i, i + strides[axis], centre + 0.5 * directions[axis], directions[axis],
                         0.5);
    }
  }
  return builder.build();
}

Real sweepsOf(const StoredProblem& stored) {
  FactorCost cost;
  cost.count(stored.view());
  return cost.inSweeps();
}

TEST(FactorCost, AChain_CostsThreeSweepsHoweverLong) {
  // Three products of two blocks a link, and no block is filled in.
  EXPECT_NEAR(sweepsOf(grid(100, 1)), 3, 0.05);
  EXPECT_NEAR(sweepsOf(grid(1000, 1)), 3, 0.005);
}

TEST(FactorCost, BodiesThatFillSpace_CostMoreSweepsTheMoreTheyAre) {
  const Real few = sweepsOf(grid(4, 3)), many = sweepsOf(grid(8, 3));
  // Eight times as many bodies: n² products against n contacts.
  EXPECT_GT(many, 4 * few);
  EXPECT_GT(many, 20);
}

TEST(FactorCost, IsThatOfTheGraphAlone) {
  EXPECT_EQ(sweepsOf(grid(4, 3)), sweepsOf(grid(4, 3, 7)));
}

TEST(FactorCost, ASecondGraph_IsCountedAnew) {
  FactorCost cost;
  const StoredProblem first = grid(4, 3), second = grid(64, 1);  // as many bodies
  cost.count(first.view());
  cost.count(second.view());
  EXPECT_EQ(cost.inSweeps(), sweepsOf(second));
  cost.count(first.view());
  EXPECT_EQ(cost.inSweeps(), sweepsOf(first));
}

TEST(FactorCost, WhatTheMemoryDoesNotHold_CostsWithoutEnd) {
  FactorCost cost(10);
  const StoredProblem stored = grid(4, 3);
  cost.count(stored.view());
  EXPECT_FALSE(cost.fits());
  EXPECT_EQ(cost.inSweeps(), kInfinity);
}

}  // namespace
}  // namespace drystone
