#include <gtest/gtest.h>

#include <cmath>

#include "core/random.h"
#include "solvers/linear/banded_cholesky.h"
#include "tests/support/matrices.h"

namespace drystone::test {
namespace {

/// Random, symmetric and diagonally dominant within the band: positive definite.
MatX randomBand(Random& random, int size, int bandwidth) {
  MatX a = MatX::Zero(size, size);
  for (int i = 0; i < size; ++i) {
    for (int j = std::max(0, i - bandwidth); j < i; ++j) a(i, j) = a(j, i) = random.uniform(-1, 1);
  }
  for (int i = 0; i < size; ++i) a(i, i) = 1 + a.row(i).cwiseAbs().sum();
  return a;
}

BandedCholesky factored(const MatX& a, int bandwidth) {
  BandedCholesky factor;
  const int size = static_cast<int>(a.rows());
  factor.begin(size, bandwidth);
  for (int j = 0; j < size; ++j) {
    for (int i = j; i < std::min(size, j + bandwidth + 1); ++i) factor.at(i, j) = a(i, j);
  }
  EXPECT_TRUE(factor.factor());
  return factor;
}

struct Shape {
  int size, bandwidth, count;
  friend void PrintTo(const Shape& s, std::ostream* out) {
    *out << s.size << " rows, band " << s.bandwidth << ", " << s.count << " right-hand sides";
  }
};

// Around the 8 to 48 rows of a block, the 192 of a tile and the two, four or eight columns of a
// panel, from diagonal to full.
class BandedShapes : public ::testing::TestWithParam<Shape> {};
INSTANTIATE_TEST_SUITE_P(Sizes, BandedShapes,
                         ::testing::Values(Shape{1, 0, 1}, Shape{5, 4, 3}, Shape{47, 0, 9},
                                           Shape{48, 3, 8}, Shape{49, 48, 7}, Shape{97, 20, 17},
                                           Shape{150, 60, 10}, Shape{201, 130, 2},
                                           Shape{610, 211, 12}, Shape{397, 396, 11}));

TEST_P(BandedShapes, OneAndManyRightHandSides_AreThoseOfADenseFactor) {
  const auto [size, bandwidth, count] = GetParam();
  Random random(size + 7);
  const MatX a = randomBand(random, size, bandwidth);
  const MatX right = MatX::NullaryExpr(size, count, [&] { return random.uniform(-1, 1); });
  const MatX expected = test::solveDenseColumns(a, right);
  BandedCholesky factor = factored(a, bandwidth);
  MatX many = right;
  factor.solveMany({many.data(), static_cast<std::size_t>(many.size())}, count, 1);
  EXPECT_LT((many - expected).cwiseAbs().maxCoeff(), 1e-13);
  for (int k = 0; k < count; ++k) {
    VecX one = right.col(k);
    factor.solve({one.data(), static_cast<std::size_t>(size)});
    EXPECT_LT((one - expected.col(k)).cwiseAbs().maxCoeff(), 1e-13);
  }
}

TEST(BandedCholesky, ManyRightHandSides_HaveTheSameBitsForAnyNumberOfThreads) {
  Random random(3);
  const MatX a = randomBand(random, 300, 70);
  const MatX right = MatX::NullaryExpr(300, 37, [&] { return random.uniform(-1, 1); });
  MatX first;
  for (const int threads : {1, 2, 5}) {
    BandedCholesky factor = factored(a, 70);
    MatX x = right;
    factor.solveMany({x.data(), static_cast<std::size_t>(x.size())}, 37, threads);
    if (threads == 1) first = x;
    EXPECT_EQ(x, first) << threads << " threads";
  }
}

// v vᵀ has rank one: every pivot after the first is round-off.
TEST(BandedCholesky, SingularMatrix_IsRefused) {
  for (const Real shift : {0.0, 1e-15}) {
    BandedCholesky factor;
    factor.begin(4, 3);
    for (int j = 0; j < 4; ++j) {
      for (int i = j; i < 4; ++i) factor.at(i, j) = (i + 1.0) * (j + 1.0) + (i == j ? shift : 0);
    }
    EXPECT_FALSE(factor.factor());
  }
}

TEST(BandedCholesky, SecondMatrix_ForgetsTheFirst) {
  Random random(5);
  BandedCholesky factor = factored(randomBand(random, 60, 9), 9);
  VecX right = VecX::Ones(120);
  factor.solveMany({right.data(), 120}, 2, 1);
  const MatX a = randomBand(random, 60, 9);
  factor.begin(60, 9);
  for (int j = 0; j < 60; ++j) {
    for (int i = j; i < std::min(60, j + 10); ++i) factor.at(i, j) = a(i, j);
  }
  ASSERT_TRUE(factor.factor());
  VecX x = VecX::Ones(120);
  factor.solveMany({x.data(), 120}, 2, 1);
  EXPECT_LT((a * x.head(60) - VecX::Ones(60)).norm(), 1e-12);
  EXPECT_LT((a * x.tail(60) - VecX::Ones(60)).norm(), 1e-12);
}

}  // namespace
}  // namespace drystone::test
