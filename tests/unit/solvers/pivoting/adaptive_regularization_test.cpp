#include <gtest/gtest.h>

#include "solvers/default_registry.h"
#include "solvers/pivoting/adaptive_regularization.h"
#include "solvers/pivoting/bpp.h"
#include "solvers/pivoting/mlcp_solver.h"
#include "tests/support/solved.h"

namespace drystone::test {
namespace {

/// Rows 0 to 2 are a contact; 3 to 5 another.
AdaptiveRegularization regularizationOf(const StoredProblem& stored, int limit, Real amount) {
  AdaptiveRegularization regularization;
  regularization.settings = {.enabled = true, .pivotLimit = limit, .amount = amount};
  regularization.start(stored.view());
  return regularization;
}

void pivotTimes(AdaptiveRegularization& regularization, int row, int times) {
  for (int i = 0; i < times; ++i) regularization.countPivot(row);
}

// d = 3: the fourth pivot brings ε to both tangents of its contact, then d is 6: the seventh more.
TEST(AdaptiveRegularization, RowThatPivotsMoreThanD_GetsEpsilonAndTwiceTheLimit) {
  const StoredProblem stored = boxOnPlane(FrictionModel::kBox, 1, 0.5);
  AdaptiveRegularization regularization = regularizationOf(stored, 3, 0.25);
  pivotTimes(regularization, 1, 3);
  EXPECT_FALSE(regularization.endRound());
  EXPECT_TRUE(regularization.compliance().empty());
  pivotTimes(regularization, 1, 1);
  EXPECT_TRUE(regularization.endRound());
  ASSERT_EQ(regularization.compliance().size(), stored.b.size());
  const std::vector<Real> once = {0, 0.25, 0.25, 0};
  EXPECT_TRUE(std::equal(once.begin(), once.end(), regularization.compliance().begin()));
  pivotTimes(regularization, 1, 2);
  EXPECT_FALSE(regularization.endRound());
  pivotTimes(regularization, 1, 1);
  EXPECT_TRUE(regularization.endRound());
  EXPECT_EQ(regularization.compliance()[2], 0.5);
}

TEST(AdaptiveRegularization, NormalsAndJoints_StayAsTheyAre) {
  const StoredProblem stored = pileWithJoints(FrictionModel::kBox, 0.3, 3);
  AdaptiveRegularization regularization = regularizationOf(stored, 1, 1);
  for (const ProblemBlock& block : stored.blocks) {
    const int rows = block.law == BlockLaw::kContact ? 1 : block.rows;
    for (int i = 0; i < rows; ++i) pivotTimes(regularization, block.firstRow + i, 10);
  }
  EXPECT_FALSE(regularization.endRound());
}

// The next solve begins without; the next run with what there is, and with counts from zero.
TEST(AdaptiveRegularization, NewRun_KeepsTheCompliance_NewSolveDoesNot) {
  const StoredProblem stored = boxOnPlane(FrictionModel::kBox, 1, 0.5);
  AdaptiveRegularization regularization = regularizationOf(stored, 2, 0.25);
  pivotTimes(regularization, 1, 3);
  ASSERT_TRUE(regularization.endRound());
  pivotTimes(regularization, 4, 2);
  regularization.startRun();
  pivotTimes(regularization, 4, 2);
  EXPECT_FALSE(regularization.endRound());
  EXPECT_EQ(regularization.compliance()[1], 0.25);
  regularization.start(stored.view());
  EXPECT_TRUE(regularization.compliance().empty());
}

// ε (3, 4) of tangents: a slip of 5 ε, which for `cone` opens the contact by μ times as much. A
// tight tangent slips anyway.
TEST(AdaptiveRegularization, Report_SaysHowManyRowsHowMuchAndWhatSlip) {
  StoredProblem stored = boxOnPlane(FrictionModel::kBox, 1, 0.5);
  for (const FrictionModel model : {FrictionModel::kBox, FrictionModel::kCone}) {
    stored.friction = model;
    AdaptiveRegularization regularization = regularizationOf(stored, 1, 0.1);
    pivotTimes(regularization, 2, 2);
    ASSERT_TRUE(regularization.endRound());
    std::vector<Real> lambda(stored.b.size(), 0);
    lambda[0] = 10;
    lambda[1] = 3;
    lambda[2] = -4;
    std::vector<RowState> state(stored.b.size(), RowState::kFree);
    SolverReport report;
    regularization.describe({lambda, state}, report);
    EXPECT_EQ(report.regularizedRows, 2);
    EXPECT_EQ(report.addedCompliance, 0.1);
    const Real opening = model == FrictionModel::kCone ? 1.5 : 1;
    EXPECT_NEAR(report.relaxationError, opening * 0.5, 1e-15);
    state[2] = RowState::kLower;
    regularization.describe({lambda, state}, report);
    EXPECT_EQ(report.regularizedRows, 2);
    EXPECT_NEAR(report.relaxationError, opening * 0.3, 1e-15);
  }
}

RegularizationSettings& regularizationOf(ContactSolver& solver) {
  auto* bpp = dynamic_cast<BlockPrincipalPivotingSolver*>(&solver);
  return bpp ? bpp->regularization().settings
             : dynamic_cast<MlcpSolver&>(solver).method().regularization()->settings;
}

class RegularizingSolvers : public ::testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<ContactSolver> solver_ = makeDefaultRegistry().create(GetParam());
};
INSTANTIATE_TEST_SUITE_P(Solvers, RegularizingSolvers, ::testing::Values("bpp", "bpp-pcg", "pgcg"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST_P(RegularizingSolvers, OffByDefault_AddsNothing) {
  const Solved solved = solveWith(*solver_, randomPile(FrictionModel::kCone, 3, 3, 2, 0.4, 2));
  EXPECT_EQ(solved.report.regularizedRows, 0);
  EXPECT_EQ(solved.report.addedCompliance, 0);
  EXPECT_EQ(solved.report.relaxationError, 0);
}

// A row that pivots twice is regularized at once. The answer is that of the regularized problem, so
// the judge, who knows the given one, finds the slip, and no more than the report says.
TEST_P(RegularizingSolvers, JudgeFindsTheSlipThatTheReportStates) {
  applySetting(*solver_, "adaptive_regularization", true);
  applySetting(*solver_, "regularization_pivots", std::int64_t{1});
  regularizationOf(*solver_).amount = 0.5;
  for (const FrictionModel model :
       {FrictionModel::kBox, FrictionModel::kPyramid, FrictionModel::kCone}) {
    int regularized = 0;
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      const StoredProblem stored = randomPile(model, 3, 3, 3, 0.4, seed);
      const Solved solved = solveWith(*solver_, stored);
      if (solved.report.status != SolveStatus::kConverged) continue;
      EXPECT_LE(solved.judged.naturalMap, solved.report.relaxationError + 1e-8)
          << frictionModelName(model) << seed;
      if (solved.report.regularizedRows == 0) continue;
      ++regularized;
      EXPECT_GE(solved.report.addedCompliance, 0.5);
      EXPECT_GT(solved.judged.naturalMap, 1e-3 * solved.report.relaxationError);
    }
    EXPECT_GE(regularized, 3) << frictionModelName(model);
  }
}

// Every change makes another problem, of which the loop over bounds has seen nothing yet: a round
// after many of other ones is no sign that it leads nowhere. Without, 13 of 20 converge.
TEST_P(RegularizingSolvers, BoundLoop_ConvergesWhereTheProblemChangesOnTheWay) {
  applySetting(*solver_, "adaptive_regularization", true);
  applySetting(*solver_, "regularization_pivots", std::int64_t{1});
  int solvedOnes = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Solved solved =
        solveWith(*solver_, randomPile(FrictionModel::kPyramid, 3, 3, 3, 0.4, seed));
    EXPECT_GT(solved.report.regularizedRows, 0) << seed;
    solvedOnes += solved.report.status == SolveStatus::kConverged ? 1 : 0;
  }
  EXPECT_GE(solvedOnes, 17);
}

// Blocks that circle are left to do so until a row has moved more than d = 10 times; patience alone
// would end them long before.
TEST(AdaptiveRegularization, BlocksThatCircle_AreRegularizedAtTheDefaultLimit) {
  for (const char* name : {"bpp", "bpp-pcg"}) {
    const auto solver = makeDefaultRegistry().create(name);
    applySetting(*solver, "adaptive_regularization", true);
    int regularized = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const Solved solved = solveWith(*solver, boxPile(seed));
      EXPECT_EQ(solved.report.status, SolveStatus::kConverged) << name << seed;
      regularized += solved.report.regularizedRows > 0 ? 1 : 0;
    }
    EXPECT_GE(regularized, 8) << name;
  }
}

// 1e-12/kg changes no set, so that blocks circle on. What leads out of that solves the problem as
// it was given, and the report says so.
TEST(AdaptiveRegularization, RegularizationThatDoesNotHelp_IsTakenBack) {
  const auto solver = makeDefaultRegistry().create("bpp-pcg");
  applySetting(*solver, "adaptive_regularization", true);
  applySetting(*solver, "regularization_pivots", std::int64_t{2});
  regularizationOf(*solver).amount = 1e-12;
  for (const std::uint64_t seed : {4, 5, 9}) {
    const Solved solved = solveWith(*solver, boxPile(seed));
    EXPECT_EQ(solved.report.status, SolveStatus::kConverged) << seed;
    EXPECT_GT(solved.report.iterations, 50) << seed;
    EXPECT_EQ(solved.report.regularizedRows, 0) << seed;
    EXPECT_EQ(solved.report.relaxationError, 0) << seed;
  }
}

}  // namespace
}  // namespace drystone::test
