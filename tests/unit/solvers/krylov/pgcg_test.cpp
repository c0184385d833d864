#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "core/random.h"
#include "solvers/krylov/generalized_cg.h"
#include "solvers/krylov/krylov_solvers.h"
#include "tests/support/matrices.h"
#include "tests/support/mlcp.h"
#include "tests/support/solved.h"

namespace drystone::test {
namespace {

Real objective(const StoredProblem& stored, const VecX& lambda) {
  const VecX w = velocityOf(stored, lambda);
  Real sum = 0;
  for (int row = 0; row < lambda.size(); ++row) sum += lambda[row] * (w[row] + stored.b[row]) / 2;
  return sum;
}

/// Largest |λ − Π(λ − w/A_ii)| A_ii, by which an unfinished run chooses what it returns.
Real errorOf(const StoredProblem& stored, const RandomMlcp& m, const VecX& lambda) {
  const VecX w = velocityOf(stored, lambda);
  Real largest = 0;
  for (int row = 0; row < lambda.size(); ++row) {
    const Real moved = std::clamp(lambda[row] - w[row] / m.a(row, row), m.lower[row], m.upper[row]);
    largest = std::max(largest, std::abs(lambda[row] - moved) * m.a(row, row));
  }
  return largest;
}

RandomMlcp definiteMlcp(Random& random, int rows) {
  RandomMlcp m = randomMlcp(random, rows, rows / 2);
  m.a += 1e-3 * MatX::Identity(rows, rows);
  return m;
}

// Stopped after any number of rounds it has come down: ½ λᵀ A λ + bᵀ λ never rises. What an
// unfinished run returns is its best candidate by another measure: that of k rounds is the one of
// fewer or a later one, which lies lower.
TEST(Pgcg, ObjectiveAndError_NeverRiseFromRoundToRound) {
  Random random(3);
  for (int trial = 0; trial < 20; ++trial) {
    const RandomMlcp m = definiteMlcp(random, 14);
    const StoredProblem stored = mlcp(m.a, m.b, m.lower, m.upper);
    const auto solver = makePgcgSolver();
    const MlcpAnswer solved = solveMlcp(*solver, stored);
    ASSERT_EQ(solved.report.status, SolveStatus::kConverged) << trial;
    const Real least = objective(stored, solved.lambda);
    Real before = kInfinity, errorBefore = kInfinity;
    for (int rounds = 1; rounds <= solved.report.iterations; ++rounds) {
      const MlcpAnswer answer = solveMlcp(*solver, stored, {.iterations = rounds});
      const Real now = objective(stored, answer.lambda);
      EXPECT_GE(now, least - 1e-12) << trial;
      EXPECT_LE(now, before + 1e-12) << trial << ", " << rounds;
      before = now;
      const Real error = errorOf(stored, m, answer.lambda);
      EXPECT_LE(error, errorBefore * (1 + 1e-9) + 1e-12) << trial << ", " << rounds;
      errorBefore = error;
      for (int row = 0; row < answer.lambda.size(); ++row) {
        EXPECT_GE(answer.lambda[row], m.lower[row]);
        EXPECT_LE(answer.lambda[row], m.upper[row]);
      }
    }
  }
}

/// λ ≥ 0 by plain block pivots: every violator moves in every round. True: the sets come back.
bool blockPivotsCircle(const MatX& a, const VecX& b) {
  const int n = static_cast<int>(b.size());
  std::vector<bool> isFree(n, true);
  std::set<std::vector<bool>> seen;
  while (seen.insert(isFree).second) {
    MatX k = MatX::Identity(n, n);
    VecX right = VecX::Zero(n);
    for (int i = 0; i < n; ++i) {
      if (!isFree[i]) continue;
      right[i] = -b[i];
      for (int j = 0; j < n; ++j) k(i, j) = isFree[j] ? a(i, j) : 0;
    }
    const VecX lambda = solveDense(k, right), w = a * lambda + b;
    bool isSolved = true;
    for (int i = 0; i < n; ++i) {
      if (isFree[i] ? lambda[i] >= 0 : w[i] >= 0) continue;
      isFree[i] = !isFree[i];
      isSolved = false;
    }
    if (isSolved) return false;
  }
  return true;
}

// Twenty rows of which eight are independent but for a compliance, as of many contacts between few
// bodies. Block pivots circle in a good share of such problems; descent solves each.
TEST(Pgcg, ProblemsWhoseBlockPivotsCircle_AreSolved) {
  Random random(8);
  int circling = 0;
  const auto solver = makePgcgSolver();
  for (int trial = 0; trial < 2000 && circling < 25; ++trial) {
    constexpr int kRows = 20, kRank = 8;
    const MatX g = MatX::NullaryExpr(kRows, kRank, [&] { return random.uniform(-1, 1); });
    const MatX a = g * g.transpose() + 1e-3 * MatX::Identity(kRows, kRows);
    const VecX b = VecX::NullaryExpr(kRows, [&] { return random.uniform(-1, 1); });
    if (!blockPivotsCircle(a, b)) continue;
    ++circling;
    const StoredProblem stored = lcp(a, b);
    const MlcpAnswer answer = solveMlcp(*solver, stored);
    EXPECT_EQ(answer.report.status, SolveStatus::kConverged) << trial;
    const VecX w = velocityOf(stored, answer.lambda);
    EXPECT_GE(w.minCoeff(), -1e-8) << trial;
    EXPECT_GE(answer.lambda.minCoeff(), 0) << trial;
    EXPECT_LT(std::abs(w.dot(answer.lambda)), 1e-7) << trial;
  }
  EXPECT_EQ(circling, 25);
}

// Bilateral rows: one inner loop of plain conjugate gradients, which ends within as many steps as
// there are rows, and a few more for round-off. Two rounds: to the inner tolerance, then to the
// end.
TEST(Pgcg, BilateralRows_AreOneRunOfConjugateGradients) {
  Random random(12);
  constexpr int kRows = 12;
  const MatX root = MatX::NullaryExpr(kRows, kRows, [&] { return random.uniform(-1, 1); });
  const MatX a = root * root.transpose() + 0.1 * MatX::Identity(kRows, kRows);
  const VecX b = VecX::NullaryExpr(kRows, [&] { return random.uniform(-1, 1); });
  const VecX none = VecX::Constant(kRows, kInfinity);
  const auto solver = makePgcgSolver();
  applySetting(*solver, "preconditioner", std::string("none"));
  const MlcpAnswer answer = solveMlcp(*solver, mlcp(a, b, -none, none));
  EXPECT_EQ(answer.report.status, SolveStatus::kConverged);
  EXPECT_EQ(answer.report.pivots, 0);
  EXPECT_LE(answer.report.iterations, 2);
  EXPECT_LE(answer.report.innerIterations, 2 * kRows);
  EXPECT_LT((a * answer.lambda + b).cwiseAbs().maxCoeff(), 1e-10);
}

// Sixty rows, nearly all of which end at their upper bounds.
// Going on along the bounds takes them in a few steps, where one bound a step takes one each.
TEST(Pgcg, ProjectedSteps_TightenManyRowsAtOnce) {
  Random random(4);
  constexpr int kRows = 60;
  const MatX root = MatX::NullaryExpr(kRows, kRows, [&] { return random.uniform(-0.1, 0.1); });
  const MatX a = root * root.transpose() + MatX::Identity(kRows, kRows);
  const VecX b = VecX::NullaryExpr(kRows, [&] { return random.uniform(-1, -0.5); });
  const StoredProblem stored = mlcp(
      a, b, VecX::Zero(kRows), VecX::NullaryExpr(kRows, [&] { return random.uniform(0, 0.2); }));
  const auto solver = makePgcgSolver();
  const MlcpAnswer projected = solveMlcp(*solver, stored);
  auto& pgcg = dynamic_cast<GeneralizedCg&>(dynamic_cast<MlcpSolver&>(*solver).method());
  pgcg.settings.projectsSteps = false;
  const MlcpAnswer cut = solveMlcp(*solver, stored);
  EXPECT_EQ(projected.report.status, SolveStatus::kConverged);
  EXPECT_EQ(cut.report.status, SolveStatus::kConverged);
  EXPECT_LT((projected.lambda - cut.lambda).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_GE(cut.report.innerIterations, kRows / 2);
  EXPECT_LT(5 * projected.report.innerIterations, cut.report.innerIterations);
}

// The sphere between closing planes: both normals grow together without end.
TEST(Pgcg, SqueezedSphere_IsInfeasible) {
  const Solved solved = solveWith(*makePgcgSolver(), sphereSqueezed(FrictionModel::kNone, 0));
  EXPECT_EQ(solved.report.status, SolveStatus::kInfeasible);
}

// Of a row that has just been freed the preconditioned residual may point out of the bound although
// its own points in. Tight again at once it would be freed again in the next round: 8,600 pivots
// instead of 6,800, and with more rows blocks of them that come and go.
TEST(Pgcg, FreedRows_AreNotLedOutAgain) {
  const auto solver = makePgcgSolver();
  applySetting(*solver, "preconditioner", std::string("ic0-imaginary"));
  int pivots = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    StoredProblem stored = randomPile(FrictionModel::kBox, 4, 4, 3, 0.4, seed);
    stored.compliance.assign(stored.b.size(), 1e-6);
    for (ProblemBlock& block : stored.blocks) block.normalBound = 0.05 * static_cast<Real>(seed);
    const Solved solved = solveWith(*solver, stored);
    EXPECT_EQ(solved.report.status, SolveStatus::kConverged) << seed;
    pivots += solved.report.pivots;
  }
  EXPECT_LT(pivots, 7700);
}

// Where |b| itself would do, a tenth of the largest w of a wrong sign ends an inner loop instead.
TEST(Pgcg, LoosestInnerTolerance_TakesFewMoreRounds) {
  const auto solver = makePgcgSolver();
  int tight = 0, loose = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    applySetting(*solver, "inner_tolerance", 1e-10);
    tight += solveWith(*solver, boxPile(seed)).report.iterations;
    applySetting(*solver, "inner_tolerance", 1.0);
    loose += solveWith(*solver, boxPile(seed)).report.iterations;
  }
  EXPECT_LT(loose, 1.5 * tight);
}

// w = (0.3 1 + S) λ + b with S = −Sᵀ: nothing falls, and 200 rounds without a smaller error end it.
TEST(Pgcg, UnsymmetricMatrix_IsStalledWithinAFewHundredRounds) {
  Random random(5);
  constexpr int kRows = 6;
  const auto solver = makePgcgSolver();
  for (int trial = 0; trial < 5; ++trial) {
    const MatX a = MatX::NullaryExpr(kRows, kRows, [&] { return random.uniform(-1.5, 1.5); });
    const VecX b = VecX::NullaryExpr(kRows, [&] { return random.uniform(-1, 1); });
    const VecX one = VecX::Ones(kRows);
    const MlcpAnswer answer = solveMlcp(
        *solver, mlcp(0.3 * MatX::Identity(kRows, kRows) + a - a.transpose(), b, -one, one));
    EXPECT_EQ(answer.report.status, SolveStatus::kStalled) << trial;
    EXPECT_LT(answer.report.iterations, 500) << trial;
    EXPECT_TRUE(answer.lambda.allFinite()) << trial;
  }
}

// −½ λ² + λ has no minimum without bounds, so there is nowhere to come down to: λ = 1, where w = 0,
// is its maximum. Between bounds the lower end of the two is the answer of least objective.
TEST(Pgcg, ObjectiveThatBendsDown_IsStalledOrEndsAtABound) {
  const MatX a = MatX::Constant(1, 1, -1);
  const VecX one = VecX::Ones(1);
  const auto solver = makePgcgSolver();
  const MlcpAnswer unbounded = solveMlcp(*solver, mlcp(a, one, -kInfinity * one, kInfinity * one));
  EXPECT_EQ(unbounded.report.status, SolveStatus::kStalled);
  EXPECT_TRUE(unbounded.lambda.allFinite());
  const MlcpAnswer bounded = solveMlcp(*solver, mlcp(a, one, -3 * one, 3 * one));
  EXPECT_EQ(bounded.report.status, SolveStatus::kConverged);
  EXPECT_EQ(bounded.lambda[0], -3);
}

// One step allowed: not solved, said so, and no worse than nothing.
TEST(Pgcg, TooFewSteps_AreSaidToBe) {
  const StoredProblem stored = boxPile(2);
  const auto solver = makePgcgSolver();
  applySetting(*solver, "max_inner_iterations", std::int64_t{1});
  const Solved solved = solveWith(*solver, {.iterations = 2}, stored);
  EXPECT_EQ(solved.report.status, SolveStatus::kIterationLimit);
  JudgeWorkspace workspace;
  const std::vector<Real> zero(solved.lambda.size(), 0.0);
  EXPECT_LE(solved.judged.naturalMap, judge(stored.view(), zero, workspace).naturalMap);
}

}  // namespace
}  // namespace drystone::test
