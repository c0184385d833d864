#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "engine/core/random.h"
#include "solvers/direct/direct_solvers.h"
#include "solvers/judge.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/problems.h"

namespace drystone::test {
namespace {

/// An MLCP with one row a block.
StoredProblem mlcp(const MatX& a, const VecX& b, const VecX& lower, const VecX& upper) {
  const int n = static_cast<int>(b.size());
  StoredProblem problem;
  std::vector<int> rowStart, rows, columns;
  std::vector<Real> values;
  for (int i = 0; i <= n; ++i) rowStart.push_back(i);
  for (int i = 0; i < n; ++i) {
    ProblemBlock block;
    block.firstRow = i;
    block.rows = 1;
    block.law = BlockLaw::kRows;
    problem.blocks.push_back(block);
    problem.b.push_back(b[i]);
    problem.lower.push_back(lower[i]);
    problem.upper.push_back(upper[i]);
    for (int j = 0; j < n; ++j) {
      rows.push_back(i);
      columns.push_back(j);
      values.push_back(a(i, j));
    }
  }
  problem.assembled = blockSparseFromTriplets(rowStart, rows, columns, values);
  return problem;
}

StoredProblem lcp(const MatX& a, const VecX& b) {
  return mlcp(a, b, VecX::Zero(b.size()), VecX::Constant(b.size(), kInfinity));
}

struct Solved {
  SolverReport report;
  VecX lambda;
  std::vector<RowState> state;
};

Solved solveWith(ContactSolver& solver, const StoredProblem& stored, const VecX& warm = {},
                 std::vector<RowState> states = {}) {
  const ContactProblem problem = stored.view();
  Solved solved;
  solved.lambda = warm.size() > 0 ? warm : VecX::Zero(problem.rowCount());
  solved.state = std::move(states);
  solved.state.resize(problem.rowCount(), RowState::kUnknown);
  solved.report = solver.solve(
      problem,
      {{solved.lambda.data(), static_cast<std::size_t>(problem.rowCount())}, solved.state});
  return solved;
}

Solved solve(const StoredProblem& stored) { return solveWith(*makeKellerSolver(), stored); }

VecX velocityOf(const StoredProblem& stored, const VecX& lambda) {
  JudgeWorkspace workspace;
  judge(stored.view(), {lambda.data(), static_cast<std::size_t>(lambda.size())}, workspace);
  return Eigen::Map<const VecX>(workspace.w.data(), lambda.size());
}

/// w of a solution found by trying all 3^n index sets, with least-squares answers where a set is
/// singular; w is unique for a positive semi-definite A.
VecX velocityByEnumeration(const MatX& a, const VecX& b, const VecX& lower, const VecX& upper) {
  const int n = static_cast<int>(b.size());
  int sets = 1;
  for (int i = 0; i < n; ++i) sets *= 3;
  for (int code = 0; code < sets; ++code) {
    MatX k = MatX::Identity(n, n);
    VecX right(n);
    bool possible = true;
    for (int i = 0, rest = code; i < n; ++i, rest /= 3) {
      if (rest % 3 == 0) {
        k.row(i) = a.row(i);
        right[i] = -b[i];
      } else {
        right[i] = rest % 3 == 1 ? lower[i] : upper[i];
        possible = possible && std::isfinite(right[i]);
      }
    }
    if (!possible) continue;
    const VecX lambda = k.fullPivLu().solve(right);
    const VecX w = a * lambda + b;
    bool good = (k * lambda - right).cwiseAbs().maxCoeff() < 1e-9;
    for (int i = 0, rest = code; i < n; ++i, rest /= 3) {
      const bool inside = lambda[i] >= lower[i] - 1e-9 && lambda[i] <= upper[i] + 1e-9;
      if (rest % 3 == 0) good = good && inside;
      if (rest % 3 == 1) good = good && (w[i] >= -1e-9 || lower[i] == upper[i]);
      if (rest % 3 == 2) good = good && (w[i] <= 1e-9 || lower[i] == upper[i]);
    }
    if (good) return w;
  }
  ADD_FAILURE() << "no index set solves the problem";
  return VecX::Zero(n);
}

struct RandomMlcp {
  MatX a;
  VecX b, lower, upper;
};

/// A of the given rank, with boxes, half-lines of both kinds, fixed and bilateral rows. b lies in
/// the range of A, so that there is a solution.
RandomMlcp randomMlcp(Random& random, int n, int rank) {
  RandomMlcp m;
  const MatX root = MatX::NullaryExpr(n, rank, [&] { return random.uniform(-1, 1); });
  m.a = root * root.transpose();
  m.b = m.a * VecX::NullaryExpr(n, [&] { return random.uniform(-2, 2); });
  m.lower.resize(n);
  m.upper.resize(n);
  for (int i = 0; i < n; ++i) {
    m.lower[i] = random.uniform() < 0.25 ? -kInfinity : random.uniform(-1, 0);
    m.upper[i] = random.uniform() < 0.4 ? kInfinity : random.uniform(0, 1);
    if (random.uniform() < 0.1) m.lower[i] = m.upper[i] = random.uniform(-1, 1);
  }
  return m;
}

// Well-conditioned A: 1e-8 is far above round-off.
TEST(Keller, RandomDefiniteProblems_MatchEnumeration) {
  Random random(21);
  for (int trial = 0; trial < 150; ++trial) {
    const int n = 1 + trial % 8;
    RandomMlcp m = randomMlcp(random, n, n);
    m.a += 0.3 * MatX::Identity(n, n);
    const Solved solved = solve(mlcp(m.a, m.b, m.lower, m.upper));
    EXPECT_EQ(solved.report.status, SolveStatus::kConverged) << trial;
    const VecX w = velocityByEnumeration(m.a, m.b, m.lower, m.upper);
    EXPECT_LT((m.a * solved.lambda + m.b - w).cwiseAbs().maxCoeff(), 1e-8) << trial;
  }
}

// λ is not unique here, but w is.
TEST(Keller, RandomSemidefiniteProblems_MatchEnumerationInVelocity) {
  Random random(22);
  for (int trial = 0; trial < 150; ++trial) {
    const int n = 2 + trial % 6;
    const RandomMlcp m = randomMlcp(random, n, 1 + n / 2);
    const Solved solved = solve(mlcp(m.a, m.b, m.lower, m.upper));
    EXPECT_EQ(solved.report.status, SolveStatus::kConverged) << trial;
    const VecX w = velocityByEnumeration(m.a, m.b, m.lower, m.upper);
    EXPECT_LT((m.a * solved.lambda + m.b - w).cwiseAbs().maxCoeff(), 1e-8) << trial;
  }
}

// All λ > 0 for the second difference and b = −1: λ_i = i (n + 1 − i) / 2.
TEST(Keller, TridiagonalMatrix_HasClosedForm) {
  constexpr int kSize = 20;
  MatX a = 2 * MatX::Identity(kSize, kSize);
  for (int i = 0; i + 1 < kSize; ++i) a(i, i + 1) = a(i + 1, i) = -1;
  const Solved solved = solve(lcp(a, VecX::Constant(kSize, -1)));
  EXPECT_EQ(solved.report.status, SolveStatus::kConverged);
  for (int i = 1; i <= kSize; ++i) {
    EXPECT_NEAR(solved.lambda[i - 1], 0.5 * i * (kSize + 1 - i), 1e-11);
  }
}

// Fathi: A = M Mᵀ with Murty's M, b = −1, λ = e_1; exponential for Murty's and Lemke's methods.
TEST(Keller, FathisExponentialExample_TakesFewRounds) {
  constexpr int kSize = 12;
  MatX m = MatX::Identity(kSize, kSize);
  for (int i = 0; i < kSize; ++i) {
    for (int j = 0; j < i; ++j) m(i, j) = 2;
  }
  const Solved solved = solve(lcp(m * m.transpose(), VecX::Constant(kSize, -1)));
  EXPECT_EQ(solved.report.status, SolveStatus::kConverged);
  EXPECT_LT(solved.report.iterations, 3 * kSize);
  for (int i = 0; i < kSize; ++i) EXPECT_NEAR(solved.lambda[i], i == 0 ? 1 : 0, 1e-9);
}

// w_1 = −1 whatever λ.
TEST(Keller, RowWithoutEntriesAndNegativeVelocity_IsInfeasible) {
  MatX a = MatX::Zero(2, 2);
  EXPECT_EQ(solve(lcp(a, VecX::Constant(2, -1))).report.status, SolveStatus::kInfeasible);
  a(1, 1) = 1;
  const Solved solved = solve(lcp(a, VecX::Constant(2, -1)));
  EXPECT_EQ(solved.report.status, SolveStatus::kInfeasible);
  for (const Real value : solved.lambda) EXPECT_TRUE(std::isfinite(value));
}

// w_1 + w_2 = −2 whatever λ: the objective falls for ever along (1, 1).
TEST(Keller, ObjectiveWithoutLowerBound_IsInfeasible) {
  MatX a(2, 2);
  a << 1, -1, -1, 1;
  const Solved solved = solve(lcp(a, VecX::Constant(2, -1)));
  EXPECT_EQ(solved.report.status, SolveStatus::kInfeasible);
  EXPECT_LT(solved.lambda.cwiseAbs().maxCoeff(), 10);
}

// The same with an upper bound of 3 in the way of λ_2: w_1 = 0 at λ_1 = 3 + 1, w_2 = −2 < 0.
TEST(Keller, ZeroCurvature_EndsAtTheBoundInTheWay) {
  MatX a(2, 2);
  a << 1, -1, -1, 1;
  VecX upper(2);
  upper << kInfinity, 3;
  const Solved solved = solve(mlcp(a, VecX::Constant(2, -1), VecX::Zero(2), upper));
  EXPECT_EQ(solved.report.status, SolveStatus::kConverged);
  EXPECT_NEAR(solved.lambda[0], 4, 1e-9);
  EXPECT_EQ(solved.lambda[1], 3);
}

// A row held at 2 and a bilateral one: w_2 = λ_1 + 2 λ_2 − 8 = 0 with λ_1 = 2 gives λ_2 = 3.
TEST(Keller, FixedAndBilateralRows_KeepTheirKind) {
  MatX a(2, 2);
  a << 2, 1, 1, 2;
  VecX b(2), lower(2), upper(2);
  b << 5, -8;
  lower << 2, -kInfinity;
  upper << 2, kInfinity;
  const Solved solved = solve(mlcp(a, b, lower, upper));
  EXPECT_EQ(solved.report.status, SolveStatus::kConverged);
  EXPECT_EQ(solved.lambda[0], 2);
  EXPECT_NEAR(solved.lambda[1], 3, 1e-12);
}

// Every row of A = e eᵀ + 1e-3 I asks for the same, and b = 0 for nothing: λ = 0 is tight, free and
// right at once.
TEST(Keller, DegenerateProblem_DoesNotCycle) {
  constexpr int kSize = 10;
  const MatX a = MatX::Ones(kSize, kSize) + 1e-3 * MatX::Identity(kSize, kSize);
  VecX b = VecX::Zero(kSize);
  b[0] = 1;
  b[1] = -1e-3;
  const auto solver = makeKellerSolver();
  for (const RowState start : {RowState::kFree, RowState::kLower}) {
    const Solved solved = solveWith(*solver, lcp(a, b), {}, std::vector<RowState>(kSize, start));
    EXPECT_EQ(solved.report.status, SolveStatus::kConverged);
    const VecX w = a * solved.lambda + b;
    EXPECT_GE(w.minCoeff(), -1e-12);
    EXPECT_NEAR(w.dot(solved.lambda), 0, 1e-12);
  }
}

// Ben Gharbia and Gilbert's P-matrix is far from symmetric; the method may fail on it, not hang.
TEST(Keller, UnsymmetricMatrix_EndsWithAStatus) {
  MatX a(3, 3);
  a << 1, 2, 0, 0, 1, 2, 2, 0, 1;
  const std::vector<RowState> states = {RowState::kFree, RowState::kLower, RowState::kLower};
  const Solved solved = solveWith(*makeKellerSolver(), lcp(a, VecX::Constant(3, -1)), {}, states);
  EXPECT_LT(solved.report.iterations, 100);
  if (solved.report.status == SolveStatus::kConverged) {
    for (const Real value : solved.lambda) EXPECT_NEAR(value, 1.0 / 3, 1e-12);
  } else {
    EXPECT_EQ(solved.report.status, SolveStatus::kCycled);
  }
}

TEST(Keller, BoxStack_HasTheVelocityOfBlockPivoting) {
  const StoredProblem stored = boxStack(FrictionModel::kBox, {1, 2, 1, 3}, 0.5, 1e-9);
  const Solved solved = solve(stored), expected = solveWith(*makeBppSolver(), stored);
  EXPECT_EQ(solved.report.status, SolveStatus::kConverged);
  const VecX w = velocityOf(stored, solved.lambda), wExpected = velocityOf(stored, expected.lambda);
  EXPECT_LT((w - wExpected).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(Keller, OwnSets_EndInOneRound) {
  const StoredProblem stored = boxStack(FrictionModel::kBox, {1, 1, 1}, 0.5, 1e-9);
  const auto solver = makeKellerSolver();
  const Solved first = solveWith(*solver, stored);
  const Solved second = solveWith(*solver, stored, first.lambda, first.state);
  EXPECT_EQ(second.report.iterations, 1);
  EXPECT_EQ(second.report.pivots, 0);
}

TEST(Keller, RoundLimit_LeavesFeasibleImpulses) {
  const StoredProblem stored = randomPile(FrictionModel::kNone, 3, 3, 3, 0.5, 5);
  const auto solver = makeKellerSolver();
  applySetting(*solver, "max_pivot_rounds", std::int64_t{2});
  const Solved solved = solveWith(*solver, stored);
  EXPECT_EQ(solved.report.status, SolveStatus::kIterationLimit);
  EXPECT_GE(solved.lambda.minCoeff(), 0);
}

TEST(Keller, SecondSolve_AllocatesNothing) {
  const StoredProblem stored = boxStack(FrictionModel::kBox, {1, 1, 1}, 0.5, 1e-9);
  const ContactProblem problem = stored.view();
  const auto solver = makeKellerSolver();
  std::vector<Real> lambda(problem.rowCount());
  std::vector<RowState> state(problem.rowCount());
  solver->solve(problem, {lambda, state});
  std::fill(lambda.begin(), lambda.end(), 0.0);
  std::fill(state.begin(), state.end(), RowState::kUnknown);
  const std::int64_t before = allocationCount();
  solver->solve(problem, {lambda, state});
  EXPECT_EQ(allocationCount(), before);
}

}  // namespace
}  // namespace drystone::test
