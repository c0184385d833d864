#include "solvers/problem/small_matrix.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/random.h"
#include "solvers/problem/contact_problem.h"

namespace drystone {
namespace {

using ByRows = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

ByRows randomMatrix(Random& random, int rows, int columns) {
  ByRows a(rows, columns);
  for (Real& entry : a.reshaped()) entry = random.uniform(-1, 1);
  return a;
}

ByRows inverseOf(const ByRows& a) {
  ByRows inverse(a.rows(), a.rows());
  const auto count = static_cast<std::size_t>(a.size());
  pseudoInverse({a.data(), count}, static_cast<int>(a.rows()), {inverse.data(), count});
  return inverse;
}

// The four conditions of Penrose, for every rank: A A⁺ A = A, A⁺ A A⁺ = A⁺, and A A⁺ and A⁺ A are
// symmetric. A product of random factors has condition numbers up to 1e5: ε times that.
TEST(PseudoInverse, OfEveryRank_MeetsTheConditionsOfPenrose) {
  Random random(5);
  for (int rows = 1; rows <= kMaxBlockRows; ++rows) {
    for (int rank = 1; rank <= rows; ++rank) {
      for (int trial = 0; trial < 50; ++trial) {
        const ByRows a = randomMatrix(random, rows, rank) * randomMatrix(random, rank, rows);
        const ByRows inverse = inverseOf(a);
        const ByRows left = inverse * a, right = a * inverse;
        const Real condition = a.norm() * inverse.norm();
        ASSERT_LE(condition, 1e6);  // a round-off taken for a singular value would make it 1e16
        const Real tolerance = 1e-14 * condition;
        EXPECT_LE((a * left - a).norm(), tolerance * a.norm());
        EXPECT_LE((left * inverse - inverse).norm(), tolerance * inverse.norm());
        EXPECT_LE((left - left.transpose()).norm(), tolerance);
        EXPECT_LE((right - right.transpose()).norm(), tolerance);
        EXPECT_NEAR(left.trace(), rank, 1e-8);  // a projection on as many directions
      }
    }
  }
}

// Three equal rows share an impulse of 6 as 2 + 2 + 2: A = 1 1ᵀ, A⁺ = 1 1ᵀ / 9.
TEST(PseudoInverse, RowsThatRepeatEachOther_ShareEvenly) {
  const ByRows a = ByRows::Ones(3, 3);
  EXPECT_LE((inverseOf(a) - a / 9).norm(), 1e-15);
}

TEST(PseudoInverse, SmallSingularValues_AreKept) {
  ByRows a = ByRows::Zero(2, 2);
  a.diagonal() << 1, 1e-12;
  EXPECT_NEAR(inverseOf(a)(1, 1), 1e12, 1);
}

TEST(PseudoInverse, OfNothing_IsNothing) { EXPECT_EQ(inverseOf(ByRows::Zero(4, 4)).norm(), 0); }

// Squares of entries of 1e±200 are no numbers.
TEST(PseudoInverse, InAnyUnit_IsTheSame) {
  Random random(6);
  const ByRows a = randomMatrix(random, 6, 6);
  const ByRows inverse = inverseOf(a);
  for (const Real unit : {1e-200, 1e200}) {
    EXPECT_LE((inverseOf(unit * a) * unit - inverse).norm(), 1e-12 * inverse.norm());
  }
}

Real largestOf(ByRows a) {
  return largestEigenvalueInPlace({a.data(), static_cast<std::size_t>(a.size())},
                                  static_cast<int>(a.rows()));
}

// Q diag(d) Qᵀ with a random reflection of any size, values that repeat, negative ones, and any
// unit.
TEST(LargestEigenvalueInPlace, KnownEigenvalues_AreFound) {
  Random random(7);
  for (int rows = 1; rows <= kMaxBlockRows; ++rows) {
    const ByRows v = randomMatrix(random, rows, 1);
    const ByRows q = ByRows::Identity(rows, rows) - 2 / v.squaredNorm() * v * v.transpose();
    for (const Real unit : {1e-200, 1.0, 1e200}) {
      VecX values = VecX::Constant(rows, -3);
      const auto matrix = [&] { return ByRows(q * (unit * values).asDiagonal() * q.transpose()); };
      EXPECT_NEAR(largestOf(matrix()) / unit, -3, 1e-14);
      values.head((rows + 1) / 2).setConstant(2);
      EXPECT_NEAR(largestOf(matrix()) / unit, 2, 1e-14);
    }
    EXPECT_EQ(largestOf(ByRows::Zero(rows, rows)), 0);
  }
}

TEST(LargestEigenvalueInPlace, OfWhatIsNotFinite_IsNaN) {
  const Real infinity = std::numeric_limits<Real>::infinity();
  for (const Real bad : {std::nan(""), infinity, -infinity}) {
    ByRows a = ByRows::Zero(4, 4);
    a.diagonal() << 1, bad, 2, 3;
    EXPECT_TRUE(std::isnan(largestOf(a))) << bad;
  }
}

}  // namespace
}  // namespace drystone
