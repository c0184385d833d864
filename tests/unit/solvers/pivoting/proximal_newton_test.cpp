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
    proximal.start();
  }
  FrictionNewton::Problem problem() { return {rows, system, states, lambda, w}; }
  Real error() {
    rows.velocity(lambda, w);
    return naturalMapSize(rows.problem(), rows.steps(), lambda, w).largest;
  }

  RowSystem rows;
  FreeSystem system;
  ContactStates states;
  ProximalNewton proximal;
  ResidualHistory history;
  std::vector<Real> lambda, w;

 private:
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
    ResidualHistory history;
    NewtonOutcome wandered;
    newton.runPlain(plain.problem(), {}, history, wandered);
    EXPECT_GT(wandered.naturalMap, 0.1) << seed;
    ProximalBench bench(hitColumn(GetParam(), seed));
    NewtonOutcome outcome;
    bench.proximal.run(bench.problem(), {.tolerance = 1e-9, .steps = 120}, bench.history, outcome);
    EXPECT_EQ(outcome.status, SolveStatus::kConverged) << seed;
    EXPECT_LE(bench.error(), 1e-9) << seed;
    EXPECT_EQ(outcome.naturalMap, bench.error());
  }
}

// The point and δ stay: what is cut into runs of 16 steps, of which each loses at most those of the
// point that it does not reach, takes no more than twice as many.
TEST_P(ProximalModels, ShortRuns_GoOnWhereTheLastOneEnded) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    ProximalBench whole(hitColumn(GetParam(), seed)), parts(hitColumn(GetParam(), seed));
    NewtonOutcome once, often;
    whole.proximal.run(whole.problem(), {.tolerance = 1e-9, .steps = 200}, whole.history, once);
    ASSERT_EQ(once.status, SolveStatus::kConverged);
    while (often.status != SolveStatus::kConverged && often.iterations < 2 * once.iterations) {
      parts.proximal.run(parts.problem(), {.tolerance = 1e-9, .steps = 16}, parts.history, often);
    }
    EXPECT_EQ(often.status, SolveStatus::kConverged) << seed;
  }
}

// A start that is much better than the last point replaces it.
TEST(ProximalNewton, BetterStart_IsTheNextPoint) {
  ProximalBench solved(hitColumn(FrictionModel::kCone, 1)),
      bench(hitColumn(FrictionModel::kCone, 1));
  NewtonOutcome outcome, rest;
  solved.proximal.run(solved.problem(), {.tolerance = 1e-7, .steps = 200}, solved.history, outcome);
  bench.proximal.run(bench.problem(), {.tolerance = 1e-9, .steps = 10}, bench.history, rest);
  ASSERT_GT(bench.error(), 1e-4);
  bench.lambda = solved.lambda;
  bench.w = solved.w;
  const int before = rest.iterations;
  bench.proximal.run(bench.problem(), {.tolerance = 1e-9, .steps = 200}, bench.history, rest);
  EXPECT_EQ(rest.status, SolveStatus::kConverged);
  EXPECT_LT(2 * (rest.iterations - before), outcome.iterations);
}

// Whatever is left of a run, it is no worse than its start, and its figures are those of the
// answer.
TEST(ProximalNewton, RunThatIsCutOff_LeavesTheBestThatWasSeen) {
  Real last = kInfinity;
  for (const int steps : {0, 1, 3, 10, 20, 40}) {
    ProximalBench bench(hitColumn(FrictionModel::kDiamond, 2));
    NewtonOutcome outcome;
    bench.proximal.run(bench.problem(), {.tolerance = 1e-12, .steps = steps}, bench.history,
                       outcome);
    EXPECT_EQ(outcome.status, SolveStatus::kIterationLimit);
    EXPECT_EQ(outcome.iterations, steps);
    EXPECT_EQ(outcome.naturalMap, bench.error());
    EXPECT_LE(outcome.naturalMap, last);
    last = outcome.naturalMap;
  }
  EXPECT_LT(last, 0.1);
}

// A try of no use is followed by rounds without one, and takes twice the steps when it comes.
TEST(JointSteps, TriesOfNoUse_RestAndTakeTwiceTheSteps) {
  ProximalBench bench(hitColumn(FrictionModel::kDiamond, 1, 40));
  const std::vector<RowState> unknown(bench.rows.rowCount(), RowState::kUnknown);
  NewtonSettings plain;
  plain.maxPlain = 1;
  JointSteps steps;
  steps.start(bench.rows, unknown, bench.lambda, bench.w);
  int rests = 0;
  for (int tries = 1; tries <= 6; ++tries) {
    for (int k = 0; k < rests; ++k) EXPECT_FALSE(steps.isDue());
    EXPECT_TRUE(steps.isDue());
    // By the third one round-off is all that is left.
    if (tries <= 2) {
      EXPECT_EQ(steps.run(bench.lambda, 0, plain).iterations, 1 + 80 * tries);
    }
    steps.rate(false);
    rests = std::clamp(2 * rests, 1, 8);
  }
}

TEST(ProximalNewton, TimeThatIsOver_EndsTheRun) {
  ProximalBench bench(hitColumn(FrictionModel::kCone, 1));
  const Timer timer;
  NewtonOutcome outcome;
  bench.proximal.run(bench.problem(),
                     {.tolerance = 1e-9, .steps = 200, .allowance = Allowance({&timer, 0})},
                     bench.history, outcome);
  EXPECT_EQ(outcome.status, SolveStatus::kTimeLimit);
  EXPECT_EQ(outcome.iterations, 0);
}

}  // namespace
}  // namespace drystone::test
