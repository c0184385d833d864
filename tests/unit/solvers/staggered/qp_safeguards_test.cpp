// What the QP layer does when something goes wrong: factors that fail or drift, sets that recur,
// numbers that are none; and what it reports of its work.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/mlcp.h"
#include "tests/unit/solvers/staggered/qp_problems.h"

namespace drystone::test {
namespace {

/// Another solver that counts, and whose answers may be off by a share of themselves.
class OffK0 final : public K0Solve {
 public:
  void attach(const SymmetricMatrix& hessian) { exact_.attach(hessian); }
  bool factor(std::span<const int> free, std::span<const Real> extra) override {
    ++factors;
    return exact_.factor(free, extra);
  }
  void solve(std::span<Real> columns, int count) override {
    solves += count;
    exact_.solve(columns, count);
    const Real share = shares[std::min<std::size_t>(factors, shares.size()) - 1];
    for (Real& x : columns) x *= 1 + share;
  }
  int solvesPerFactor() const override { return 1000; }

  std::vector<Real> shares = {0};  ///< with the first factor, the second …; the last one holds on
  int factors = 0, solves = 0;

 private:
  BandedK0 exact_;
};

/// A QP that is solved with such a K_0.
class OffBench {
 public:
  explicit OffBench(const OwnedQp& owned) : qp(owned), hessian(symmetricFromDense(qp.dense)) {
    metric = VecX::Constant(qp.c.size(), qp.dense.diagonal().cwiseAbs().maxCoeff());
    x = VecX::Zero(qp.c.size());
    sets.assign(qp.c.size(), RowState::kUnknown);
  }
  QpReport solve(const QpSettings& settings) {
    k0.attach(hessian);
    pdasm.attach(hessian, spanOf(metric), k0, settings);
    return pdasm.solve({&hessian, spanOf(qp.c), spanOf(qp.lower), spanOf(qp.upper)}, sets,
                       spanOf(x));
  }
  /// KKT error of the x left behind.
  Real error() {
    const VecX gradient = qp.dense * x - qp.c;
    return kktError({&hessian, spanOf(qp.c), spanOf(qp.lower), spanOf(qp.upper)}, spanOf(metric),
                    spanOf(x), spanOf(gradient));
  }

  OwnedQp qp;
  SymmetricMatrix hessian;
  VecX metric, x;
  std::vector<RowState> sets;
  OffK0 k0;
  Pdasm pdasm;
};

class QpSafeguards : public ::testing::TestWithParam<QpEngine> {};
INSTANTIATE_TEST_SUITE_P(Engines, QpSafeguards,
                         ::testing::Values(QpEngine::kSchurpa, QpEngine::kDirect), engineName);

// Solves that are off by 1e-3 leave 1e-3 of the residual each time: four take it from 1 to 1e-12.
TEST_P(QpSafeguards, DriftOfTheSolves_IsRefinedAway) {
  Random random(1);
  for (int k = 0; k < 5; ++k) {
    OffBench bench(randomBandQp(random, 80, 6));
    bench.k0.shares = {1e-3};
    const QpReport report = bench.solve({.engine = GetParam()});
    EXPECT_EQ(report.status, SolveStatus::kConverged);
    EXPECT_LE(bench.error(), 2e-10);
    EXPECT_GE(report.refinements, 3);
    EXPECT_LE(report.refinements, 4 * report.iterations);
    EXPECT_EQ(report.descents, 0);
  }
}

// What four refinements do not mend takes a factor of the working set at hand, and one only.
TEST(SchurpaSafeguards, DriftBeyondRefinement_TakesOneNewFactor) {
  Random random(2);
  for (int k = 0; k < 5; ++k) {
    OffBench bench(randomBandQp(random, 80, 6));
    bench.k0.shares = {0.9, 0};
    const QpReport report = bench.solve({});
    EXPECT_EQ(report.status, SolveStatus::kConverged);
    EXPECT_LE(bench.error(), 2e-10);
    EXPECT_GT(report.iterations, 1);
    EXPECT_EQ(report.factorizations, 2);
    EXPECT_EQ(report.descents, 0);
    EXPECT_EQ(report.interiorSteps, 0);
  }
}

TEST_P(QpSafeguards, SolvesThatNothingMends_AreNotCalledAnAnswer) {
  Random random(3);
  OffBench bench(randomBandQp(random, 80, 6));
  bench.k0.shares = {0.9};
  const QpReport report = bench.solve({.engine = GetParam()});
  EXPECT_NE(report.status, SolveStatus::kConverged);
  EXPECT_GT(report.kktError, 1e-3);
}

// H has a row of zeros and nothing makes it definite: no factor, and no solution either. The start
// is no answer.
TEST_P(QpSafeguards, FactorThatFails_IsNotCalledAnAnswer) {
  OwnedQp qp{MatX::Zero(2, 2), VecX::Ones(2), VecX::Zero(2), VecX::Constant(2, kInfinity)};
  qp.dense(0, 0) = 1;
  OffBench bench(qp);
  const QpReport report = bench.solve({.engine = GetParam()});
  EXPECT_NE(report.status, SolveStatus::kConverged);
  EXPECT_GT(report.kktError, 0.1);
  EXPECT_TRUE(bench.x.allFinite());
}

TEST_P(QpSafeguards, NumbersThatAreNone_EndTheSolveWithTheStart) {
  Random random(4);
  for (const Real bad : {std::numeric_limits<Real>::quiet_NaN(), kInfinity}) {
    OffBench bench(randomBandQp(random, 20, 3));
    bench.qp.c[7] = bad;
    const QpReport report = bench.solve({.engine = GetParam(), .proximal = 1e-8});
    EXPECT_EQ(report.status, SolveStatus::kNumericalFailure);
    EXPECT_EQ(bench.x, VecX::Zero(20));
  }
}

// A working set is solved when no free variable is out of its bounds by more than the tolerance
// over the metric. What is reported is the error of the answer, which is within them.
TEST_P(QpSafeguards, ReportedError_IsThatOfTheAnswer) {
  Random random(5);
  int inexact = 0;
  for (int k = 0; k < 40; ++k) {
    OffBench bench(randomQp(random, 20, 20, 0.1));
    const QpReport report = bench.solve({.engine = GetParam(), .tolerance = 1});
    EXPECT_NEAR(report.kktError, bench.error(), 1e-12);
    inexact += report.kktError > 1e-3 ? 1 : 0;
  }
  EXPECT_GT(inexact, 0);
}

// By working sets, by descent, and by the interior point.
TEST_P(QpSafeguards, ReportedFactorsAndSolves_AreThoseOfK0) {
  Random random(6);
  for (const QpSettings& way : {QpSettings{}, QpSettings{.maxIterations = 0},
                                QpSettings{.maxIterations = 0, .maxDescents = 0}}) {
    QpSettings settings = way;
    settings.engine = GetParam();
    settings.proximal = 1e-8;
    OffBench bench(randomQp(random, 30, 20));
    const QpReport report = bench.solve(settings);
    EXPECT_EQ(report.status, SolveStatus::kConverged);
    EXPECT_EQ(report.factorizations, bench.k0.factors);
    EXPECT_EQ(report.solves, bench.k0.solves);
  }
}

// Each of the two fallbacks solves alone what enumeration solves, from anywhere.
TEST_P(QpSafeguards, DescentAlone_SolvesDefiniteQps) {
  Random random(7);
  for (int k = 0; k < 60; ++k) {
    const int n = 2 + k % 6;
    OffBench bench(randomQp(random, n, n, 0.1));
    bench.x = VecX::NullaryExpr(n, [&] { return random.uniform(-50, 50); });
    const QpReport report = bench.solve({.engine = GetParam(), .maxIterations = 0});
    EXPECT_EQ(report.status, SolveStatus::kConverged) << k;
    EXPECT_GT(report.descents, 0);
    EXPECT_EQ(report.interiorSteps, 0) << k;
    const VecX expected =
        velocityByEnumeration(bench.qp.dense, -bench.qp.c, bench.qp.lower, bench.qp.upper);
    EXPECT_LT((bench.qp.dense * bench.x - bench.qp.c - expected).cwiseAbs().maxCoeff(), 1e-8) << k;
  }
}

TEST_P(QpSafeguards, InteriorPointAlone_SolvesSemidefiniteQps) {
  Random random(8);
  for (int k = 0; k < 60; ++k) {
    const int n = 2 + k % 6;
    OffBench bench(randomQp(random, n, 1 + k % n));
    bench.x = VecX::NullaryExpr(n, [&] { return random.uniform(-50, 50); });
    const QpReport report = bench.solve(
        {.engine = GetParam(), .maxIterations = 0, .maxDescents = 0, .proximal = 1e-10});
    EXPECT_EQ(report.status, SolveStatus::kConverged) << k;
    EXPECT_EQ(report.descents, 0);
    EXPECT_LE(bench.error(), 2e-10) << k;
  }
}

// What is unknown starts at the bound that a warm start lies at; 0 says nothing.
TEST(AdmittedSets, UnknownVariables_FollowAWarmStart) {
  const std::vector<Real> x = {-1, 2, 0.5, 0, 0, 3, 1, 1};
  const std::vector<Real> lower = {-1, -1, -1, 0, -1, 3, -kInfinity, 0};
  const std::vector<Real> upper = {2, 2, 2, kInfinity, 1, 3, 5, kInfinity};
  std::vector<RowState> sets(8, RowState::kUnknown);
  sets[4] = RowState::kUpper;
  sets[6] = RowState::kLower;
  sets[7] = RowState::kUpper;
  BoxQp qp;
  qp.linear = x;
  qp.lower = lower;
  qp.upper = upper;
  admitSets(qp, x, sets);
  const std::vector<RowState> expected = {RowState::kLower, RowState::kUpper, RowState::kFree,
                                          RowState::kFree,  RowState::kUpper, RowState::kLower,
                                          RowState::kFree,  RowState::kFree};
  EXPECT_EQ(sets, expected);
}

}  // namespace
}  // namespace drystone::test
