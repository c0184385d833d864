// How the incomplete factors on the pattern of A are made: against closed forms, and against the
// algorithms coded again with dense matrices.
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <cmath>

#include "tests/support/matrices.h"
#include "tests/support/problems.h"

namespace drystone::test {
namespace {

using Kind = PreconditionerKind;

/// Incomplete L D Lᵀ on the pattern of A, row by row; D keeps its signs.
std::pair<MatX, VecX> denseIncompleteLdl(const MatX& a) {
  const int size = static_cast<int>(a.rows());
  MatX l = MatX::Identity(size, size);
  VecX d(size);
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < i; ++j) {
      if (a(i, j) == 0) continue;
      Real sum = a(i, j);
      for (int k = 0; k < j; ++k) sum -= l(i, k) * d[k] * l(j, k);
      l(i, j) = sum / d[j];
    }
    d[i] = a(i, i);
    for (int k = 0; k < i; ++k) d[i] -= l(i, k) * l(i, k) * d[k];
  }
  return {l, d};
}

/// Ho 2022, alg. 6: magnitudes of L, real or imaginary by columns.
std::pair<MatX, VecX> imaginaryColumns(const MatX& a) {
  const int size = static_cast<int>(a.rows());
  MatX l = a.triangularView<Eigen::Lower>();
  VecX eta = VecX::Ones(size);
  for (int i = 0; i < size; ++i) {
    if (l(i, i) < 0) eta[i] = -1;
    l(i, i) = std::sqrt(eta[i] * l(i, i));
    for (int j = i + 1; j < size; ++j) l(j, i) *= eta[i] / l(i, i);
    for (int j = i + 1; j < size; ++j) {
      for (int k = j; k < size; ++k) {
        if (a(k, j) != 0) l(k, j) -= eta[i] * l(k, i) * l(j, i);
      }
    }
  }
  return {l, eta};
}

/// Ho 2022, alg. 7, with the sign that L̃ᴴ has on its diagonal too: z = (L̃ L̃ᴴ)⁻¹ r.
VecX solveImaginary(const MatX& l, const VecX& eta, VecX z) {
  const int size = static_cast<int>(z.size());
  for (int i = 0; i < size; ++i) {
    z[i] *= eta[i] / l(i, i);
    for (int j = i + 1; j < size; ++j) z[j] -= eta[i] * l(j, i) * z[i];
  }
  for (int i = size - 1; i >= 0; --i) {
    for (int j = i + 1; j < size; ++j) z[i] -= eta[i] * l(j, i) * z[j];
    z[i] *= eta[i] / l(i, i);
  }
  return z;
}

TEST(IncompleteCholesky, Tridiagonal_IsFactoredExactly) {
  const MatX a = tridiagonal(30);
  for (const Kind kind :
       {Kind::kIc0, Kind::kIc0Shift, Kind::kIc0PartialShift, Kind::kIc0Imaginary}) {
    const auto m = factored(plainSettings(kind), a);
    EXPECT_LT(largest(inverseOf(*m, 30) * a - MatX::Identity(30, 30)), 1e-12);
    EXPECT_EQ(m->statistics().fill, 59);
    EXPECT_EQ(m->statistics().shifts, 0);
  }
}

// A row beside all others that is eliminated first fills everything, which is dropped; one that
// comes last fills nothing.
TEST(IncompleteCholesky, DenseColumn_IsFactoredExactlyWhereTheOrderPutsItLast) {
  MatX a = 40 * MatX::Identity(30, 30);
  a.row(0).tail(29).setOnes();
  a.col(0).tail(29).setOnes();
  for (const Kind kind :
       {Kind::kIc0, Kind::kIc0Shift, Kind::kIc0PartialShift, Kind::kIc0Imaginary}) {
    PreconditionerSettings s = plainSettings(kind);
    s.order = RowOrder::kAmd;
    EXPECT_LT(largest(matrixOf(*factored(s, a), 30) - a), 1e-12);
    s.order = RowOrder::kNatural;
    const MatX error = matrixOf(*factored(s, a), 30) - a;
    // l_i0 d_0 l_k0 = 1/40 for every pair.
    EXPECT_NEAR(error(5, 9), 1.0 / 40, 1e-13);
    EXPECT_LT(std::abs(error(5, 5)) + std::abs(error(0, 5)), 1e-12);
  }
}

// An incomplete factor on the pattern of A, in whatever order, has M_ij = A_ij on it.
TEST(IncompleteCholesky, OnThePattern_EqualsTheMatrix) {
  for (const MatX& a :
       {laplacian(6), delassus(boxStack(FrictionModel::kCone, {1, 3}, 0.5, 1e-2))}) {
    for (const RowOrder order : {RowOrder::kNatural, RowOrder::kRcm, RowOrder::kAmd}) {
      for (const Prescaling scaling : {Prescaling::kNone, Prescaling::kColumnNorm}) {
        PreconditionerSettings s = plainSettings(Kind::kIc0);
        s.order = order;
        s.prescaling = scaling;
        const auto m = factored(s, a);
        ASSERT_EQ(m->statistics().negativePivots, 0);
        const MatX onPattern =
            (a.array() != 0)
                .select(matrixOf(*m, static_cast<int>(a.rows())), MatX::Zero(a.rows(), a.rows()));
        EXPECT_LT(largest(onPattern - a), 1e-11 * largest(a));
      }
    }
  }
}

// Off the pattern of the Laplacian M differs by the dropped fill (i − 1, i + side − 1) only:
// l_{i,i−1} d_{i−1} l_{i+side−1,i−1} = 1/d_{i−1}, with d = 4 − 1/d_left − 1/d_above.
TEST(IncompleteCholesky, LaplacianOffThePattern_IsTheDroppedFill) {
  constexpr int kSide = 5;
  const MatX error =
      matrixOf(*factored(plainSettings(Kind::kIc0), laplacian(kSide)), 25) - laplacian(kSide);
  MatX expected = MatX::Zero(25, 25);
  VecX d(25);
  for (int i = 0; i < 25; ++i) {
    d[i] = 4 - (i % kSide > 0 ? 1 / d[i - 1] : 0) - (i >= kSide ? 1 / d[i - kSide] : 0);
    if (i % kSide + 1 < kSide && i + kSide < 25) {
      expected(i + 1, i + kSide) = expected(i + kSide, i + 1) = 1 / d[i];
    }
  }
  EXPECT_LT(largest(error - expected), 1e-13);
}

// Pivots 3, 5/3, 3/5 and −5, or the diagonal entry 3 in its place: det M is their product. A pivot
// below −3 takes its row with it where it is replaced.
TEST(IncompleteCholesky, KershawsMatrix_BreaksDownAtItsLastPivot) {
  const auto replaced = factored(plainSettings(Kind::kIc0), kershaw());
  EXPECT_EQ(replaced->statistics().negativePivots, 1);
  EXPECT_NEAR(matrixOf(*replaced, 4).determinant(), 9, 1e-12);
  EXPECT_EQ(inverseOf(*replaced, 4).row(3), MatX(VecX::Unit(4, 3).transpose() / 3));
  const auto imaginary = factored(plainSettings(Kind::kIc0Imaginary), kershaw());
  EXPECT_EQ(imaginary->statistics().negativePivots, 1);
  EXPECT_NEAR(matrixOf(*imaginary, 4).determinant(), 15, 1e-12);
}

// Pivots down to 1e-3 of the diagonal amplify rounding; 1e-8 of the largest entry leaves room.
TEST(IncompleteCholesky, ImaginaryColumns_AreNegativePivotsByTheirAbsoluteValue) {
  int negative = 0;
  for (const MatX& a : matricesThatBreakDown()) {
    const int size = static_cast<int>(a.rows());
    const auto m = factored(plainSettings(Kind::kIc0Imaginary), a);
    const MatX inverse = inverseOf(*m, size);
    const auto [l, d] = denseIncompleteLdl(a);
    const MatX unit = l.triangularView<Eigen::Lower>().solve(MatX::Identity(size, size));
    const MatX byAbsolute = unit.transpose() * d.cwiseAbs().cwiseInverse().asDiagonal() * unit;
    EXPECT_LT(largest(inverse - byAbsolute), 1e-8 * largest(inverse));
    EXPECT_EQ(m->statistics().negativePivots, (d.array() < 0).count());
    const auto [magnitude, eta] = imaginaryColumns(a);
    EXPECT_EQ((eta.array() < 0).count(), (d.array() < 0).count());
    for (int i = 0; i < size; ++i) {
      const VecX column = solveImaginary(magnitude, eta, VecX::Unit(size, i));
      EXPECT_LT(largest(inverse.col(i) - column), 1e-8 * largest(inverse));
    }
    negative += m->statistics().negativePivots;
  }
  EXPECT_GE(negative, 15);
}

TEST(IncompleteCholesky, Shift_IsTheFirstOfItsSeriesThatSucceeds) {
  for (const MatX& a : matricesThatBreakDown()) {
    const int size = static_cast<int>(a.rows());
    const auto m = factored(plainSettings(Kind::kIc0Shift), a);
    const PreconditionerStatistics& found = m->statistics();
    const auto isPositive = [&](Real gamma) {
      MatX shifted = a;
      shifted.diagonal().array() += gamma * a.diagonal().mean();
      return denseIncompleteLdl(shifted).second.minCoeff() > 0;
    };
    if (found.shifts == 0) {
      EXPECT_TRUE(isPositive(0));
      continue;
    }
    EXPECT_DOUBLE_EQ(found.shift, std::ldexp(1e-4, found.shifts - 1));
    EXPECT_TRUE(isPositive(found.shift));
    EXPECT_FALSE(isPositive(found.shifts == 1 ? 0 : found.shift / 2));
    EXPECT_EQ(found.negativePivots, 0);
    const VecX raised = (matrixOf(*m, size) - a).diagonal();
    EXPECT_LT(largest((raised.array() - found.shift * a.diagonal().mean()).matrix()), 1e-9);
  }
  EXPECT_GT(factored(plainSettings(Kind::kIc0Shift), kershaw())->statistics().shifts, 5);
}

// S A S + γ m: on the diagonal M − A = γ m / s², with m the mean diagonal entry of S A S.
TEST(IncompleteCholesky, Shift_IsThatOfTheScaledMatrix) {
  const VecX d = VecX::NullaryExpr(4, [](Eigen::Index i) { return 1.0 + i; });
  const MatX a = d.asDiagonal() * kershaw() * d.asDiagonal();
  const VecX scales[] = {VecX::Ones(4), a.diagonal().cwiseSqrt().cwiseInverse(),
                         a.colwise().norm().cwiseSqrt().cwiseInverse()};
  for (int i = 0; i < 3; ++i) {
    PreconditionerSettings s = plainSettings(Kind::kIc0Shift);
    s.prescaling = static_cast<Prescaling>(i);
    const auto m = factored(s, a);
    ASSERT_GT(m->statistics().shift, 0);
    const VecX square = scales[i].array().square();
    const Real mean = (square.array() * a.diagonal().array()).mean();
    const VecX expected = m->statistics().shift * mean * square.cwiseInverse();
    EXPECT_LT(largest((matrixOf(*m, 4) - a).diagonal() - expected), 1e-11) << i;
  }
}

// Kershaw's matrix breaks down at row 3, which columns 0 and 2 feed: those are raised, together
// and by γ (2^p − 1), and rows 1 and 3 keep their diagonal.
TEST(IncompleteCholesky, PartialShift_RaisesTheColumnsThatFeedTheBreakdown) {
  const auto m = factored(plainSettings(Kind::kIc0PartialShift), kershaw());
  const VecX raised = (matrixOf(*m, 4) - kershaw()).diagonal();
  const Real expected = 3e-4 * (std::ldexp(1, m->statistics().shifts) - 1);
  EXPECT_NEAR(raised[0], expected, 1e-12);
  EXPECT_NEAR(raised[2], expected, 1e-12);
  EXPECT_NEAR(raised[1], 0, 1e-12);
  EXPECT_NEAR(raised[3], 0, 1e-12);
  EXPECT_NEAR(m->statistics().shift, expected / 3, 1e-12);
  // One time fewer and it still breaks down.
  MatX fewer = kershaw();
  fewer(0, 0) += (expected - 3e-4) / 2;
  fewer(2, 2) += (expected - 3e-4) / 2;
  EXPECT_LT(denseIncompleteLdl(fewer).second.minCoeff(), 0);
}

TEST(IncompleteCholesky, PartialShift_LeavesPositivePivotsAndTheEntriesOfThePattern) {
  for (const MatX& a : matricesThatBreakDown()) {
    const int size = static_cast<int>(a.rows());
    const auto m = factored(plainSettings(Kind::kIc0PartialShift), a);
    EXPECT_EQ(m->statistics().negativePivots, 0);
    MatX shifted = a;
    const MatX made = matrixOf(*m, size);
    shifted.diagonal() = made.diagonal();
    EXPECT_GE((shifted - a).diagonal().minCoeff(), -1e-9);
    // The same factor by the dense algorithm on the raised matrix.
    const auto [l, d] = denseIncompleteLdl(shifted);
    EXPECT_GT(d.minCoeff(), 0);
    EXPECT_LT(largest(l * d.asDiagonal() * l.transpose() - made), 1e-8 * largest(a));
  }
}

// Contacts of a pile, all of them free: a breakdown feeds the next, and the exponents run away.
TEST(IncompleteCholesky, PartialShiftThatLeadsNowhere_BecomesAShiftOfTheWholeDiagonal) {
  StoredProblem pile = randomPile(FrictionModel::kCone, 5, 5, 5, 0.5, 1);
  pile.compliance.assign(pile.b.size(), 1e-6);
  const MatX a = delassus(pile);
  const auto partial = factored(plainSettings(Kind::kIc0PartialShift), a);
  const auto whole = factored(plainSettings(Kind::kIc0Shift), a);
  EXPECT_GT(partial->statistics().shifts, 5 * whole->statistics().shifts);
  EXPECT_EQ(partial->statistics().shift, whole->statistics().shift);
  const VecX r = VecX::Ones(a.rows());
  VecX z(a.rows()), expected(a.rows());
  const auto all = [](auto& x) { return std::span(x.data(), static_cast<std::size_t>(x.size())); };
  partial->apply(all(r), all(z));
  whole->apply(all(r), all(expected));
  EXPECT_EQ(z, expected);
}

// (4 2; 2 1) is singular: the second pivot is zero to the last bit. It becomes the diagonal entry,
// or a shift makes it positive.
TEST(IncompleteCholesky, ZeroPivot_IsReplacedOrShifted) {
  MatX a(2, 2);
  a << 4, 2, 2, 1;
  MatX expected(2, 2);
  expected << 4, 2, 2, 2;
  for (const Kind kind : {Kind::kIc0, Kind::kIc0Imaginary}) {
    const auto m = factored(plainSettings(kind), a);
    EXPECT_EQ(m->statistics().zeroPivots, 1);
    EXPECT_EQ(m->statistics().negativePivots, 0);
    EXPECT_LT(largest(matrixOf(*m, 2) - expected), 1e-13);
  }
  for (const Kind kind : {Kind::kIc0Shift, Kind::kIc0PartialShift, Kind::kIct}) {
    const auto m = factored(plainSettings(kind), a);
    EXPECT_EQ(m->statistics().zeroPivots, 0);
    EXPECT_EQ(m->statistics().shifts, 1);
    EXPECT_DOUBLE_EQ(m->statistics().shift, 1e-4);
  }
}

// The first pivot is the diagonal entry itself.
TEST(IncompleteCholesky, NegativeFirstEntry_IsTakenByItsAbsoluteValueReplacedOrShifted) {
  MatX a(2, 2);
  a << -4, 2, 2, 5;
  const auto imaginary = factored(plainSettings(Kind::kIc0Imaginary), a);
  EXPECT_EQ(imaginary->statistics().negativePivots, 1);
  MatX expected(2, 2);  // L = (1 0; −1/2 1), |D| = (4, 6)
  expected << 4, -2, -2, 7;
  EXPECT_LT(largest(matrixOf(*imaginary, 2) - expected), 1e-13);
  const auto replaced = factored(plainSettings(Kind::kIc0), a);
  EXPECT_EQ(replaced->statistics().negativePivots, 1);
  expected << 4, 2, 2, 5;  // L = (1 0; 1/2 1), D = (4, 4)
  EXPECT_LT(largest(matrixOf(*replaced, 2) - expected), 1e-13);
  const auto shifted = factored(plainSettings(Kind::kIc0PartialShift), a);
  EXPECT_GT(shifted->statistics().shifts, 0);
  EXPECT_NEAR(matrixOf(*shifted, 2)(1, 1), 5, 1e-9);
}

}  // namespace
}  // namespace drystone::test
