// The Schur-complement engine by itself: what it solves, how often, and when it factors anew.
#include <gtest/gtest.h>

#include <cmath>

#include "solvers/linear/bordered_factor.h"
#include "solvers/staggered/qp/schur_system.h"
#include "tests/support/matrices.h"
#include "tests/unit/solvers/staggered/qp_problems.h"

namespace drystone::test {
namespace {

/// A system over a random band matrix, all of whose bounds are 0 and 1.
class SchurBench {
 public:
  SchurBench(int n, int bandwidth, std::uint64_t seed, int maxSolves = 500) {
    Random random(seed);
    qp_ = randomBandQp(random, n, bandwidth);
    qp_.upper = VecX::Ones(n);
    hessian_ = symmetricFromDense(qp_.dense);
    extra_ = VecX::Constant(n, 0.01);
    k0_.attach(hessian_);
    system.attach(hessian_, spanOf(extra_), k0_, maxSolves);
    begin();
    sets.assign(n, RowState::kFree);
    x = VecX::Zero(n);
  }
  void begin() { system.begin({&hessian_, spanOf(qp_.c), spanOf(qp_.lower), spanOf(qp_.upper)}); }
  void setLinear(const VecX& c) {
    qp_.c = c;
    begin();
  }
  bool solve() { return system.solve(sets, spanOf(x)); }

  /// x of the sets by a dense factor.
  VecX expected() const {
    const auto n = static_cast<Eigen::Index>(sets.size());
    MatX k = MatX::Identity(n, n);
    VecX right = qp_.c;
    for (Eigen::Index i = 0; i < n; ++i) {
      if (sets[i] == RowState::kFree) {
        k.row(i) = qp_.dense.row(i);
        k(i, i) += extra_[i];
      } else {
        right[i] = sets[i] == RowState::kUpper ? 1 : 0;
      }
    }
    return solveDense(k, right);
  }
  Real entry(int i, int j) const { return qp_.dense(i, j) + (i == j ? extra_[i] : 0); }
  Real error() const { return (x - expected()).cwiseAbs().maxCoeff(); }

  SchurSystem system;
  std::vector<RowState> sets;
  VecX x;

 private:
  OwnedQp qp_;
  SymmetricMatrix hessian_;
  VecX extra_;
  BandedK0 k0_;
};

// Free, lower and upper change places at random, several at a time.
TEST(SchurSystem, EveryWorkingSetOfAWalk_HasTheSolutionOfADenseFactor) {
  SchurBench bench(60, 7, 1);
  Random random(2);
  for (int step = 0; step < 60; ++step) {
    for (int k = 0; k < 4; ++k) {
      const int i = static_cast<int>(random.uniform() * 60);
      const Real choice = random.uniform();
      bench.sets[i] = choice < 0.4   ? RowState::kFree
                      : choice < 0.7 ? RowState::kLower
                                     : RowState::kUpper;
    }
    ASSERT_TRUE(bench.solve());
    ASSERT_LT(bench.error(), 1e-11) << step;
  }
  EXPECT_EQ(bench.system.factorizations(), 1);
}

// The first working set takes one right-hand side; a variable that is fixed or released one more;
// going back takes none, since v and the other columns stand.
TEST(SchurSystem, ChangeUndone_RemovesItsColumnAndTakesNoSolve) {
  SchurBench bench(40, 5, 3);
  bench.sets[7] = bench.sets[9] = RowState::kLower;
  ASSERT_TRUE(bench.solve());
  EXPECT_EQ(bench.system.solves(), 1);
  const VecX first = bench.x;

  bench.sets[20] = RowState::kLower;  // fixed
  bench.sets[7] = RowState::kFree;    // released
  ASSERT_TRUE(bench.solve());
  EXPECT_EQ(bench.system.solves(), 3);
  EXPECT_LT(bench.error(), 1e-12);

  bench.sets[7] = RowState::kLower;
  ASSERT_TRUE(bench.solve());
  EXPECT_EQ(bench.system.solves(), 3);
  EXPECT_LT(bench.error(), 1e-12);

  bench.sets[20] = RowState::kFree;
  ASSERT_TRUE(bench.solve());
  EXPECT_EQ(bench.system.solves(), 3);
  EXPECT_EQ(bench.x, first);
}

// Only v = K_0⁻¹ (c, bounds) is made anew.
TEST(SchurSystem, NewLinearTerm_KeepsTheFactorAndTheColumns) {
  SchurBench bench(40, 5, 4);
  ASSERT_TRUE(bench.solve());
  for (const int i : {3, 14, 15, 30}) bench.sets[i] = RowState::kLower;
  ASSERT_TRUE(bench.solve());
  EXPECT_EQ(bench.system.solves(), 5);
  bench.setLinear(VecX::Ones(40));
  ASSERT_TRUE(bench.solve());
  EXPECT_EQ(bench.system.solves(), 6);
  EXPECT_EQ(bench.system.factorizations(), 1);
  EXPECT_LT(bench.error(), 1e-12);
}

// A variable fixed at first that goes to its other bound is no change of K_0, but one of v.
TEST(SchurSystem, VariableAtItsOtherBound_TakesOneSolve) {
  SchurBench bench(30, 4, 5);
  bench.sets[11] = RowState::kLower;
  ASSERT_TRUE(bench.solve());
  bench.sets[11] = RowState::kUpper;
  ASSERT_TRUE(bench.solve());
  EXPECT_EQ(bench.system.solves(), 2);
  EXPECT_LT(bench.error(), 1e-12);
}

TEST(SchurSystem, MoreColumnsThanAllowed_AreReplacedByANewFactor) {
  SchurBench bench(40, 5, 6, 3);
  ASSERT_TRUE(bench.solve());
  for (int i = 0; i < 3; ++i) bench.sets[i] = RowState::kLower;
  ASSERT_TRUE(bench.solve());
  EXPECT_EQ(bench.system.factorizations(), 1);
  bench.sets[3] = RowState::kLower;
  ASSERT_TRUE(bench.solve());
  EXPECT_EQ(bench.system.factorizations(), 2);
  EXPECT_LT(bench.error(), 1e-12);
  // The four are part of K_0 now: three more fit.
  for (int i = 10; i < 13; ++i) bench.sets[i] = RowState::kUpper;
  ASSERT_TRUE(bench.solve());
  EXPECT_EQ(bench.system.factorizations(), 2);
  EXPECT_LT(bench.error(), 1e-12);
}

// Kx = r of the working set at hand, not of the first one.
TEST(SchurSystem, Correction_IsAStepOfRefinementInThePresentSet) {
  SchurBench bench(40, 5, 7);
  bench.sets[2] = RowState::kLower;
  ASSERT_TRUE(bench.solve());
  for (const int i : {2, 8, 21}) {
    bench.sets[i] = bench.sets[i] == RowState::kFree ? RowState::kUpper : RowState::kFree;
  }
  ASSERT_TRUE(bench.solve());
  // An x that is off by d in a free variable has the residual −(H d)_F there.
  const VecX exact = bench.x;
  VecX wrong = exact;
  wrong[30] += 0.5;
  VecX right = VecX::Zero(40);
  for (int i = 0; i < 40; ++i) {
    if (bench.sets[i] == RowState::kFree) right[i] = -0.5 * bench.entry(i, 30);
  }
  bench.system.correct(spanOf(right), spanOf(wrong));
  EXPECT_LT((wrong - exact).cwiseAbs().maxCoeff(), 1e-12);
}

// H has eigenvalues from 1e-9 to 1; the answer is refined to the tolerance all the same.
TEST(SchurpaRefinement, IllConditionedHessian_IsSolvedToTheTolerance) {
  Random random(8);
  for (int k = 0; k < 10; ++k) {
    OwnedQp qp = randomQp(random, 30, 12, 1e-9);
    QpBench bench(QpEngine::kSchurpa, qp, {.proximal = 1e-10});
    const QpReport report = bench.solve();
    EXPECT_EQ(report.status, SolveStatus::kConverged) << k;
    EXPECT_LE(report.kktError, 1e-9) << k;
  }
}

MatX quasiDefinite(Random& random, int n) {
  MatX a = MatX::NullaryExpr(n, n, [&] { return random.uniform(-1, 1); });
  a = (a + a.transpose()).eval();
  for (int i = 0; i < n; ++i) a(i, i) = (i % 3 == 0 ? -1 : 1) * (n + 1.0);
  return a;
}

TEST(BorderedFactor, GrownAndShrunk_SolvesAsADenseFactor) {
  Random random(9);
  MatX a = quasiDefinite(random, 25);
  BorderedFactor factor;
  const auto expectSolves = [&](const MatX& matrix) {
    VecX x = VecX::LinSpaced(matrix.rows(), -1, 2);
    const VecX expected = solveDense(matrix, x);
    ASSERT_TRUE(factor.factor());
    factor.solve(spanOf(x));
    EXPECT_LT((x - expected).cwiseAbs().maxCoeff(), 1e-12);
  };
  for (int i = 0; i < 25; ++i) {
    const VecX row = a.row(i).head(i + 1);
    factor.append(spanOf(row));
    if (i % 6 == 0) expectSolves(a.topLeftCorner(i + 1, i + 1));
  }
  expectSolves(a);
  for (const int gone : {24, 0, 11, 5}) {
    factor.remove(gone);
    const auto size = a.rows();
    MatX rest(size - 1, size - 1);
    for (Eigen::Index i = 0, to = 0; i < size; ++i) {
      if (i == gone) continue;
      for (Eigen::Index j = 0, column = 0; j < size; ++j) {
        if (j != gone) rest(to, column++) = a(i, j);
      }
      ++to;
    }
    a = rest;
    expectSolves(a);
  }
}

TEST(BorderedFactor, DependentRow_IsRefused) {
  BorderedFactor factor;
  const Real one[] = {2}, twice[] = {4, 8};
  factor.append(one);
  EXPECT_TRUE(factor.factor());
  factor.append(twice);
  EXPECT_FALSE(factor.factor());
  factor.remove(1);
  EXPECT_TRUE(factor.factor());
}

}  // namespace
}  // namespace drystone::test
