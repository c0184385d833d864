// The loop over friction bounds where it wanders without its proximal term: columns of bricks that
// are hit, cold.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "solvers/default_registry.h"
#include "tests/support/problems.h"
#include "tests/support/solved.h"

namespace drystone::test {
namespace {

class BoundLoopSolvers : public ::testing::TestWithParam<const char*> {
 protected:
  /// Of the columns of 20 seeds in either form.
  struct Converged {
    int inBodyForm = 0, assembled = 0;
  };
  Converged solveColumns(FrictionModel model, int bricks) {
    Converged converged;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const StoredProblem column = hitColumn(model, seed, bricks);
      converged.inBodyForm += isSolved(column) ? 1 : 0;
      converged.assembled += isSolved(test::assembled(column)) ? 1 : 0;
    }
    return converged;
  }

 private:
  /// By the solver's word, which the judge confirms.
  static bool isSolved(const StoredProblem& problem) {
    const auto solver = makeDefaultRegistry().create(GetParam());
    Budget budget;
    budget.tolerance = 1e-8;
    const Solved solved = solveWith(*solver, budget, problem);
    if (solved.report.status != SolveStatus::kConverged) return false;
    EXPECT_LE(solved.judged.naturalMap, 1e-8) << GetParam();
    return true;
  }
};
INSTANTIATE_TEST_SUITE_P(Solvers, BoundLoopSolvers,
                         ::testing::Values("pgcg", "bpp-pcg", "bpp-skyline"),
                         [](const ::testing::TestParamInfo<const char*>& test) {
                           std::string name = test.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// Without the term 17.
TEST_P(BoundLoopSolvers, HitColumnsOfFour_AreSolvedWithTheCone) {
  const Converged converged = solveColumns(FrictionModel::kCone, 4);
  EXPECT_EQ(converged.inBodyForm, 20);
  EXPECT_EQ(converged.assembled, 20);
}

// 17 and 18; without the term 11 with the pyramid, 15 with the cone.
TEST_P(BoundLoopSolvers, HitColumnsOfEight_AreMostlySolved) {
  for (const FrictionModel model : {FrictionModel::kPyramid, FrictionModel::kCone}) {
    const Converged converged = solveColumns(model, 8);
    EXPECT_GE(converged.inBodyForm, 16) << frictionModelName(model);
    EXPECT_GE(converged.assembled, 16) << frictionModelName(model);
  }
}

// Nor is anything lost where contacts are not redundant: 14 with the term and without, 11 where λ̄_n
// went all the way in every round with it.
TEST(BoundLoop, PilesOfSpheresWithMuchFriction_AreSolvedAsOftenAsWithout) {
  const auto solver = makeDefaultRegistry().create("pgcg");
  int converged = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Solved solved = solveWith(*solver, randomPile(FrictionModel::kCone, 4, 4, 4, 1, seed));
    converged += solved.report.status == SolveStatus::kConverged ? 1 : 0;
  }
  EXPECT_GE(converged, 13);
}

}  // namespace
}  // namespace drystone::test
