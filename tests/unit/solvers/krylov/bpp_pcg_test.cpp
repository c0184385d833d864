#include <gtest/gtest.h>

#include "solvers/krylov/krylov_solvers.h"
#include "solvers/krylov/pcg_factor.h"
#include "solvers/linear/dense_factor.h"
#include "solvers/linear/free_system.h"
#include "solvers/pivoting/index_sets.h"
#include "solvers/pivoting/pivot_method.h"
#include "solvers/reference/reference_solvers.h"
#include "tests/support/mlcp.h"
#include "tests/support/solved.h"

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
    // Without a tolerance to 1e-8 of the right-hand side: a factor for whoever asks for one.
    std::vector<Real> x = free.right;
    pcg.solve(x);
    EXPECT_LT(largestShare(x, free.solve(dense)), 1e-5) << extra;
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

/// All rows of four contacts under a box: rank 6 of 12.
struct RedundantRows {
  StoredProblem stored = boxOnPlane(FrictionModel::kBox, 3, 0.5);
  ContactProblem problem = stored.view();
  RowSystem rows;
  FreeBasis basis;
  /// One corner apart from the others: no motion of a rigid box.
  std::vector<Real> corner = std::vector<Real>(stored.b.size(), 0);

  RedundantRows() {
    corner[0] = 1;
    rows.prepare(problem, true);
    basis.begin(problem);
    for (const ProblemBlock& block : problem.blocks) {
      basis.beginBlock();
      for (int i = 0; i < block.rows; ++i) basis.addRow(block.firstRow + i);
    }
    basis.end();
  }
};

// Impulses that nothing opposes stay small where the system is consistent, and grow beyond all
// others where it is not.
TEST(PcgFactor, InconsistentSingularSystem_IsRegularizedAndSaid) {
  RedundantRows redundant;
  PcgFactor pcg;
  pcg.analyze(redundant.rows, BasisKind::kRows);
  ASSERT_TRUE(pcg.factor(redundant.rows, redundant.basis));
  std::vector<Real> x(redundant.problem.b.begin(), redundant.problem.b.end());
  pcg.solveTo(1e-9, x);
  EXPECT_EQ(pcg.regularization(), 0);
  ASSERT_TRUE(pcg.factor(redundant.rows, redundant.basis));
  pcg.solveTo(1e-9, redundant.corner);
  EXPECT_GT(pcg.regularization(), 0);
  for (const Real value : redundant.corner) EXPECT_TRUE(std::isfinite(value));
  EXPECT_GT(std::abs(redundant.corner[0]), 1e6);
}

// Steps to the direction without curvature and steps with the term that it gets are of one solve.
TEST(PcgFactor, MaxInnerIterations_HoldForTheRegularizedSolveToo) {
  RedundantRows redundant;
  class Limit : public SettingVisitor {
   public:
    void real(const SettingInfo&, Real&, Real, Real) override {}
    void integer(const SettingInfo& info, int& value, int, int) override {
      if (info.name == "max_inner_iterations") value = most;
    }
    void boolean(const SettingInfo&, bool&) override {}
    void choice(const SettingInfo&, int&, std::span<const std::string_view>) override {}
    int most = 0;
  } limit;
  const auto stepsOf = [&](int most) {
    PcgFactor pcg;
    limit.most = most;
    pcg.visitSettings(limit);
    pcg.analyze(redundant.rows, BasisKind::kRows);
    EXPECT_TRUE(pcg.factor(redundant.rows, redundant.basis));
    std::vector<Real> x = redundant.corner;
    pcg.solveTo(1e-9, x);
    for (const Real value : x) EXPECT_TRUE(std::isfinite(value));
    return pcg.innerIterations();
  };
  const int all = static_cast<int>(stepsOf(1000));
  ASSERT_GT(all, 2);
  for (int most = 1; most < all; ++most) EXPECT_EQ(stepsOf(most), most);
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

/// Of one run of its block pivots; what they leave, the descent takes on.
void limitBlocks(ContactSolver& solver, int rounds) {
  FixedBoundMethod& method = dynamic_cast<MlcpSolver&>(solver).method();
  dynamic_cast<PivotMethod&>(method).settings.maxRounds = rounds;
}

TEST(BppPcg, Iterations_AreCountedOnceOverBlocksAndDescent) {
  const auto solver = makeBppPcgSolver();
  limitBlocks(*solver, 3);
  const Solved solved = solveWith(*solver, {.iterations = 6}, boxPile(2));
  EXPECT_EQ(solved.report.status, SolveStatus::kIterationLimit);
  EXPECT_EQ(solved.report.iterations, 6);
}

// After one candidate of the blocks descent goes on, for one round, which takes most of the time.
// Of limits within it one ends that round.
TEST(BppPcg, TimeLimit_EndsTheDescent) {
  StoredProblem stored = randomPile(FrictionModel::kBox, 6, 6, 3, 0.4, 1);
  stored.compliance.assign(stored.b.size(), 1e-7);
  for (ProblemBlock& block : stored.blocks) block.normalBound = 0.1;
  const auto solver = makeBppPcgSolver();
  applySetting(*solver, "preconditioner", std::string("jacobi"));
  limitBlocks(*solver, 1);
  Budget budget{.iterations = 2};
  const Solved whole = solveWith(*solver, budget, stored);
  ASSERT_EQ(whole.report.status, SolveStatus::kIterationLimit);
  ASSERT_EQ(whole.report.iterations, 2);
  bool isEnded = false;
  for (int trial = 0; trial < 50 && !isEnded; ++trial) {
    const Real share = 0.3 + 0.6 * (trial % 10) / 10;
    budget.seconds = share * whole.report.timeMs / 1e3;
    const SolverReport report = solveWith(*solver, budget, stored).report;
    isEnded = report.status == SolveStatus::kTimeLimit && report.iterations == 2 &&
              report.innerIterations < whole.report.innerIterations;
  }
  EXPECT_TRUE(isEnded);
}

// A = (1 1; 1 1), b = (−1, −2): no λ ≥ 0 frees both rows. Conjugate gradients meet a direction
// without curvature, which gets 1e-10 of the diagonal; λ = (0, 2) with w = (1, 0) is the answer.
TEST(BppPcg, FreeRowsWithoutAnAnswer_NameTheTermInTheReport) {
  VecX b(2);
  b << -1, -2;
  const MlcpAnswer answer = solveMlcp(*makeBppPcgSolver(), lcp(MatX::Ones(2, 2), b));
  EXPECT_EQ(answer.report.status, SolveStatus::kConverged);
  EXPECT_NEAR(answer.lambda[0], 0, 1e-10);
  EXPECT_NEAR(answer.lambda[1], 2, 1e-9);
  EXPECT_DOUBLE_EQ(answer.report.regularization, 1e-10);
}

}  // namespace
}  // namespace drystone::test
