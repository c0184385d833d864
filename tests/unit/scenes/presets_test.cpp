// The key `preset` of a scene's solver, and its place among the other keys and on the command line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/scenes/scene_testing.h"

namespace drystone {
namespace {

SolverChoice solverOf(const std::string& sections,
                      const std::vector<ParameterOverride>& overrides = {}) {
  return readSections(sections, overrides).settings.solver;
}

TEST(Presets, Realtime_IsHalfOfTheTimestepWhereverThatIsSaid) {
  const std::string solver = R"("solver": {"preset": "realtime"})";
  EXPECT_EQ(solverOf(solver).budget.tolerance, 1e-6);
  EXPECT_EQ(solverOf(solver).stepSeconds, 0.5 / 60);
  EXPECT_EQ(solverOf(solver + R"(, "world": {"timestep": 0.004})").stepSeconds, 0.002);
  EXPECT_EQ(solverOf(solver, {{"world.timestep", "0.01"}}).stepSeconds, 0.005);
}

TEST(Presets, KeysBesideOne_WinWhateverTheirOrder) {
  const SolverChoice choice = solverOf(
      R"("solver": {"tolerance": 1e-5, "max_iterations": 9, "budget_ms": 0, "preset": "realtime"})");
  EXPECT_EQ(choice.budget.tolerance, 1e-5);
  EXPECT_EQ(choice.budget.iterations, 9);
  EXPECT_EQ(choice.stepSeconds, kUnlimited);
}

TEST(Presets, OfTheCommandLine_WinsOverTheFileAndLosesToSingleValues) {
  const std::string file =
      R"("solver": {"tolerance": 1e-5, "time_limit_s": 1, "budget_ms": 3, "max_iterations": 9})";
  const SolverChoice exact = solverOf(file, {{"solver.preset", "exact"}});
  EXPECT_EQ(exact.budget.tolerance, 1e-9);
  EXPECT_EQ(exact.budget.seconds, kUnlimited);
  EXPECT_EQ(exact.stepSeconds, kUnlimited);
  EXPECT_FALSE(exact.budget.iterations) << "nine would end it far from the tolerance";
  const SolverChoice own = solverOf(
      file, {{"tolerance", "1e-7"}, {"solver.preset", "exact"}, {"solver.budget_ms", "2"}});
  EXPECT_EQ(own.budget.tolerance, 1e-7);
  EXPECT_EQ(own.stepSeconds, 0.002);
}

TEST(Presets, BudgetAlone_IsInMilliseconds) {
  EXPECT_EQ(solverOf(R"("solver": {"budget_ms": 4})").stepSeconds, 0.004);
  EXPECT_EQ(solverOf(R"("solver": {})").stepSeconds, kUnlimited);
  EXPECT_THAT(problemsOf(sceneWith(R"("solver": {"budget_ms": -1})")),
              testing::ElementsAre(testing::HasSubstr("must be ≥ 0 ms")));
}

TEST(Presets, UnknownOne_IsNamedWithItsPlace) {
  EXPECT_THAT(problemsOf(sceneWith(R"("solver": {"preset": "fast"})")),
              testing::ElementsAre(testing::AllOf(testing::HasSubstr("/solver/preset"),
                                                  testing::HasSubstr("realtime"))));
}

TEST(Presets, KeysOfTheCommandLine_ArePlacesInTheFile) {
  EXPECT_FALSE(solverSetting("solver.preset").has_value());
  EXPECT_FALSE(solverSetting("solver.budget_ms").has_value());
  EXPECT_FALSE(solverSetting("budget_ms").has_value());
  EXPECT_EQ(solverOf(R"("solver": {})", {{"budget_ms", "4"}}).stepSeconds, 0.004);
}

}  // namespace
}  // namespace drystone
