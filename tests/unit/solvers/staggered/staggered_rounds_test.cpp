// Staggered projections: what starts, ends and counts the rounds.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "solvers/linear/banded_cholesky.h"
#include "solvers/reference/reference_solvers.h"
#include "solvers/staggered/staggered.h"
#include "tests/support/problems.h"
#include "tests/support/solved.h"

namespace drystone::test {
namespace {

// Without friction that follows λ_n there is one QP, and one round solves it from any start.
TEST(StaggeredRounds, WarmStartOutOfItsBounds_TakesOneRoundWithoutFriction) {
  for (const FrictionModel model : {FrictionModel::kNone, FrictionModel::kBox}) {
    const StoredProblem box = boxTilting(model, 0.4);
    StaggeredSolver solver;
    Budget budget;
    const Solved cold = solveWith(solver, budget, box);
    budget.iterations = 1;
    Solved warm;
    for (std::size_t i = 0; i < box.b.size(); ++i) warm.lambda.push_back(i % 2 == 0 ? -3 : 5);
    const Solved answer = solveWith(solver, budget, box, warm);
    EXPECT_EQ(answer.report.status, SolveStatus::kConverged);
    EXPECT_LE(largestDifference(answer.w, cold.w), 1e-9);
  }
}

// (4.19) is (f' − f)ᵀ M⁻¹ (f' − f) over fᵀ M⁻¹ f of the friction impulses before and after a round.
// The natural map falls from round to round, so that the best answer of k rounds is the last one.
TEST(StaggeredRounds, MetricTolerance_IsTheEnergyOfTheChangeOverThatOfTheFriction) {
  StoredProblem pile = randomPile(FrictionModel::kDiamond, 3, 3, 3, 0.1, 4);
  for (const ProblemBlock& block : pile.blocks) pile.b[block.firstRow] -= 2;
  const MatX a = assembled(pile).assembled->toDense();
  const auto frictionOf = [&](const std::vector<Real>& lambda) {
    VecX friction = VecX::Zero(a.rows());
    for (const ProblemBlock& block : pile.blocks) {
      for (int i = 1; i < 3; ++i) friction[block.firstRow + i] = lambda[block.firstRow + i];
    }
    return friction;
  };
  StaggeredSolver solver;
  Budget budget;
  budget.tolerance = 1;
  solver.settings.acceleration = StaggeredAcceleration::kNone;
  VecX last;
  Real lastError = kInfinity, lastChange = kInfinity;
  for (int rounds = 1; rounds <= 6; ++rounds) {
    budget.iterations = rounds;
    solver.settings.metricTolerance = 0;
    const Solved answer = solveWith(solver, budget, pile);
    ASSERT_LT(answer.judged.naturalMap, lastError);
    lastError = answer.judged.naturalMap;
    const VecX friction = frictionOf(answer.lambda);
    if (rounds > 1) {
      const VecX step = friction - last;
      const Real change = step.dot(a * step) / last.dot(a * last);
      ASSERT_LT(change, 0.9 * lastChange);
      lastChange = change;
      budget.iterations = 50;
      solver.settings.metricTolerance = 1.0001 * change;
      EXPECT_EQ(solveWith(solver, budget, pile).report.iterations, rounds);
      solver.settings.metricTolerance = 0.9999 * change;
      EXPECT_EQ(solveWith(solver, budget, pile).report.iterations, rounds + 1);
    }
    last = friction;
  }
}

// (4.36, 4.37): held is what lies at a bound, or beyond it, by less than its multiplier, here over
// a metric of 2/kg, pushes against it.
TEST(StaggeredRounds, PredictedSets_AreThoseThatImpulsesAndVelocitiesAskFor) {
  struct Variable {
    Real x, w;
    RowState expected;
  };
  const Variable variables[] = {
      {0, 0.1, RowState::kLower},     {0, -0.1, RowState::kFree},   {0.5, 0.9, RowState::kFree},
      {0.5, 1.1, RowState::kLower},   {0.5, -2.9, RowState::kFree}, {0.5, -3.1, RowState::kUpper},
      {-0.1, -0.1, RowState::kLower}, {2, -0.1, RowState::kUpper},  {2, 0.1, RowState::kFree}};
  QpHalf half(std::make_unique<BandedCholesky>());
  half.begin();
  std::vector<Real> w;
  std::vector<RowState> expected;
  for (const Variable& variable : variables) {
    half.add({.block = 0, .row = half.size()}, 2);
    half.x.push_back(variable.x);
    half.lower.push_back(0);
    half.upper.push_back(2);
    w.push_back(variable.w);
    expected.push_back(variable.expected);
  }
  half.sets.resize(half.size());
  half.predictSets(w);
  EXPECT_EQ(half.sets, expected);
}

/// A pile that slides, of which one round of Newton steps makes a solution.
StoredProblem slidingPile() { return randomPile(FrictionModel::kCone, 3, 2, 2, 0.3, 1); }

// Also those that Newton steps ask for count, and `max_turns` holds for them.
TEST(StaggeredRounds, TurnsForNewtonSteps_AreCountedAndLimited) {
  StaggeredSolver solver;
  Budget budget;
  budget.iterations = 1;
  const Solved once = solveWith(solver, budget, slidingPile());
  EXPECT_EQ(once.report.outerIterations, 1);
  budget.iterations = 200;
  solver.settings.maxTurns = 1;
  const Solved answer = solveWith(solver, budget, slidingPile());
  EXPECT_EQ(answer.report.status, SolveStatus::kConverged);
  EXPECT_LE(answer.report.outerIterations, 1);
}

TEST(StaggeredRounds, HistoryOfASolutionByNewtonSteps_EndsWithinTheTolerance) {
  StaggeredSolver solver;
  Budget budget;
  const Solved answer = solveWith(solver, budget, slidingPile());
  ASSERT_EQ(answer.report.status, SolveStatus::kConverged);
  ASSERT_GT(answer.report.innerIterations, 0);
  EXPECT_LE(solver.history().entries().back().residual, budget.tolerance);
}

// What meets the tolerance is an answer, and no round follows.
TEST(StaggeredRounds, SolutionByProximalPoints_EndsTheLoop) {
  for (const FrictionModel model : {FrictionModel::kDiamond, FrictionModel::kCone}) {
    StaggeredSolver solver;
    Budget budget;
    const Solved answer = solveWith(solver, budget, hitColumn(model, 4));
    EXPECT_EQ(answer.report.status, SolveStatus::kConverged);
    EXPECT_EQ(answer.report.iterations, 1);
    EXPECT_GT(answer.report.innerIterations, 10);
    EXPECT_LE(answer.judged.naturalMap, budget.tolerance);
  }
}

// With no column of C there is a factor for every working set, as DIRECT has it.
TEST(StaggeredRounds, MaxSolvesOfZero_TakesTheFactorsOfTheDirectEngine) {
  StoredProblem pushed = boxStack(FrictionModel::kDiamond, {1, 2, 1, 3, 1}, 0.4, 1e-6);
  for (int c = 0; c < 4; ++c) pushed.b[pushed.blocks[c].firstRow + 1] += 0.3;
  StaggeredSolver solver;
  solver.settings.acceleration = StaggeredAcceleration::kAnderson;
  solver.settings.maxSolves = 0;
  solveWith(solver, pushed);
  const QpTotals contact = solver.contactTotals(), friction = solver.frictionTotals();
  solver.settings.engine = QpEngine::kDirect;
  solveWith(solver, pushed);
  EXPECT_EQ(contact.factorizations, solver.contactTotals().factorizations);
  EXPECT_EQ(friction.factorizations, solver.frictionTotals().factorizations);
}

TEST(StaggeredRounds, TimeThatIsOver_EndsTheLoopAfterARound) {
  StaggeredSolver solver;
  Budget budget;
  budget.seconds = 0;
  const Solved answer = solveWith(solver, budget, slidingPile());
  EXPECT_EQ(answer.report.status, SolveStatus::kTimeLimit);
  EXPECT_EQ(answer.report.iterations, 1);
}

// Slip along a tangent, where the diamond and the pyramid have the same width.
TEST(StaggeredRounds, DiamondWithAlignedSlip_HasTheVelocityOfThePyramidOfBlockPivoting) {
  const auto bpp = makeBppSolver();
  for (const bool tilts : {false, true}) {
    const auto problem = [&](FrictionModel model, Real friction) {
      return tilts ? boxTilting(model, friction) : boxOnPlane(model, 3, friction, 0.5);
    };
    StaggeredSolver solver;
    Budget budget;
    budget.tolerance = 1e-9;
    const Solved answer = solveWith(solver, budget, problem(FrictionModel::kDiamond, 0.1));
    EXPECT_EQ(answer.report.status, SolveStatus::kConverged);
    const Solved exact = solveWith(*bpp, problem(FrictionModel::kPyramid, 0.1));
    EXPECT_LE(largestDifference(answer.w, exact.w), 1e-8);
    const Solved smooth = solveWith(*bpp, problem(FrictionModel::kPyramid, 0));
    EXPECT_GE(largestDifference(answer.w, smooth.w), 1e-3);
  }
}

// A with a skew part, as gyroscopic terms make it: the QPs have its symmetric part, and the rounds
// take the rest along.
TEST(StaggeredRounds, UnsymmetricMatrix_HasTheVelocityOfBlockPivoting) {
  StoredProblem stack = assembled(boxStack(FrictionModel::kPyramid, {1, 2, 1}, 0.4, 1e-3));
  for (const ProblemBlock& block : stack.blocks) stack.b[block.firstRow + 1] += 0.3;
  BlockSparseMatrix& a = *stack.assembled;
  for (int row = 0; row < a.blockCount(); ++row) {
    for (int k = a.blockStart[row]; k < a.blockStart[row + 1]; ++k) {
      const int column = a.blockColumn[k];
      if (row == column) continue;
      const Real sign = row < column ? 1 : -1;
      a.values[a.valueStart[k]] += sign * 1e-4;
    }
  }
  const Solved exact = solveWith(*makeBppSolver(), stack);
  ASSERT_EQ(exact.report.status, SolveStatus::kConverged);
  for (const StaggeredFactor factor : {StaggeredFactor::kBanded, StaggeredFactor::kSparse}) {
    StaggeredSolver solver;
    Budget budget;
    solver.settings.factor = factor;
    budget.tolerance = 1e-9;
    budget.iterations = 2000;
    solver.settings.acceleration = StaggeredAcceleration::kAnderson;
    const Solved answer = solveWith(solver, budget, stack);
    EXPECT_EQ(answer.report.status, SolveStatus::kConverged);
    EXPECT_LE(largestDifference(answer.w, exact.w), 1e-7);
  }
}

}  // namespace
}  // namespace drystone::test
