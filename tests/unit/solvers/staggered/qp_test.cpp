// The QP layer on its own: both engines on QPs with bounds and on diamonds, against enumeration for
// small ones and block pivoting for larger ones.
#include <gtest/gtest.h>

#include <cmath>

#include "solvers/reference/reference_solvers.h"
#include "solvers/staggered/qp/diamond_qp.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/mlcp.h"
#include "tests/unit/solvers/staggered/qp_problems.h"

namespace drystone::test {
namespace {

class QpEngines : public ::testing::TestWithParam<QpEngine> {};
std::string qpEngineName(const ::testing::TestParamInfo<QpEngine>& info) {
  return info.param == QpEngine::kSchurpa ? "Schurpa" : "Direct";
}
INSTANTIATE_TEST_SUITE_P(Engines, QpEngines,
                         ::testing::Values(QpEngine::kSchurpa, QpEngine::kDirect), qpEngineName);

// The gradient Hx − c is unique for a semi-definite H, and enumeration knows it as w.
TEST_P(QpEngines, SmallRandomQps_HaveTheGradientOfEnumeration) {
  Random random(1);
  for (int k = 0; k < 150; ++k) {
    const int n = 1 + k % 7, rank = 1 + k % (n + 1);
    const OwnedQp qp = randomQp(random, n, rank);
    QpBench bench(GetParam(), qp, {.proximal = 1e-8});
    const QpReport report = bench.solve();
    EXPECT_EQ(report.status, SolveStatus::kConverged) << k;
    EXPECT_LE(report.kktError, 1e-9) << k;
    const VecX expected = velocityByEnumeration(qp.dense, -qp.c, qp.lower, qp.upper);
    EXPECT_LT((qp.dense * bench.x - qp.c - expected).cwiseAbs().maxCoeff(), 1e-8) << k;
    for (int i = 0; i < n; ++i) {
      EXPECT_GE(bench.x[i], qp.lower[i]);
      EXPECT_LE(bench.x[i], qp.upper[i]);
    }
  }
}

TEST_P(QpEngines, LargerRandomQps_HaveTheSolutionOfBlockPivoting) {
  Random random(2);
  const auto bpp = makeBppSolver();
  for (const int n : {20, 60, 120}) {
    for (int k = 0; k < 5; ++k) {
      const OwnedQp qp = randomQp(random, n, n, 0.1);
      QpBench bench(GetParam(), qp);
      const QpReport report = bench.solve();
      EXPECT_EQ(report.status, SolveStatus::kConverged);
      EXPECT_LE(report.kktError, 1e-9);
      const StoredProblem twin = mlcp(qp.dense, -qp.c, qp.lower, qp.upper);
      const MlcpAnswer answer = solveMlcp(*bpp, twin);
      ASSERT_EQ(answer.report.status, SolveStatus::kConverged);
      EXPECT_LT((bench.x - answer.lambda).cwiseAbs().maxCoeff(), 1e-7) << n;
    }
  }
}

// A start that is the answer takes one working set; nothing is factored a second time.
TEST_P(QpEngines, OwnSets_TakeOneIterationAndNoNewFactor) {
  Random random(3);
  QpBench bench(GetParam(), randomBandQp(random, 200, 12));
  const QpReport first = bench.solve();
  EXPECT_EQ(first.status, SolveStatus::kConverged);
  const VecX x = bench.x;
  const QpReport second = bench.solve();
  EXPECT_EQ(second.iterations, 1);
  EXPECT_EQ(second.changes, 0);
  EXPECT_EQ(second.factorizations, 0);
  EXPECT_LT((bench.x - x).cwiseAbs().maxCoeff(), 1e-12);
}

// The two engines solve the same systems: the same working sets one after the other.
TEST(QpEngineTwins, PerturbedStarts_TakeTheSameIterationsWithOneFactorAgainstOneEach) {
  Random random(4);
  const OwnedQp qp = randomBandQp(random, 500, 300);
  QpBench answer(QpEngine::kDirect, qp);
  answer.solve();
  for (const int delta : {0, 10, 20, 30, 40, 50}) {
    std::vector<RowState> start = answer.sets;
    for (int i = 0; i < delta; ++i) {
      start[i] = start[i] == RowState::kFree ? RowState::kLower : RowState::kFree;
    }
    QpBench schurpa(QpEngine::kSchurpa, qp), direct(QpEngine::kDirect, qp);
    schurpa.sets = direct.sets = start;
    const QpReport one = schurpa.solve(), other = direct.solve();
    EXPECT_EQ(one.iterations, other.iterations) << delta;
    EXPECT_EQ(one.changes, other.changes) << delta;
    EXPECT_EQ(one.factorizations, 1) << delta;
    EXPECT_EQ(other.factorizations, other.iterations) << delta;
    EXPECT_LE(one.kktError, 1e-9);
    EXPECT_LT((schurpa.x - direct.x).cwiseAbs().maxCoeff(), 1e-10) << delta;
    EXPECT_EQ(schurpa.sets, answer.sets) << delta;
    EXPECT_EQ(one.iterations == 1, delta == 0);
  }
}

/// x ≥ 0 with a symmetric positive definite H for which alg. 2.2, from all variables free, comes
/// back to working sets that it has seen: found by a search over small integer matrices.
OwnedQp cyclingQp() {
  OwnedQp qp{MatX(3, 3), VecX(3), VecX::Zero(3), VecX::Constant(3, kInfinity)};
  qp.dense << 27, -25, -28, -25, 66, 50, -28, 50, 45;
  qp.c << -4, 1, 4;
  return qp;
}

TEST_P(QpEngines, WorkingSetsThatRecur_AreSolvedByDescent) {
  const OwnedQp qp = cyclingQp();
  QpBench bench(GetParam(), qp, {.patience = 100});
  bench.sets.assign(3, RowState::kFree);
  const QpReport report = bench.solve();
  EXPECT_GT(report.descents, 0);
  EXPECT_EQ(report.interiorSteps, 0);
  EXPECT_LE(report.iterations, 8);  // three variables have no more sets
  EXPECT_EQ(report.status, SolveStatus::kConverged);
  EXPECT_LE(report.kktError, 1e-9);
  const VecX expected = velocityByEnumeration(qp.dense, -qp.c, qp.lower, qp.upper);
  EXPECT_LT((qp.dense * bench.x - qp.c - expected).cwiseAbs().maxCoeff(), 1e-8);
}

// Changes that do not become fewer end alg. 2.2 before sets recur.
TEST_P(QpEngines, ChangesThatBecomeNoFewer_AreSolvedByDescentWithoutPatience) {
  int iterations[2];
  for (const int patience : {0, 100}) {
    QpBench bench(GetParam(), cyclingQp(), {.patience = patience});
    bench.sets.assign(3, RowState::kFree);
    const QpReport report = bench.solve();
    EXPECT_EQ(report.status, SolveStatus::kConverged);
    EXPECT_GT(report.descents, 0);
    iterations[patience == 0 ? 0 : 1] = report.iterations;
  }
  EXPECT_LT(iterations[0], iterations[1]);
}

// Without alg. 2.2 at all the fallback solves what enumeration solves, from anywhere.
TEST_P(QpEngines, FallbackAlone_SolvesRandomQps) {
  Random random(5);
  for (int k = 0; k < 100; ++k) {
    const int n = 2 + k % 6;
    const OwnedQp qp = randomQp(random, n, 1 + k % n);
    QpBench bench(GetParam(), qp, {.maxIterations = 0, .proximal = 1e-8});
    bench.x = VecX::NullaryExpr(n, [&] { return random.uniform(-50, 50); });
    const QpReport report = bench.solve();
    EXPECT_EQ(report.status, SolveStatus::kConverged) << k;
    const VecX expected = velocityByEnumeration(qp.dense, -qp.c, qp.lower, qp.upper);
    EXPECT_LT((qp.dense * bench.x - qp.c - expected).cwiseAbs().maxCoeff(), 1e-8) << k;
  }
}

// However redundant: rank 12 of 60, from far away; the answer is within the bounds.
TEST(BoxInteriorPoint, RedundantQps_AreSolvedInSomeThirtySteps) {
  Random random(7);
  for (int k = 0; k < 10; ++k) {
    OwnedQp qp = randomQp(random, 60, 12);
    const SymmetricMatrix hessian = symmetricFromDense(qp.dense);
    const VecX metric = VecX::Constant(60, qp.dense.diagonal().maxCoeff());
    const VecX extra = 1e-10 * metric;
    BandedK0 k0;
    k0.attach(hessian);
    BoxInteriorPoint interior;
    std::vector<RowState> sets(60, RowState::kUnknown);
    VecX x = VecX::NullaryExpr(60, [&] { return random.uniform(-9, 9); });
    const BoxQp view{&hessian, spanOf(qp.c), spanOf(qp.lower), spanOf(qp.upper)};
    const InteriorOutcome outcome =
        interior.run(view, spanOf(metric), spanOf(extra), k0, 1e-10, sets, spanOf(x));
    EXPECT_LE(outcome.error, 1e-10) << k;
    EXPECT_LE(outcome.steps, 45) << k;
    const VecX gradient = qp.dense * x - qp.c;
    for (int i = 0; i < 60; ++i) {
      EXPECT_GE(x[i], qp.lower[i]);
      EXPECT_LE(x[i], qp.upper[i]);
      if (qp.lower[i] == qp.upper[i]) continue;
      // The sets agree with the forces that are not round-off.
      const bool isHeld = std::abs(gradient[i]) > 1e-6;
      EXPECT_TRUE(!isHeld || (sets[i] == RowState::kLower) == (gradient[i] > 0));
    }
  }
}

// min −x over x ≥ 0 with H = 0 has no solution.
TEST_P(QpEngines, UnboundedProblem_IsNotCalledSolved) {
  OwnedQp qp{MatX::Zero(2, 2), VecX::Ones(2), VecX::Zero(2), VecX::Constant(2, kInfinity)};
  qp.dense(0, 0) = 1;
  QpBench bench(GetParam(), qp, {.proximal = 1e-8});
  const QpReport report = bench.solve();
  EXPECT_NE(report.status, SolveStatus::kConverged);
  EXPECT_TRUE(bench.x.allFinite());
}

/// Each contact's pair of opposite faces, as the thesis has them (Eq. 4.27).
const Eigen::Matrix<Real, 4, 2> kFaces = [] {
  Eigen::Matrix<Real, 4, 2> faces;
  faces << 1, 1, -1, -1, 1, -1, -1, 1;
  return faces;
}();

// KKT of (F2) with four faces a pair: Hβ − d + Σ ν_f a_f = 0, a_f β ≤ γ, ν ≥ 0, ν (γ − aβ) = 0.
TEST_P(QpEngines, RandomDiamonds_SatisfyTheKktConditionsOfTheirFaces) {
  Random random(6);
  for (int k = 0; k < 60; ++k) {
    const int pairs = 1 + k % 6, n = 2 * pairs;
    const MatX root = MatX::NullaryExpr(n, n, [&] { return random.uniform(-1, 1); });
    const MatX dense = root * root.transpose() + 0.05 * MatX::Identity(n, n);
    const VecX d = VecX::NullaryExpr(n, [&] { return random.uniform(-2, 2); });
    VecX radius = VecX::NullaryExpr(pairs, [&] { return random.uniform(0, 1); });
    if (k % 5 == 0) radius[0] = 0;
    const SymmetricMatrix hessian = symmetricFromDense(dense);
    TurnedDiamonds turned;
    turned.assign({&hessian, spanOf(d), spanOf(radius)});
    Pdasm pdasm;
    BandedK0 k0;
    const VecX metric = dense.diagonal();
    k0.attach(*turned.box().hessian);
    pdasm.attach(*turned.box().hessian, spanOf(metric), k0, {.engine = GetParam()});
    std::vector<RowState> sets(n, RowState::kUnknown);
    VecX beta = VecX::Zero(n);
    const QpReport report = pdasm.solve(turned.box(), sets, spanOf(beta));
    EXPECT_EQ(report.status, SolveStatus::kConverged) << k;
    turned.toTangents(spanOf(beta));
    VecX residual = dense * beta - d;
    for (int c = 0; c < pairs; ++c) {
      Real nu[4];
      TurnedDiamonds::faceMultipliers(pdasm.gradient(), c, nu);
      residual.segment<2>(2 * c) += kFaces.transpose() * Eigen::Map<Eigen::Vector4d>(nu);
      for (int f = 0; f < 4; ++f) {
        const Real slack = radius[c] - kFaces.row(f).dot(beta.segment<2>(2 * c));
        EXPECT_GE(nu[f], 0);
        EXPECT_GE(slack, -1e-9);
        EXPECT_LE(std::abs(nu[f] * slack), 1e-8);
      }
    }
    EXPECT_LT(residual.cwiseAbs().maxCoeff(), 1e-9) << k;
  }
}

TEST_P(QpEngines, SecondQp_AllocatesNothing) {
  Random random(8);
  QpBench bench(GetParam(), randomBandQp(random, 150, 10));
  const auto solveTwice = [&] {
    // Once with all variables free at first, once with none.
    for (const RowState state : {RowState::kFree, RowState::kLower}) {
      bench.sets.assign(150, state);
      bench.x.setZero();
      bench.solve();
    }
  };
  solveTwice();
  const auto before = allocationCount();
  bench.sets.assign(150, RowState::kFree);
  bench.k0.attach(bench.hessian);
  bench.pdasm.attach(bench.hessian, spanOf(bench.metric), bench.k0, {.engine = GetParam()});
  solveTwice();
  EXPECT_EQ(allocationCount(), before);
}

}  // namespace
}  // namespace drystone::test
