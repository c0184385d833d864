#include <gtest/gtest.h>

#include "solvers/direct/dense_factor.h"
#include "solvers/direct/direct_solvers.h"
#include "solvers/direct/free_system.h"
#include "solvers/direct/index_sets.h"
#include "solvers/krylov/krylov_solvers.h"
#include "solvers/krylov/pcg_factor.h"
#include "tests/unit/solvers/krylov_solving.h"

namespace drystone::test {
namespace {

/// A_FF of the pile with every third row tight, and a right-hand side in its range.
struct FreeRows {
  StoredProblem stored = boxPile(2);
  ContactProblem problem = stored.view();
  RowSystem rows;
  FreeBasis basis;
  std::vector<Real> right;

  explicit FreeRows(int modulus = 3, Real extra = 0) {
    rows.prepare(problem, true);
    fill(modulus, extra);
  }
  void fill(int modulus, Real extra = 0) {
    basis.begin(problem);
    for (const ProblemBlock& block : problem.blocks) {
      basis.beginBlock();
      for (int row = block.firstRow; row < block.firstRow + block.rows; ++row) {
        if (row % modulus != 0) basis.addRow(row, extra);
      }
    }
    basis.end();
    right.resize(basis.count());
    for (int k = 0; k < basis.count(); ++k) right[k] = std::sin(1.0 + k);
  }
  std::vector<Real> solve(FreeFactor& factor) {
    factor.analyze(rows, BasisKind::kDiagonal);
    EXPECT_TRUE(factor.factor(rows, basis));
    std::vector<Real> x = right;
    factor.solveTo(1e-11, x);
    return x;
  }
};

Real largestShare(const std::vector<Real>& a, const std::vector<Real>& b) {
  Real difference = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference = std::max(difference, std::abs(a[i] - b[i]));
    size = std::max(size, std::abs(b[i]));
  }
  return difference / size;
}

TEST(PcgFactor, FreeSystem_IsSolvedAsADenseFactorDoes) {
  for (const Real extra : {0.0, 0.5}) {
    FreeRows free(3, extra);
    PcgFactor pcg;
    DenseFactor dense;
    EXPECT_LT(largestShare(free.solve(pcg), free.solve(dense)), 1e-8) << extra;
    EXPECT_GT(pcg.innerIterations(), 0);
  }
}

// One row more or less of a hundred keeps the factor; half of the rows do not. Either way the
// answer is that of the rows at hand.
TEST(PcgFactor, FactorOfNearlyTheSameRows_ServesOn) {
  FreeRows free(100);
  PcgFactor pcg;
  DenseFactor dense;
  free.solve(pcg);
  EXPECT_TRUE(pcg.isFresh());
  free.fill(101);
  ASSERT_TRUE(pcg.factor(free.rows, free.basis));
  EXPECT_FALSE(pcg.isFresh());
  std::vector<Real> x = free.right;
  pcg.solveTo(1e-11, x);
  EXPECT_LT(largestShare(x, free.solve(dense)), 1e-8);
  free.fill(2);
  ASSERT_TRUE(pcg.factor(free.rows, free.basis));
  EXPECT_TRUE(pcg.isFresh());
  EXPECT_EQ(pcg.preconditioner().statistics().reuses, 1);
}

// A struck factor costs steps. Once they have taken as long as a factor does it is that of the rows
// at hand: some twenty solves to round-off do not make two more.
TEST(PcgFactor, FactorOfOtherRows_IsMadeAnewOnceItHasCostAsMuch) {
  FreeRows free(100);
  PcgFactor pcg;
  free.solve(pcg);
  free.fill(101);
  ASSERT_TRUE(pcg.factor(free.rows, free.basis));
  for (int i = 0; i < 20; ++i) {
    std::vector<Real> x = free.right;
    pcg.solveTo(1e-11, x);
  }
  EXPECT_EQ(pcg.preconditioner().statistics().factorizations, 2);
  EXPECT_EQ(pcg.factorsWithinSolves(), 1);
}

// Four contacts under a box have rank 6 of 12: impulses that nothing opposes stay small where the
// system is consistent, and grow beyond all others where it is not.
TEST(PcgFactor, InconsistentSingularSystem_IsRegularizedAndSaid) {
  const StoredProblem stored = boxOnPlane(FrictionModel::kBox, 3, 0.5);
  const ContactProblem problem = stored.view();
  RowSystem rows;
  rows.prepare(problem, true);
  FreeBasis basis;
  basis.begin(problem);
  for (const ProblemBlock& block : problem.blocks) {
    basis.beginBlock();
    for (int i = 0; i < block.rows; ++i) basis.addRow(block.firstRow + i);
  }
  basis.end();
  PcgFactor pcg;
  pcg.analyze(rows, BasisKind::kRows);
  ASSERT_TRUE(pcg.factor(rows, basis));
  std::vector<Real> x(problem.b.begin(), problem.b.end());
  pcg.solveTo(1e-9, x);
  EXPECT_EQ(pcg.regularization(), 0);
  ASSERT_TRUE(pcg.factor(rows, basis));
  std::vector<Real> corner(problem.rowCount(), 0);
  corner[0] = 1;  // one corner apart from the others: no motion of a rigid box
  pcg.solveTo(1e-9, corner);
  EXPECT_GT(pcg.regularization(), 0);
  for (const Real value : corner) EXPECT_TRUE(std::isfinite(value));
  EXPECT_GT(std::abs(corner[0]), 1e6);
}

TEST(PcgFactor, GeneralBases_AreRefused) {
  EXPECT_FALSE(PcgFactor().takes(BasisKind::kGeneral));
  EXPECT_TRUE(PcgFactor().takes(BasisKind::kDiagonal));
}

// Ho 2022, table 6.2: what solves the free systems does not change how many candidates there are. A
// residual of 1e-6 would misjudge a sign now and then. Problems on which blocks circle are left out
// by the thirty rounds and more that the interior point of the direct solver takes.
TEST(BppPcg, Candidates_AreThoseOfBpp) {
  const auto direct = makeBppDowndateSolver();
  const auto krylov = makeBppPcgSolver();
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const int ofDirect = solveWith(*direct, boxPile(seed)).report.iterations;
    if (ofDirect >= 15) continue;
    EXPECT_EQ(solveWith(*krylov, boxPile(seed)).report.iterations, ofDirect) << seed;
    ++compared;
  }
  EXPECT_GE(compared, 15);
}

// Where blocks circle, descent within the bounds ends it after 100 to 250 steps. The systems of an
// interior point are conditioned the worse the nearer it comes: 1,800 steps on the last two.
TEST(BppPcg, BlocksThatCircle_AreFollowedByDescent) {
  const auto solver = makeBppPcgSolver();
  for (const std::uint64_t seed : {2, 5, 9, 22}) {
    const Solved solved = solveWith(*solver, boxPile(seed));
    EXPECT_EQ(solved.report.status, SolveStatus::kConverged) << seed;
    EXPECT_LT(solved.judged.naturalMap, 1e-9) << seed;
    EXPECT_LT(solved.report.innerIterations, 500) << seed;
  }
}

// 1e-2 of |b| chooses pivots, and the answer is as exact as ever: the residual is tightened where
// the sets may be final.
TEST(BppPcg, LooseInnerTolerance_LeavesTheAnswerExact) {
  const auto solver = makeBppPcgSolver();
  applySetting(*solver, "inner_tolerance", 1e-2);
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Solved solved = solveWith(*solver, boxPile(seed));
    EXPECT_EQ(solved.report.status, SolveStatus::kConverged) << seed;
    EXPECT_LT(solved.judged.naturalMap, 1e-9) << seed;
  }
}

}  // namespace
}  // namespace drystone::test
