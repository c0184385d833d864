// Accelerated descent on a device: that of `apgd`, whose sums and decisions are the same.
#include <gmock/gmock.h>

#include <algorithm>
#include <limits>

#include "gpu/device_apgd_solver.h"
#include "solvers/first_order/apgd.h"
#include "tests/support/problems.h"
#include "tests/unit/gpu/sweeps.h"
#include "tests/unit/gpu/targets.h"

namespace drystone {
namespace {

using gpu::DeviceApgdSolver;
using gpu::Target;
using test::Answer;
using test::solve;

constexpr ApgdLaw kLaws[] = {ApgdLaw::kRelaxed, ApgdLaw::kExact};

class DeviceApgd : public test::OnTarget {
 protected:
  /// Few on the stand-in for a device, which runs each thread as a fiber.
  static int steps() { return GetParam() == Target::kCuda ? 12 : 60; }

  /// With joint rows and compliance, sliding and sticking.
  static StoredProblem pileOf(FrictionModel model) {
    StoredProblem problem = test::pileWithJoints(model, 0.5, 2);
    for (ProblemBlock& block : problem.blocks) block.normalBound = 0.2;
    problem.compliance.assign(problem.b.size(), 0.01);
    return problem;
  }

  /// Measured before the first step and after the last alone.
  template <class Solver>
  static Budget only(Solver& solver, int steps) {
    solver.settings.stopping.checkEvery = steps + 1;
    return {.tolerance = 0, .iterations = steps};
  }
};

// The same steps, too long ones included, whose sums differ in their order: round-off of 1e-16 that
// as many steps with momentum carry on.
TEST_P(DeviceApgd, InDouble_StepsAsTheProcessor) {
  int reductions = 0;
  for (const FrictionModel model : test::kModels) {
    for (const ApgdLaw law : kLaws) {
      SCOPED_TRACE(frictionModelName(model));
      const StoredProblem problem = pileOf(model);
      ApgdSolver twin;
      DeviceApgdSolver solver(GetParam());
      twin.settings.law = solver.settings.law = law;
      solver.precision = SweepPrecision::kDouble;
      const Answer expected = solve(twin, problem, only(twin, steps()));
      const Answer answer = solve(solver, problem, only(solver, steps()));
      EXPECT_EQ(answer.report.status, expected.report.status);
      EXPECT_EQ(answer.report.iterations, steps());
      EXPECT_EQ(answer.report.stepReductions, expected.report.stepReductions);
      EXPECT_LE(test::relativeDifference(answer.lambda, expected.lambda), 1e-11);
      EXPECT_NEAR(answer.report.relaxationError, expected.report.relaxationError, 1e-11);
      EXPECT_EQ(answer.report.relaxationError > 0,
                law == ApgdLaw::kRelaxed && followsNormal(model));
      ASSERT_EQ(solver.history().entries().size(), 2u);
      const Real left = twin.history().entries().back().residual;
      EXPECT_NEAR(solver.history().entries().back().residual, left,
                  1e-10 * std::max<Real>(1, left));
      reductions += expected.report.stepReductions;
    }
  }
  EXPECT_GT(reductions, 0);
}

// What several blocks of threads have is added up: 256 contacts are those of one.
TEST_P(DeviceApgd, SumsOfSeveralBlocks_AreThoseOfTheProcessor) {
  const StoredProblem problem = test::randomPile(FrictionModel::kCone, 6, 6, 6, 0.5, 2);
  ASSERT_GT(problem.blocks.size(), 2 * 256U);
  ApgdSolver twin;
  DeviceApgdSolver solver(GetParam());
  solver.precision = SweepPrecision::kDouble;
  const Answer expected = solve(twin, problem, only(twin, 6));
  const Answer answer = solve(solver, problem, only(solver, 6));
  EXPECT_EQ(answer.report.stepReductions, expected.report.stepReductions);
  EXPECT_LE(test::relativeDifference(answer.lambda, expected.lambda), 1e-12);
}

// Steps of float are those of double to its round-off of 6e-8 each, of which momentum makes more.
TEST_P(DeviceApgd, InFloat_StepsAsInDouble) {
  for (const FrictionModel model : {FrictionModel::kCone, FrictionModel::kContensou}) {
    const StoredProblem problem = pileOf(model);
    DeviceApgdSolver doubles(GetParam()), floats(GetParam());
    doubles.precision = SweepPrecision::kDouble;
    floats.precision = SweepPrecision::kFloat;
    const Answer expected = solve(doubles, problem, only(doubles, 12));
    const Answer answer = solve(floats, problem, only(floats, 12));
    EXPECT_NE(answer.lambda, expected.lambda);
    EXPECT_LE(test::relativeDifference(answer.lambda, expected.lambda), 1e-5);
  }
}

// Whatever the order of blocks and threads, and solve after solve on the layout that is kept.
TEST_P(DeviceApgd, EveryRun_GivesTheSameBits) {
  const StoredProblem problem = pileOf(FrictionModel::kCone);
  for (const auto precision : {SweepPrecision::kFloat, SweepPrecision::kDouble}) {
    DeviceApgdSolver solver(GetParam()), other(Target::kHost);
    solver.precision = other.precision = precision;
    const std::vector<Real> expected = solve(other, problem, only(other, 12)).lambda;
    for (int round = 0; round < 2; ++round) {
      EXPECT_EQ(solve(solver, problem, only(solver, 12)).lambda, expected);
      EXPECT_EQ(solver.work().keptLayouts, round);
    }
  }
}

// Float down to its round-off, then double from there to the tolerance.
TEST_P(DeviceApgd, MixedPrecision_EndsInDouble) {
  const StoredProblem problem = test::boxStack(FrictionModel::kCone, {1, 1, 1}, 0.5);
  DeviceApgdSolver solver(GetParam());
  solver.settings.law = ApgdLaw::kExact;
  const Answer answer = solve(solver, problem, {.tolerance = 1e-10, .iterations = 2000});
  EXPECT_EQ(answer.report.status, SolveStatus::kConverged);
  EXPECT_LE(answer.judge.naturalMap, 1e-10);
  EXPECT_EQ(solver.work().layouts, 2);
  Real best = kInfinity;
  for (const auto& entry : solver.history().entries()) {
    EXPECT_LE(entry.residual, 1e3 * best) << "step " << entry.iteration;
    best = std::min(best, entry.residual);
  }
}

// Where that is not enough it says so, with an answer on the sets of the laws in double.
TEST_P(DeviceApgd, FloatAlone_StallsAtItsRoundOff) {
  const StoredProblem problem = test::boxStack(FrictionModel::kCone, {1, 1, 1}, 0.5);
  DeviceApgdSolver solver(GetParam());
  solver.precision = SweepPrecision::kFloat;
  const Answer answer = solve(solver, problem, {.tolerance = 1e-13, .iterations = 2000});
  EXPECT_EQ(answer.report.status, SolveStatus::kStalled);
  EXPECT_LE(answer.judge.naturalMap, 1e-5);
  EXPECT_LE(answer.judge.coneExcess, 1e-15 * std::max<Real>(1, test::largestOf(answer.lambda)));
}

// By every criterion it meets it where the processor does, and by the same steps.
TEST_P(DeviceApgd, EveryCriterion_EndsWhereTheProcessorDoes) {
  const StoredProblem problem = test::boxOnPlane(FrictionModel::kCone, 2, 0.5);
  for (const auto criterion :
       {StopCriterion::kNaturalMap, StopCriterion::kRelative, StopCriterion::kImpulseChange}) {
    ApgdSolver twin;
    DeviceApgdSolver solver(GetParam());
    twin.settings.stopping.criterion = solver.settings.stopping.criterion = criterion;
    twin.settings.law = solver.settings.law = ApgdLaw::kExact;
    solver.precision = SweepPrecision::kDouble;
    const Answer expected = solve(twin, problem, {.tolerance = 1e-6, .iterations = 400});
    const Answer answer = solve(solver, problem, {.tolerance = 1e-6, .iterations = 400});
    EXPECT_EQ(expected.report.status, SolveStatus::kConverged);
    EXPECT_EQ(answer.report.status, expected.report.status);
    EXPECT_EQ(answer.report.iterations, expected.report.iterations);
    EXPECT_LE(test::relativeDifference(answer.lambda, expected.lambda), 1e-9);
  }
}

TEST_P(DeviceApgd, AnAnswerAsWarmStart_IsReturnedToTheBit) {
  const StoredProblem problem = test::boxOnPlane(FrictionModel::kCone, 2, 0.5);
  DeviceApgdSolver solver(GetParam());
  Answer answer = solve(solver, problem, {.tolerance = 1e-8, .iterations = 400});
  ASSERT_EQ(answer.report.status, SolveStatus::kConverged);
  std::vector<Real> again = answer.lambda;
  std::vector<RowState> state(again.size());
  const SolverReport report = solver.solve(problem.view(), {.tolerance = 1e-8}, {again, state});
  EXPECT_EQ(report.iterations, 0);
  EXPECT_EQ(again, answer.lambda);
}

// The residual of the exact law wavers. What is returned is the best that was measured.
TEST_P(DeviceApgd, TheBestIterate_IsTheAnswer) {
  const StoredProblem problem = pileOf(FrictionModel::kCone);
  for (const auto precision : {SweepPrecision::kFloat, SweepPrecision::kDouble}) {
    DeviceApgdSolver solver(GetParam());
    solver.precision = precision;
    solver.settings.law = ApgdLaw::kExact;
    solver.settings.stopping.checkEvery = 1;
    bool wavered = false;
    for (const int steps : {5, 9, 14}) {
      const Answer answer = solve(solver, problem, {.tolerance = 0, .iterations = steps});
      Real best = kInfinity;
      for (const auto& entry : solver.history().entries()) best = std::min(best, entry.residual);
      EXPECT_NEAR(answer.judge.naturalMap / best, 1, 1e-9);
      wavered = wavered || solver.history().entries().back().residual > best;
    }
    EXPECT_TRUE(wavered);
  }
}

TEST_P(DeviceApgd, AnAssembledProblem_IsNotTaken) {
  StoredProblem problem = test::boxOnPlane(FrictionModel::kCone, 2, 0.5);
  const StoredProblem assembled = test::assembled(problem);
  DeviceApgdSolver solver(GetParam());
  EXPECT_EQ(solve(solver, assembled).report.status, SolveStatus::kUnsupported);
}

INSTANTIATE_TEST_SUITE_P(Targets, DeviceApgd, test::everyTarget(), test::targetName);

}  // namespace
}  // namespace drystone
