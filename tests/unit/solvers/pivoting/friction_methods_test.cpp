// How friction that follows the solved normal impulse is solved: Newton steps, proximal points,
// another start, and the loop over bounds.
#include <gtest/gtest.h>

#include "core/random.h"
#include "solvers/pivoting/bpp.h"
#include "solvers/pivoting/mlcp_solver.h"
#include "solvers/reference/reference_solvers.h"
#include "tests/support/problems.h"
#include "tests/support/solved.h"

namespace drystone::test {
namespace {

// Both ways of letting friction follow λ_n end in the same point where it is unique: a stack that a
// push makes slip.
TEST(FrictionMethods, NewtonAndTheLoopOverBounds_Agree) {
  for (const FrictionModel model : {FrictionModel::kPyramid, FrictionModel::kCone}) {
    for (const Real slide : {0.05, 0.3, 2.0}) {
      const StoredProblem stored = boxOnPlane(model, 3, 0.4, slide);
      const auto newton = makeBppSolver(), loop = makeMurtySolver();
      const Budget tight{.tolerance = 1e-9};
      const Solved expected = solveWith(*newton, tight, stored),
                   answer = solveWith(*loop, tight, stored);
      EXPECT_EQ(answer.report.status, SolveStatus::kConverged);
      EXPECT_GT(answer.report.outerIterations, 1);
      EXPECT_LT(largestDifference(answer.w, expected.w), 1e-8);
    }
  }
}

// What an earlier problem left in a solver, larger or smaller, must not show in the next answer.
TEST(FrictionMethods, SolverThatSolvedAnotherProblem_AnswersLikeAFreshOne) {
  const std::vector<StoredProblem> problems = {
      hitColumn(FrictionModel::kCone, 1, 12), boxStack(FrictionModel::kNone, {1, 1, 1, 1e5, 1}, 0),
      hitColumn(FrictionModel::kPyramid, 2, 5), boxStack(FrictionModel::kNone, {1, 1e7, 1, 1e7}, 0),
      boxOnPlane(FrictionModel::kCone, 3, 0.4, 0.3)};
  const Budget tight{.tolerance = 1e-9};
  for (const char* relative : {"1e-9", "1e-12"}) {
    const std::unique_ptr<ContactSolver> used = makeBppSparseSolver();
    applySetting(*used, "relative_tolerance", std::string(relative));
    for (const StoredProblem& problem : problems) {
      const std::unique_ptr<ContactSolver> fresh = makeBppSparseSolver();
      applySetting(*fresh, "relative_tolerance", std::string(relative));
      const Solved expected = solveWith(*fresh, tight, problem);
      const Solved answer = solveWith(*used, tight, problem);
      EXPECT_EQ(answer.lambda, expected.lambda);
      EXPECT_EQ(answer.report.outerIterations, expected.report.outerIterations);
      EXPECT_EQ(answer.report.factorizations, expected.report.factorizations);
    }
  }
}

// Pivots begin at the states alone: where none may begin, these are what is left.
TEST(FrictionMethods, NoTime_LeavesTheGivenStates) {
  const std::unique_ptr<ContactSolver> solver = makeBppSparseSolver();
  solveWith(*solver, boxStack(FrictionModel::kBox, {1, 2, 3, 4}, 0.5));
  const StoredProblem stored = boxStack(FrictionModel::kBox, {1}, 0.5);
  const std::size_t rows = stored.b.size();
  std::vector<Real> lambda(rows, 0);
  std::vector<RowState> states(rows, RowState::kFree);
  for (std::size_t row = 0; row < rows; row += 3) states[row] = RowState::kLower;
  const std::vector<RowState> given = states;
  const SolverReport report = solver->solve(stored.view(), {.seconds = 0}, {lambda, states});
  EXPECT_EQ(report.status, SolveStatus::kTimeLimit);
  EXPECT_EQ(lambda, std::vector<Real>(rows, 0));
  // Tangents whose box has no width are not free.
  for (std::size_t row = 0; row < rows; row += 3) EXPECT_EQ(states[row], given[row]) << row;
}

// An answer at the last bits of its loads is left alone.
TEST(FrictionMethods, HeavyStackWithoutFriction_EndsWithItsPivots) {
  const std::unique_ptr<ContactSolver> solver = makeBppSparseSolver();
  const Solved answer = solveWith(*solver, boxStack(FrictionModel::kNone, {1, 1e7, 1, 1e7}, 0));
  EXPECT_EQ(answer.report.status, SolveStatus::kConverged);
  EXPECT_EQ(answer.report.outerIterations, 0);
}

TEST(FrictionMethods, StagesSwitchedOff_TakeNoSteps) {
  const std::unique_ptr<ContactSolver> solver = makeBppSolver();
  for (const char* setting : {"max_newton", "max_proximal"}) {
    applySetting(*solver, setting, std::int64_t{0});
  }
  applySetting(*solver, "restarts", false);
  const Solved answer = solveWith(*solver, hitColumn(FrictionModel::kCone, 1));
  EXPECT_EQ(answer.report.outerIterations, 0);
  EXPECT_NE(answer.report.status, SolveStatus::kConverged);
}

// What proximal points are for: plain steps alone solve fewer piles.
TEST(FrictionMethods, ProximalPointsOfBpp_SolvePilesThatPlainStepsDoNot) {
  constexpr int kPiles = 40;
  const auto countSolved = [](int maxProximal) {
    const std::unique_ptr<ContactSolver> solver = makeBppSolver();
    dynamic_cast<BlockPrincipalPivotingSolver&>(*solver).proximal.maxSteps = maxProximal;
    int solved = 0;
    for (std::uint64_t seed = 1; seed <= std::uint64_t{kPiles}; ++seed) {
      StoredProblem stored = randomPile(FrictionModel::kCone, 3, 3, 3, 0.8, seed);
      stored.compliance.assign(stored.b.size(), 1e-9);
      const SolverReport report = solveWith(*solver, {.tolerance = 1e-10}, stored).report;
      solved += report.status == SolveStatus::kConverged ? 1 : 0;
    }
    return solved;
  };
  EXPECT_EQ(countSolved(ProximalNewton{}.maxSteps), kPiles);
  EXPECT_LT(countSolved(0), kPiles);
}

// A warm start may lie where all ways lead astray: what restarts are for.
TEST(FrictionMethods, RestartsOfBpp_SolvePilesWhoseWarmStartLeadsAstray) {
  constexpr int kPiles = 60;
  const auto countSolved = [](bool startsAgain) {
    const std::unique_ptr<ContactSolver> solver = makeBppSolver();
    dynamic_cast<BlockPrincipalPivotingSolver&>(*solver).startsAgain = startsAgain;
    int solved = 0;
    for (std::uint64_t seed = 1; seed <= std::uint64_t{kPiles}; ++seed) {
      const StoredProblem stored = pileWithJoints(FrictionModel::kCone, 0.5, seed);
      std::vector<Real> lambda(stored.b.size());
      Random random(seed);
      for (Real& value : lambda) value = random.uniform(-100, 100);
      const SolverReport report = solveWith(*solver, {.tolerance = 1e-8}, stored, lambda).report;
      solved += report.status == SolveStatus::kConverged ? 1 : 0;
    }
    return solved;
  };
  const int with = countSolved(true);
  EXPECT_EQ(with, kPiles);
  EXPECT_LT(countSolved(false), with);
}

// Single moves from there would take a factor for each of some hundred rows.
TEST(FrictionMethods, WhereBlockPivotsCircle_AnInteriorPointEndsInSomeTensOfFactors) {
  const std::unique_ptr<ContactSolver> solver = makeBppSolver();
  int most = 0;
  for (std::uint64_t seed = 30; seed <= 36; ++seed) {
    StoredProblem stored = randomPile(FrictionModel::kBox, 5, 5, 5, 0.4, seed);
    stored.compliance.assign(stored.b.size(), 1e-9);
    for (ProblemBlock& block : stored.blocks) block.normalBound = 0.3;
    const SolverReport report = solveWith(*solver, stored).report;
    EXPECT_EQ(report.status, SolveStatus::kConverged) << seed;
    most = std::max(most, report.factorizations);
  }
  EXPECT_GT(most, 30);  // block pivots alone do not end
  EXPECT_LT(most, 130);
}

}  // namespace
}  // namespace drystone::test
