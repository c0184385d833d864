#include <gtest/gtest.h>

#include <cmath>

#include "core/random.h"
#include "solvers/linear/dense_factor.h"
#include "solvers/pivoting/pivoting.h"
#include "tests/support/matrices.h"
#include "tests/support/mlcp.h"

namespace drystone::test {
namespace {

struct PivotRun {
  PivotOutcome outcome;
  std::vector<Real> lambda;
  std::vector<RowState> states;
};

PivotRun pivot(const StoredProblem& stored, const PivotSettings& settings = {},
               std::vector<RowState> states = {}) {
  const ContactProblem problem = stored.view();
  RowSystem rows;
  rows.prepare(problem, false);
  DenseFactor factor;
  FreeSystem system;
  system.attach(rows, factor, BasisKind::kGeneral);
  Candidate candidate;
  candidate.attach(rows, system);
  RowBounds bounds;
  bounds.assign(problem);
  PivotRun run;
  run.lambda.assign(problem.rowCount(), 0);
  states.resize(problem.rowCount(), RowState::kUnknown);
  IndexSets sets;
  sets.start(bounds, states, run.lambda);
  BlockPivoting pivoting;
  run.outcome = pivoting.run(candidate, bounds, settings, sets, run.lambda, nullptr);
  run.states.assign(sets.states().begin(), sets.states().end());
  return run;
}

/// The solution by trying all 3^n index sets; unique for a positive definite A.
VecX byEnumeration(const MatX& a, const VecX& b, const VecX& lower, const VecX& upper) {
  const int n = static_cast<int>(b.size());
  int sets = 1;
  for (int i = 0; i < n; ++i) sets *= 3;
  for (int code = 0; code < sets; ++code) {
    MatX k = MatX::Identity(n, n);
    VecX right(n);
    std::vector<int> state(n);
    bool possible = true;
    for (int i = 0, rest = code; i < n; ++i, rest /= 3) {
      state[i] = rest % 3;
      if (state[i] == 0) {
        k.row(i) = a.row(i);
        right[i] = -b[i];
      } else {
        right[i] = state[i] == 1 ? lower[i] : upper[i];
        possible = possible && std::isfinite(right[i]);
      }
    }
    if (!possible) continue;
    const VecX lambda = solveDense(k, right);
    const VecX w = a * lambda + b;
    bool good = true;
    for (int i = 0; i < n; ++i) {
      if (state[i] == 0)
        good = good && lambda[i] >= lower[i] - 1e-9 && lambda[i] <= upper[i] + 1e-9;
      if (state[i] == 1) good = good && w[i] >= -1e-9;
      if (state[i] == 2) good = good && w[i] <= 1e-9;
    }
    if (good) return lambda;
  }
  ADD_FAILURE() << "no index set solves the problem";
  return VecX::Zero(n);
}

// Random positive definite A with n ≤ 6 and boxes, half-lines and free rows mixed. A is well
// conditioned (its diagonal is at least 0.5 above singular), so that 1e-9 is far above round-off.
TEST(BlockPivoting, RandomBoxes_MatchEnumerationOfAllIndexSets) {
  Random random(11);
  for (int trial = 0; trial < 200; ++trial) {
    const int n = 1 + trial % 6;
    const MatX root = MatX::NullaryExpr(n, n, [&] { return random.uniform(-1, 1); });
    const MatX a = root * root.transpose() + 0.5 * MatX::Identity(n, n);
    const VecX b = VecX::NullaryExpr(n, [&] { return random.uniform(-2, 2); });
    VecX lower(n), upper(n);
    for (int i = 0; i < n; ++i) {
      lower[i] = random.uniform() < 0.2 ? -kInfinity : random.uniform(-1, 0);
      upper[i] = random.uniform() < 0.3 ? kInfinity : random.uniform(0, 1);
    }
    const PivotRun run = pivot(mlcp(a, b, lower, upper));
    EXPECT_EQ(run.outcome.status, SolveStatus::kConverged) << trial;
    const VecX expected = byEnumeration(a, b, lower, upper);
    for (int i = 0; i < n; ++i) EXPECT_NEAR(run.lambda[i], expected[i], 1e-9) << trial;
  }
}

// Ben Gharbia and Gilbert: for the P-matrix with rows (1 0 2), (2 1 0), (0 2 1) and b = −1,
// moving every violator at once runs {1} → {2} → {3} → {1} … from a single free row. The solution
// solves A λ = 1, so λ = 1/3 each.
TEST(BlockPivoting, CyclingPMatrix_IsSolvedBySinglePivots) {
  MatX a(3, 3);
  a << 1, 0, 2, 2, 1, 0, 0, 2, 1;
  const VecX b = VecX::Constant(3, -1), lower = VecX::Zero(3);
  const VecX upper = VecX::Constant(3, kInfinity);
  const PivotRun run =
      pivot(mlcp(a, b, lower, upper), {}, {RowState::kFree, RowState::kLower, RowState::kLower});
  EXPECT_EQ(run.outcome.status, SolveStatus::kConverged);
  for (const Real value : run.lambda) EXPECT_NEAR(value, 1.0 / 3, 1e-14);
}

// Murty's matrix (1 on the diagonal, 2 above): single pivots in this order of the rows need up to
// 2^16 − 1 candidates. The limit of 60 allows for one fruitless run of them; then the other order
// finds λ = e_n, the answer for b = −1, in about n.
TEST(BlockPivoting, MurtysExponentialExample_TakesFewRounds) {
  constexpr int kSize = 16;
  MatX a = MatX::Identity(kSize, kSize);
  for (int i = 0; i < kSize; ++i) {
    for (int j = i + 1; j < kSize; ++j) a(i, j) = 2;
  }
  const VecX b = VecX::Constant(kSize, -1), lower = VecX::Zero(kSize);
  const PivotRun run = pivot(mlcp(a, b, lower, VecX::Constant(kSize, kInfinity)));
  EXPECT_EQ(run.outcome.status, SolveStatus::kConverged);
  EXPECT_LT(run.outcome.rounds, 60 + 3 * kSize);
  for (int i = 0; i < kSize; ++i) EXPECT_NEAR(run.lambda[i], i == kSize - 1 ? 1 : 0, 1e-14);
}

// λ_1 + λ_2 cannot undo b = (−1, −1) when A = (1 −1; −1 1): w_1 + w_2 = −2 whatever λ.
TEST(BlockPivoting, InfeasibleProblem_IsNotCalledSolved) {
  MatX a(2, 2);
  a << 1, -1, -1, 1;
  const VecX b = VecX::Constant(2, -1), lower = VecX::Zero(2);
  const PivotRun run = pivot(mlcp(a, b, lower, VecX::Constant(2, kInfinity)));
  EXPECT_NE(run.outcome.status, SolveStatus::kConverged);
  for (const Real value : run.lambda) EXPECT_TRUE(std::isfinite(value));
}

TEST(IndexSets, Start_CorrectsStatesThatBoundsForbid) {
  RowBounds bounds;
  bounds.lower = {-kInfinity, 0, 2, 0, 0};
  bounds.upper = {kInfinity, kInfinity, 2, 1, 1};
  const std::vector<RowState> states = {RowState::kLower, RowState::kUpper, RowState::kFree,
                                        RowState::kUnknown, RowState::kUnknown};
  const std::vector<Real> lambda = {0, 0, 0, 1.5, 0};
  IndexSets sets;
  sets.start(bounds, states, lambda);
  EXPECT_TRUE(sets.free(0));             // bilateral
  EXPECT_TRUE(sets.free(1));             // no upper bound
  EXPECT_EQ(sets[2], RowState::kLower);  // bounds coincide
  EXPECT_EQ(sets[3], RowState::kUpper);  // the warm impulse has reached it
  EXPECT_TRUE(sets.free(4));             // no warm impulse: free
}

TEST(IndexSets, EqualSets_HaveEqualHashes) {
  RowBounds bounds;
  bounds.lower = {0, 0};
  bounds.upper = {1, 1};
  const std::vector<RowState> states = {RowState::kFree, RowState::kLower};
  const std::vector<Real> lambda = {0, 0};
  IndexSets a, b;
  a.start(bounds, states, lambda);
  b.start(bounds, states, lambda);
  EXPECT_EQ(a.hash(), b.hash());
  b.set(1, RowState::kUpper);
  EXPECT_NE(a.hash(), b.hash());
}

}  // namespace
}  // namespace drystone::test
