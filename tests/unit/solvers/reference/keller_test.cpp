#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "core/random.h"
#include "solvers/problem/judge.h"
#include "solvers/reference/reference_solvers.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/mlcp.h"
#include "tests/support/problems.h"

namespace drystone::test {
namespace {

MlcpAnswer solveByKeller(const StoredProblem& stored) {
  return solveMlcp(*makeKellerSolver(), stored);
}

// All λ > 0 for the second difference and b = −1: λ_i = i (n + 1 − i) / 2.
TEST(Keller, TridiagonalMatrix_HasClosedForm) {
  constexpr int kSize = 20;
  MatX a = 2 * MatX::Identity(kSize, kSize);
  for (int i = 0; i + 1 < kSize; ++i) a(i, i + 1) = a(i + 1, i) = -1;
  const MlcpAnswer solved = solveByKeller(lcp(a, VecX::Constant(kSize, -1)));
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
  const MlcpAnswer solved = solveByKeller(lcp(m * m.transpose(), VecX::Constant(kSize, -1)));
  EXPECT_EQ(solved.report.status, SolveStatus::kConverged);
  EXPECT_LT(solved.report.iterations, 3 * kSize);
  for (int i = 0; i < kSize; ++i) EXPECT_NEAR(solved.lambda[i], i == 0 ? 1 : 0, 1e-9);
}

// w_1 = −1 whatever λ.
TEST(Keller, RowWithoutEntriesAndNegativeVelocity_IsInfeasible) {
  MatX a = MatX::Zero(2, 2);
  EXPECT_EQ(solveByKeller(lcp(a, VecX::Constant(2, -1))).report.status, SolveStatus::kInfeasible);
  a(1, 1) = 1;
  const MlcpAnswer solved = solveByKeller(lcp(a, VecX::Constant(2, -1)));
  EXPECT_EQ(solved.report.status, SolveStatus::kInfeasible);
  for (const Real value : solved.lambda) EXPECT_TRUE(std::isfinite(value));
}

// w_1 + w_2 = −2 whatever λ: the objective falls for ever along (1, 1).
TEST(Keller, ObjectiveWithoutLowerBound_IsInfeasible) {
  MatX a(2, 2);
  a << 1, -1, -1, 1;
  const MlcpAnswer solved = solveByKeller(lcp(a, VecX::Constant(2, -1)));
  EXPECT_EQ(solved.report.status, SolveStatus::kInfeasible);
  EXPECT_LT(solved.lambda.cwiseAbs().maxCoeff(), 10);
}

// The same with an upper bound of 3 in the way of λ_2: w_1 = 0 at λ_1 = 3 + 1, w_2 = −2 < 0.
TEST(Keller, ZeroCurvature_EndsAtTheBoundInTheWay) {
  MatX a(2, 2);
  a << 1, -1, -1, 1;
  VecX upper(2);
  upper << kInfinity, 3;
  const MlcpAnswer solved = solveByKeller(mlcp(a, VecX::Constant(2, -1), VecX::Zero(2), upper));
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
  const MlcpAnswer solved = solveByKeller(mlcp(a, b, lower, upper));
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
    const MlcpAnswer solved =
        solveMlcp(*solver, lcp(a, b), {}, std::vector<RowState>(kSize, start));
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
  const MlcpAnswer solved =
      solveMlcp(*makeKellerSolver(), lcp(a, VecX::Constant(3, -1)), {}, states);
  EXPECT_LT(solved.report.iterations, 100);
  if (solved.report.status == SolveStatus::kConverged) {
    for (const Real value : solved.lambda) EXPECT_NEAR(value, 1.0 / 3, 1e-12);
  } else {
    EXPECT_EQ(solved.report.status, SolveStatus::kCycled);
  }
}

TEST(Keller, BoxStack_HasTheVelocityOfBlockPivoting) {
  const StoredProblem stored = boxStack(FrictionModel::kBox, {1, 2, 1, 3}, 0.5, 1e-9);
  const MlcpAnswer solved = solveByKeller(stored), expected = solveMlcp(*makeBppSolver(), stored);
  EXPECT_EQ(solved.report.status, SolveStatus::kConverged);
  const VecX w = velocityOf(stored, solved.lambda), wExpected = velocityOf(stored, expected.lambda);
  EXPECT_LT((w - wExpected).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(Keller, OwnSets_EndInOneRound) {
  const StoredProblem stored = boxStack(FrictionModel::kBox, {1, 1, 1}, 0.5, 1e-9);
  const auto solver = makeKellerSolver();
  const MlcpAnswer first = solveMlcp(*solver, stored);
  const MlcpAnswer second = solveMlcp(*solver, stored, first.lambda, first.state);
  EXPECT_EQ(second.report.iterations, 1);
  EXPECT_EQ(second.report.pivots, 0);
}

TEST(Keller, RoundLimit_LeavesFeasibleImpulses) {
  const StoredProblem stored = randomPile(FrictionModel::kNone, 3, 3, 3, 0.5, 5);
  const auto solver = makeKellerSolver();
  const MlcpAnswer solved = solveMlcp(*solver, stored, {.iterations = 2});
  EXPECT_EQ(solved.report.status, SolveStatus::kIterationLimit);
  EXPECT_GE(solved.lambda.minCoeff(), 0);
}

TEST(Keller, SecondSolve_AllocatesNothing) {
  const StoredProblem stored = boxStack(FrictionModel::kBox, {1, 1, 1}, 0.5, 1e-9);
  const ContactProblem problem = stored.view();
  const auto solver = makeKellerSolver();
  std::vector<Real> lambda(problem.rowCount());
  std::vector<RowState> state(problem.rowCount());
  solver->solve(problem, {}, {lambda, state});
  std::fill(lambda.begin(), lambda.end(), 0.0);
  std::fill(state.begin(), state.end(), RowState::kUnknown);
  const std::int64_t before = allocationCount();
  solver->solve(problem, {}, {lambda, state});
  EXPECT_EQ(allocationCount(), before);
}

}  // namespace
}  // namespace drystone::test
