// Proximal points: what they solve where Newton steps on the problem itself wander.
#include <gtest/gtest.h>

#include "solvers/linear/chosen_factor.h"
#include "solvers/problem/residual.h"
#include "solvers/staggered/joint_steps.h"
#include "tests/support/problems.h"

namespace drystone::test {
namespace {

/// A problem with all that a run needs, from λ = 0.
class ProximalBench {
 public:
  explicit ProximalBench(StoredProblem stored) : stored_(std::move(stored)) {
    rows.prepare(stored_.view(), true);
    lambda.assign(rows.rowCount(), 0);
    w.assign(rows.rowCount(), 0);
    unknown_.assign(rows.rowCount(), RowState::kUnknown);
    rows.velocity(lambda, w);
    states.start(rows, unknown_, lambda, w);
    system.attach(rows, factor_, BasisKind::kGeneral);
  }
  /// A run of a stage to the tolerance.
  SolveStatus run(Stage& stage, Real tolerance, const Allowance& allowance = {}) {
    StageContext context{rows, system, tolerance, tolerance, allowance, history_, report};
    Iterate iterate{lambda, w, states, error()};
    const SolveStatus status = stage.improve(iterate, context);
    foundError = iterate.error;
    return status;
  }
  /// One of proximal points, of so many Newton steps at most.
  SolveStatus runProximal(Real tolerance, int steps, const Allowance& allowance = {}) {
    proximal.maxSteps = steps;
    return run(proximal, tolerance, allowance);
  }
  int steps() const { return report.outerIterations; }
  Real error() {
    rows.velocity(lambda, w);
    return naturalMapSize(rows.problem(), rows.steps(), lambda, w).largest;
  }

  RowSystem rows;
  FreeSystem system;
  ContactStates states;
  ProximalNewton proximal;
  SolverReport report;
  Real foundError = kInfinity;  ///< of the last run, as it says
  std::vector<Real> lambda, w;

 private:
  ResidualHistory history_;
  StoredProblem stored_;
  SparseSpaceFactor factor_;
  std::vector<RowState> unknown_;
};

std::string modelName(const ::testing::TestParamInfo<FrictionModel>& info) {
  return std::string(frictionModelName(info.param));
}
class ProximalModels : public ::testing::TestWithParam<FrictionModel> {};
INSTANTIATE_TEST_SUITE_P(Models, ProximalModels,
                         ::testing::Values(FrictionModel::kDiamond, FrictionModel::kPyramid,
                                           FrictionModel::kCone),
                         modelName);

TEST_P(ProximalModels, HitColumns_AreSolvedWherePlainNewtonStepsWander) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    ProximalBench plain(hitColumn(GetParam(), seed));
    FrictionNewton newton;
    plain.run(newton, 0);
    EXPECT_GT(plain.foundError, 0.1) << seed;
    ProximalBench bench(hitColumn(GetParam(), seed));
    EXPECT_EQ(bench.runProximal(1e-9, 120), SolveStatus::kConverged) << seed;
    EXPECT_LE(bench.error(), 1e-9) << seed;
    EXPECT_EQ(bench.foundError, bench.error());
  }
}

// The point and δ stay: what is cut into runs of 16 steps, of which each loses at most those of the
// point that it does not reach, takes no more than twice as many.
TEST_P(ProximalModels, ShortRuns_GoOnWhereTheLastOneEnded) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    ProximalBench whole(hitColumn(GetParam(), seed)), parts(hitColumn(GetParam(), seed));
    ASSERT_EQ(whole.runProximal(1e-9, 200), SolveStatus::kConverged);
    SolveStatus status = SolveStatus::kIterationLimit;
    while (status != SolveStatus::kConverged && parts.steps() < 2 * whole.steps()) {
      status = parts.runProximal(1e-9, 16);
    }
    EXPECT_EQ(status, SolveStatus::kConverged) << seed;
  }
}

// A start that is much better than the last point replaces it.
TEST(ProximalNewton, BetterStart_IsTheNextPoint) {
  ProximalBench solved(hitColumn(FrictionModel::kCone, 1)),
      bench(hitColumn(FrictionModel::kCone, 1));
  solved.runProximal(1e-7, 200);
  bench.runProximal(1e-9, 10);
  ASSERT_GT(bench.error(), 1e-4);
  bench.lambda = solved.lambda;
  bench.w = solved.w;
  const int before = bench.steps();
  EXPECT_EQ(bench.runProximal(1e-9, 200), SolveStatus::kConverged);
  EXPECT_LT(2 * (bench.steps() - before), solved.steps());
}

// Whatever is left of a run, it is no worse than its start, and its figures are those of the
// answer.
TEST(ProximalNewton, RunThatIsCutOff_LeavesTheBestThatWasSeen) {
  Real last = kInfinity;
  for (const int steps : {0, 1, 3, 10, 20, 40}) {
    ProximalBench bench(hitColumn(FrictionModel::kDiamond, 2));
    EXPECT_EQ(bench.runProximal(1e-12, steps), SolveStatus::kIterationLimit);
    EXPECT_EQ(bench.steps(), steps);
    EXPECT_EQ(bench.foundError, bench.error());
    EXPECT_LE(bench.foundError, last);
    last = bench.foundError;
  }
  EXPECT_LT(last, 0.1);
}

// A try of no use is followed by rounds without one, twice as many each time.
TEST(JointSteps, TriesOfNoUse_Rest) {
  ProximalBench bench(hitColumn(FrictionModel::kDiamond, 1));
  const std::vector<RowState> unknown(bench.rows.rowCount(), RowState::kUnknown);
  JointSteps steps;
  steps.start(bench.rows, unknown, bench.lambda, bench.w);
  int rests = 0;
  for (int tries = 1; tries <= 6; ++tries) {
    for (int k = 0; k < rests; ++k) EXPECT_FALSE(steps.isDue());
    EXPECT_TRUE(steps.isDue());
    steps.rate(false);
    rests = std::clamp(2 * rests, 1, 8);
  }
  EXPECT_FALSE(steps.isDue());
  steps.rate(true);
  EXPECT_TRUE(steps.isDue());
}

TEST(ProximalNewton, TimeThatIsOver_EndsTheRun) {
  ProximalBench bench(hitColumn(FrictionModel::kCone, 1));
  const Timer timer;
  EXPECT_EQ(bench.runProximal(1e-9, 200, Allowance({&timer, 0})), SolveStatus::kTimeLimit);
  EXPECT_EQ(bench.steps(), 0);
}

}  // namespace
}  // namespace drystone::test
