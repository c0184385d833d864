#include "solvers/driver/solve.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/timer.h"
#include "tests/support/problem_builder.h"
#include "tests/support/problems.h"

namespace drystone {
namespace {

constexpr Real kNaN = std::numeric_limits<Real>::quiet_NaN();

/// Returns a fixed answer and remembers the warm start that it was given.
class ScriptedSolver : public ContactSolver {
 public:
  explicit ScriptedSolver(std::vector<Real> script, SolveStatus ending = SolveStatus::kConverged)
      : answer(std::move(script)), status(ending) {
    traits_.frictionModels = {FrictionModel::kNone,    FrictionModel::kBox,
                              FrictionModel::kPyramid, FrictionModel::kCone,
                              FrictionModel::kDiamond, FrictionModel::kContensou};
  }

  const SolverTraits& traits() const override { return traits_; }

  std::vector<Real> answer, warmStart;
  SolveStatus status;
  int calls = 0, iterations = 0;  ///< runs, and the budget of the last one
  int spent = 1;                  ///< iterations that it says it took
  double ms = 0;                  ///< time that it says it took; 0: the frame measures it

 private:
  void visitSettings(SettingVisitor&) override {}
  void reserveOwn(const ProblemSize&) override {}
  void run(const ContactProblem&, const SolveContext& context, ImpulseView impulses,
           SolverReport& report) override {
    ++calls;
    iterations = context.iterations;
    warmStart.assign(impulses.lambda.begin(), impulses.lambda.end());
    if (status != SolveStatus::kUnsupported) {
      std::copy(answer.begin(), answer.end(), impulses.lambda.begin());
    }
    report.status = status;
    report.iterations = spent;
    report.timeMs = ms;
    report.assemblyMs = ms / 2;
  }

  SolverTraits traits_;
};

/// A falling sphere of 2 kg, whose one solution is λ = (0.1962, 0, 0) (see problems.h).
class SolveProblem : public ::testing::Test {
 protected:
  SolveResult run(ContactSolver& solver, ContactSolver* fallback = nullptr) {
    return solveProblem(solver, problem.view(), {}, {lambda, state}, workspace, fallback);
  }

  StoredProblem problem = test::sphereOnPlane(FrictionModel::kCone, 2, 0.5, Vec3::Zero());
  std::vector<Real> lambda = {0.05, 0.01, 0};
  std::vector<RowState> state = std::vector<RowState>(3, RowState::kFree);
  SolveWorkspace workspace;
  const std::vector<Real> right = {2 * test::kGravity * test::kTimestep, 0, 0};
  const std::vector<Real> wrong = {0.1, 0, 0};
  const std::vector<Real> worse = {-3, 0, 0};
};

TEST_F(SolveProblem, GoodAnswer_IsTakenAsItIs) {
  ScriptedSolver solver(right);
  const SolveResult result = run(solver);
  EXPECT_EQ(result.reason, SolveReason::kAsked);
  EXPECT_TRUE(result.withinTolerance);
  EXPECT_EQ(lambda, right);
}

// A row at rest between its bounds needs no impulse. Where its square overflows the judge has no
// figure for that, and nobody may say that it is within a tolerance.
TEST_F(SolveProblem, TrivialAnswerThatTheJudgeCannotMeasure_IsNotWithinTheTolerance) {
  ScriptedSolver solver({0});
  test::ProblemBuilder builder(FrictionModel::kCone);
  builder.addAngularRow(-1, builder.addSphere(1, 0.5, Vec3::Zero()), Vec3::UnitX(), -1, 1);
  problem = builder.build();
  lambda = {0};
  state = {RowState::kUnknown};
  EXPECT_TRUE(run(solver).withinTolerance);
  problem.jacobianB[0] *= 1e150;
  const SolveResult result = run(solver);
  EXPECT_EQ(result.reason, SolveReason::kTrivial);
  EXPECT_FALSE(result.judge.naturalMap <= 1e-6);
  EXPECT_FALSE(result.withinTolerance);
}

TEST_F(SolveProblem, WarmStartThatSolves_IsReturnedAndNoSolverIsRun) {
  ScriptedSolver solver(worse);
  lambda = {right[0] + 1e-9, 0, 0};  // leaves 5e-10 m/s at 2 kg, of the tolerance 1/2000
  const std::vector<Real> warm = lambda;
  const std::vector<RowState> warmState = state;
  const SolveResult result = run(solver);
  EXPECT_EQ(solver.calls, 0);
  EXPECT_EQ(result.reason, SolveReason::kWarmStart);
  EXPECT_TRUE(result.withinTolerance);
  EXPECT_NEAR(result.judge.naturalMap, 5e-10, 1e-14);
  EXPECT_EQ(lambda, warm);
  EXPECT_EQ(state, warmState);
}

TEST_F(SolveProblem, ZeroImpulses_AreSolvedThoughTheyMeetTheTolerance) {
  ScriptedSolver solver(right);
  for (Real& x : problem.b) x *= 1e-9;  // falls by 2e-10 m/s
  lambda = {0, 0, 0};
  run(solver);
  EXPECT_EQ(solver.calls, 1);
}

TEST_F(SolveProblem, WarmStartThatOnlyMeetsTheTolerance_IsSolved) {
  ScriptedSolver solver(right);
  lambda = {right[0] + 3e-9, 0, 0};  // leaves 1.5e-9 m/s
  EXPECT_EQ(run(solver).reason, SolveReason::kAsked);
  EXPECT_EQ(solver.calls, 1);
  EXPECT_EQ(lambda, right);
}

TEST_F(SolveProblem, SolverThatClaimsTooMuch_IsFoundOut) {
  ScriptedSolver solver(wrong, SolveStatus::kConverged);
  const SolveResult result = run(solver);
  EXPECT_FALSE(result.withinTolerance);
  EXPECT_GT(result.judge.naturalMap, 0.01);
  EXPECT_EQ(lambda, wrong);
}

TEST_F(SolveProblem, SameAnswerToAProblemThatChanged_IsJudgedAnew) {
  ScriptedSolver solver(right);
  EXPECT_TRUE(run(solver).withinTolerance);
  for (Real& x : problem.b) x *= 2;
  lambda = {0.05, 0.01, 0};
  const SolveResult result = run(solver);
  EXPECT_EQ(solver.calls, 2);
  EXPECT_FALSE(result.withinTolerance);
}

TEST_F(SolveProblem, MissedTolerance_FallbackStartsFromTheOriginalWarmStart) {
  ScriptedSolver solver(wrong, SolveStatus::kIterationLimit), fallback(right);
  const SolveResult result = run(solver, &fallback);
  EXPECT_EQ(fallback.warmStart, (std::vector<Real>{0.05, 0.01, 0}));
  EXPECT_EQ(result.reason, SolveReason::kFallbackTolerance);
  EXPECT_TRUE(result.usedFallback);
  EXPECT_TRUE(result.withinTolerance);
  EXPECT_EQ(lambda, right);
}

TEST_F(SolveProblem, WorseFallback_LeavesTheFirstAnswer) {
  ScriptedSolver solver(wrong), fallback(worse);
  const SolveResult result = run(solver, &fallback);
  EXPECT_EQ(result.reason, SolveReason::kFallbackWorse);
  EXPECT_FALSE(result.usedFallback);
  EXPECT_EQ(lambda, wrong);
}

// What is left of the fallback is the warm start, which is nobody's answer though it is the better.
TEST_F(SolveProblem, FallbackWithoutTimeForAnIteration_LeavesTheFirstAnswer) {
  ScriptedSolver solver(worse, SolveStatus::kIterationLimit);
  ScriptedSolver fallback(lambda, SolveStatus::kTimeLimit);
  fallback.spent = 0;
  const SolveResult result = run(solver, &fallback);
  EXPECT_EQ(fallback.calls, 1);
  EXPECT_FALSE(result.usedFallback);
  EXPECT_EQ(result.reason, SolveReason::kFallbackWorse);
  EXPECT_TRUE(result.solver.metTimeLimit);
  EXPECT_EQ(lambda, worse);
}

TEST_F(SolveProblem, Fallback_TakesTheTimeOfBothWhoseverTheAnswerIs) {
  ScriptedSolver solver(wrong), better(right), poorer(worse);
  solver.ms = 2;
  better.ms = poorer.ms = 4;
  for (ScriptedSolver* const fallback : {&better, &poorer}) {
    lambda = {0.05, 0.01, 0};
    const SolveResult result = run(solver, fallback);
    EXPECT_EQ(result.usedFallback, fallback == &better);
    EXPECT_EQ(result.solver.timeMs, 6);
    EXPECT_EQ(result.solver.assemblyMs, 3);
  }
}

TEST_F(SolveProblem, WithinTolerance_FallbackIsNotRun) {
  ScriptedSolver solver(right, SolveStatus::kIterationLimit), fallback(right);
  run(solver, &fallback);
  EXPECT_EQ(fallback.calls, 0);
}

TEST_F(SolveProblem, NumericalFailure_GivesTheReasonFallbackFailed) {
  ScriptedSolver solver({kNaN, 0, 0}, SolveStatus::kNumericalFailure), fallback(right);
  const SolveResult result = run(solver, &fallback);
  EXPECT_EQ(result.reason, SolveReason::kFallbackFailed);
  EXPECT_EQ(lambda, right);
}

TEST_F(SolveProblem, UnsupportedProblem_GoesToTheFallbackEvenIfItsAnswerIsPoor) {
  ScriptedSolver solver({}, SolveStatus::kUnsupported), fallback(worse);
  const SolveResult result = run(solver, &fallback);
  EXPECT_TRUE(result.usedFallback);
  EXPECT_EQ(lambda, worse);
}

TEST_F(SolveProblem, UnsupportedAlone_GivesNoImpulsesAndIsNoSuccess) {
  // The warm start is nobody's answer: applied step after step it would push on its own.
  ScriptedSolver solver({}, SolveStatus::kUnsupported);
  const SolveResult result = run(solver);
  EXPECT_FALSE(result.withinTolerance);
  EXPECT_EQ(result.reason, SolveReason::kDiscarded);
  EXPECT_EQ(result.solver.status, SolveStatus::kUnsupported);
  EXPECT_EQ(lambda, std::vector<Real>(lambda.size(), 0.0));
}

// The time is up before the solve begins: what pushes too hard is worse than what falls.
TEST_F(SolveProblem, TimeThatIsUp_LeavesTheBetterOfTheWarmStartAndZero) {
  const Timer timer;
  const Budget budget{.until = {&timer, -1}};
  ScriptedSolver solver(right), fallback(right);
  for (ContactSolver* second : {static_cast<ScriptedSolver*>(nullptr), &fallback}) {
    for (const Real share : {0.1, 1.9, 2.1, 50.0}) {
      lambda = {share * right[0], 0, 0};
      const SolveResult result =
          solveProblem(solver, problem.view(), budget, {lambda, state}, workspace, second);
      const bool isKept = share < 2;
      EXPECT_EQ(lambda[0], isKept ? share * right[0] : 0) << share;
      EXPECT_EQ(result.reason == SolveReason::kDiscarded, !isKept) << share;
      EXPECT_NEAR(result.judge.naturalMap, (isKept ? std::abs(1 - share) : 1) * right[0] / 2,
                  1e-12);
      EXPECT_EQ(result.solver.status, SolveStatus::kTimeLimit);
      EXPECT_TRUE(result.solver.metTimeLimit);
      EXPECT_FALSE(result.withinTolerance);
    }
  }
  EXPECT_EQ(solver.calls + fallback.calls, 0);
}

TEST_F(SolveProblem, NaN_NeverLeavesTheDriver) {
  ScriptedSolver solver({kNaN, 0, kInfinity}), fallback({0, kNaN, 0});
  for (ContactSolver* second : {static_cast<ScriptedSolver*>(nullptr), &fallback}) {
    const SolveResult result = run(solver, second);
    EXPECT_EQ(result.reason, SolveReason::kDiscarded);
    EXPECT_EQ(result.solver.status, SolveStatus::kNumericalFailure);
    EXPECT_FALSE(result.withinTolerance);
    EXPECT_TRUE(result.judge.finite);
    EXPECT_EQ(lambda, (std::vector<Real>{0, 0, 0}));
    EXPECT_EQ(state[0], RowState::kUnknown);
  }
}

TEST_F(SolveProblem, NaNInTheWarmStart_ReachesNoSolver) {
  ScriptedSolver solver(right);
  lambda = {kNaN, 0.01, kInfinity};
  run(solver);
  EXPECT_EQ(solver.warmStart, (std::vector<Real>{0, 0.01, 0}));
}

TEST_F(SolveProblem, ZeroSolves_NoSolverIsRun) {
  problem = test::sphereLiftingOff(FrictionModel::kCone);
  ScriptedSolver solver(worse);
  const SolveResult result = run(solver);
  EXPECT_EQ(result.reason, SolveReason::kTrivial);
  EXPECT_TRUE(result.withinTolerance);
  EXPECT_EQ(solver.calls, 0);
  EXPECT_EQ(lambda, (std::vector<Real>{0, 0, 0}));
}

TEST_F(SolveProblem, NaNInATangent_IsNotTrivial) {
  problem = test::sphereLiftingOff(FrictionModel::kCone);
  problem.b[1] = std::nan("");
  ScriptedSolver solver(worse);
  const SolveResult result = run(solver);
  EXPECT_EQ(result.solver.status, SolveStatus::kNumericalFailure);
  EXPECT_FALSE(result.withinTolerance);
}

// A lifting contact of the `box` model is braked all the same: its bound is given.
TEST_F(SolveProblem, BoxModelThatSlides_IsNotTrivial) {
  problem = test::sphereLiftingOff(FrictionModel::kBox);
  problem.blocks[0].friction = 0.5;
  ScriptedSolver solver(right);
  run(solver);
  EXPECT_EQ(solver.calls, 1);
}

TEST_F(SolveProblem, EmptyProblem_IsTrivial) {
  problem = test::emptyProblem();
  lambda.clear();
  state.clear();
  ScriptedSolver solver({});
  const SolveResult result = run(solver);
  EXPECT_EQ(result.reason, SolveReason::kTrivial);
  EXPECT_TRUE(result.withinTolerance);
}

// Rows with λ = 0 allowed: w > 0 is right at a lower bound of 0, wrong for a bilateral row.
TEST_F(SolveProblem, RowsAtRest_AreTrivialOnlyWhereTheirBoundsAllow) {
  test::ProblemBuilder builder(FrictionModel::kCone);
  Vec6 spinning = Vec6::Zero();
  spinning[3] = 1;
  const int body = builder.addBody(1, Vec3::Ones(), Vec3::Zero(), spinning);
  builder.addAngularRow(-1, body, Vec3::UnitX(), 0, kInfinity);
  problem = builder.build();
  lambda = {0};
  state = {RowState::kUnknown};
  ScriptedSolver solver({-1});
  EXPECT_EQ(run(solver).reason, SolveReason::kTrivial);
  problem.lower[0] = -1;
  EXPECT_EQ(run(solver).reason, SolveReason::kAsked);
}

TEST(Frame, NumberThatIsNotFinite_StartsFromZero) {
  const StoredProblem problem = test::sphereOnPlane(FrictionModel::kCone, 2, 0.5, Vec3::Zero());
  ScriptedSolver solver({0.2, 0, 0});
  std::vector<Real> lambda = {kNaN, 0.01, kInfinity};
  std::vector<RowState> state(3);
  const SolverReport report = solver.solve(problem.view(), {}, {lambda, state});
  EXPECT_EQ(solver.warmStart, (std::vector<Real>{0, 0.01, 0}));
  EXPECT_GT(report.timeMs, 0);
}

// The row that nothing moves asks for an impulse without end, and gets none.
TEST(Frame, RowThatNothingMoves_IsAnsweredBeforeTheMethodRuns) {
  const StoredProblem problem = test::sphereBesideImpossibleRow(FrictionModel::kCone);
  ScriptedSolver solver({0.2, 0, 0, 0});
  std::vector<Real> lambda = {0, 0, 0, 5};
  std::vector<RowState> state(4);
  EXPECT_EQ(solver.solve(problem.view(), {}, {lambda, state}).status, SolveStatus::kInfeasible);
  EXPECT_EQ(solver.warmStart, (std::vector<Real>{0, 0, 0, 0}));
}

TEST(Frame, ProblemWithoutRows_IsSolvedWithoutTheMethod) {
  ScriptedSolver solver({});
  EXPECT_EQ(solver.solve(StoredProblem{}.view(), {}, {}).status, SolveStatus::kConverged);
  EXPECT_EQ(solver.calls, 0);
}

TEST(Frame, BudgetThatNamesNoIterations_GetsThoseOfTheTraits) {
  const StoredProblem problem = test::sphereOnPlane(FrictionModel::kCone, 2, 0.5, Vec3::Zero());
  ScriptedSolver solver({0.2, 0, 0});
  std::vector<Real> lambda(3);
  std::vector<RowState> state(3);
  solver.solve(problem.view(), {}, {lambda, state});
  EXPECT_EQ(solver.iterations, solver.traits().iterations);
  solver.solve(problem.view(), {.iterations = 7}, {lambda, state});
  EXPECT_EQ(solver.iterations, 7);
}

}  // namespace
}  // namespace drystone
