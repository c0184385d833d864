#include "solvers/krylov/threshold_cholesky.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/matrices.h"

namespace drystone::test {
namespace {

using Kind = PreconditionerKind;

TEST(ThresholdCholesky, NothingDropped_IsTheWholeFactor) {
  PreconditionerSettings s = plainSettings(Kind::kIct);
  s.dropTolerance = 0;
  s.fillCap = kUnlimited;
  for (const RowOrder order : {RowOrder::kNatural, RowOrder::kRcm, RowOrder::kAmd}) {
    s.order = order;
    for (const MatX& a : {laplacian(6), kershaw(), randomGram(40, 3, 1e-2, 2)}) {
      const auto m = factored(s, a);
      const MatX identity = MatX::Identity(a.rows(), a.rows());
      EXPECT_LT(largest(inverseOf(*m, static_cast<int>(a.rows())) * a - identity), 1e-11);
      EXPECT_EQ(m->statistics().shifts, 0);
    }
  }
}

// Row and column 14 hold four entries of L and some of its fill.
TEST(ThresholdCholesky, RowsThatAreOut_TakeNoRoom) {
  PreconditionerSettings s = plainSettings(Kind::kIct);
  s.dropTolerance = 0;
  std::vector<std::uint8_t> isOut(36, 0);
  isOut[14] = 1;
  EXPECT_LT(factored(s, laplacian(6), isOut)->statistics().fill,
            factored(s, laplacian(6))->statistics().fill - 4);
}

TEST(ThresholdCholesky, EverythingDropped_IsTheDiagonal) {
  PreconditionerSettings s = plainSettings(Kind::kIct);
  s.dropTolerance = 1;
  const auto m = factored(s, laplacian(4));
  EXPECT_EQ(m->statistics().fill, 16);
  EXPECT_EQ(inverseOf(*m, 16), MatX(0.25 * MatX::Identity(16, 16)));
}

/// Column by column: entries below ε ‖a_j‖ go, and all but the `most` largest.
MatX denseThresholdFactor(MatX a, Real tolerance, int most) {
  const int size = static_cast<int>(a.rows());
  const MatX given = a;
  MatX made = MatX::Zero(size, size);
  for (int j = 0; j < size; ++j) {
    VecX column = VecX::Zero(size);
    column.tail(size - j) = a.col(j).tail(size - j);
    const Real least = tolerance * given.col(j).tail(size - j).norm();
    for (int i = j + 1; i < size; ++i) {
      const Real value = std::abs(column[i]);
      int larger = 0;
      for (int k = j + 1; k < size; ++k) larger += std::abs(a(k, j)) > value ? 1 : 0;
      if (value < least || larger >= most) column[i] = 0;
    }
    const MatX step = column * column.transpose() / column[j];
    made += step;
    a -= step;
  }
  return made;
}

// The cap counts entries of A's columns: 1.25 of the mean, or of the column's own where it has
// more.
TEST(ThresholdCholesky, SmallEntriesAndThoseBeyondTheCap_AreDropped) {
  const MatX a = randomGram(30, 2, 0.5, 4);
  PreconditionerSettings s = plainSettings(Kind::kIct);
  std::int64_t fillBefore = 1000;
  for (const Real tolerance : {0.0, 1e-3, 1e-2, 0.1}) {
    s.dropTolerance = tolerance;
    const auto m = factored(s, a);
    ASSERT_EQ(m->statistics().shifts, 0);
    EXPECT_LT(largest(matrixOf(*m, 30) - denseThresholdFactor(a, tolerance, 30)), 1e-11);
    EXPECT_LT(m->statistics().fill, fillBefore);
    fillBefore = m->statistics().fill;
  }
  // Every column of a full matrix plus its own: the cap of 1 keeps the mean, 29/2 entries.
  const MatX full = randomGram(30, 200, 0.3, 6);
  s.dropTolerance = 0;
  s.fillCap = 1;
  const auto whole = factored(s, full);
  EXPECT_LT(largest(inverseOf(*whole, 30) * full - MatX::Identity(30, 30)), 1e-11);
  const MatX sparse = laplacian(6);
  const auto capped = factored(s, sparse);
  EXPECT_LE(capped->statistics().fill, 36 + 36 * 2);
  EXPECT_LT(largest(matrixOf(*capped, 36) - denseThresholdFactor(sparse, 0, 2)), 1e-11);
}

TEST(ThresholdCholesky, BreakdownOfADroppedFactor_RaisesTheDiagonal) {
  PreconditionerSettings s = plainSettings(Kind::kIct);
  s.dropTolerance = 0.2;
  int shifts = 0;
  for (const MatX& a : matricesThatBreakDown()) {
    const auto m = factored(s, a);
    EXPECT_EQ(m->statistics().negativePivots, 0);
    if (m->statistics().shifts > 0) {
      EXPECT_DOUBLE_EQ(m->statistics().shift, std::ldexp(1e-4, m->statistics().shifts - 1));
    }
    const VecX raised = (matrixOf(*m, static_cast<int>(a.rows())) - a).diagonal();
    const Real expected = m->statistics().shift * a.diagonal().mean();
    EXPECT_LT(largest((raised.array() - expected).matrix()), 1e-9);
    shifts += m->statistics().shifts;
  }
  EXPECT_GT(shifts, 5);
}

}  // namespace
}  // namespace drystone::test
