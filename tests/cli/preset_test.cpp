// Presets and the time of a step on the command line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/program.h"

namespace drystone::test {
namespace {

using testing::HasSubstr;

TEST(RunPreset, IsABudgetThatSingleValuesWinOver) {
  const std::vector<std::string> run = {"run",  "stack_10", "--steps",  "1",       "--json",
                                        "--dt", "0.01",     "--preset", "realtime"};
  const auto json = drystone(run).json();
  EXPECT_EQ(json["tolerance_m_s"], 1e-6);
  EXPECT_EQ(json["budget_ms"], 5);
  std::vector<std::string> own = run;
  own.insert(own.end(), {"--set", "tolerance=1e-7", "--set", "budget_ms=0"});
  const auto changed = drystone(own).json();
  EXPECT_EQ(changed["tolerance_m_s"], 1e-7);
  EXPECT_TRUE(changed["budget_ms"].is_null());
  EXPECT_EQ(changed["steps_time_limited"], 0);
}

TEST(RunPreset, IsNamedInTheSummaryWithItsTolerance) {
  const std::vector<std::string> run = {"run", "stack_10", "--steps", "1", "--preset", "exact"};
  EXPECT_THAT(drystone(run).out, HasSubstr("preset exact (tolerance 1e-09 m/s)"));
  std::vector<std::string> own = run;
  own.insert(own.end(), {"--set", "tolerance=1e-7"});
  EXPECT_THAT(drystone(own).out,
              AllOf(HasSubstr(" tolerance 1e-07 m/s"), Not(HasSubstr("preset"))));
}

TEST(RunPreset, UnknownOne_IsAUsageError) {
  const ProgramResult result = drystone({"run", "stack_10", "--preset", "exakt"});
  EXPECT_EQ(result.exitCode, 2);
  EXPECT_THAT(result.err, HasSubstr("there is no preset 'exakt'; did you mean \"exact\"?"));
}

TEST(RunPreset, WithAnotherSolver_Stays) {
  const auto json = drystone({"run", "stack_10", "--steps", "1", "--json", "--solver", "nsgs",
                              "--preset", "realtime"})
                        .json();
  EXPECT_EQ(json["tolerance_m_s"], 1e-6);
  EXPECT_FALSE(json["budget_ms"].is_null());
}

// Fifty sweeps are what the scene gives its solver: no budget for 1e-9 m/s.
TEST(RunPreset, TakesThePlaceOfTheSweepsOfAScene) {
  const std::vector<std::string> run = {"run", "pile_1000", "--steps", "1", "--json"};
  EXPECT_EQ(drystone(run).json()["max_iterations"], 50);
  std::vector<std::string> exact = run;
  exact.insert(exact.end(), {"--preset", "exact"});
  EXPECT_GT(drystone(exact).json()["max_iterations"], 50);
  exact.insert(exact.end(), {"--set", "max_iterations=7"});
  EXPECT_EQ(drystone(exact).json()["max_iterations"], 7);
}

TEST(RunPreset, SolverThatMissesIt_IsToldOf) {
  std::vector<std::string> run = {"run",   "stack_10", "--steps", "3",     "--preset",
                                  "exact", "--solver", "nsgs",    "--set", "max_iterations=1"};
  const ProgramResult misses = drystone(run);
  EXPECT_EQ(misses.exitCode, 0);
  EXPECT_THAT(misses.err, HasSubstr("--preset exact: nsgs missed its tolerance in 3 of 3 steps"));
  EXPECT_THAT(misses.err, HasSubstr("--solver auto"));
  run.resize(6);
  EXPECT_THAT(drystone(run).err, Not(HasSubstr("--preset")));
}

TEST(RunPreset, RecordingHasIt) {
  const Scratch scratch;
  const std::string file = scratch.path("run.h5");
  ASSERT_EQ(
      drystone({"run", "stack_10", "--steps", "3", "--preset", "exact", "--record", file}).exitCode,
      0);
  const ProgramResult replay = drystone({"replay", file});
  EXPECT_EQ(replay.exitCode, 0) << replay.out << replay.err;
}

// A nanosecond: nothing is solved, and the stack falls.
TEST(RunBudget, TooShort_IsSaidInWordsAndFigures) {
  const std::vector<std::string> run = {"run", "stack_10", "--steps",
                                        "3",   "--set",    "solver.budget_ms=1e-6"};
  EXPECT_THAT(drystone(run).out,
              HasSubstr("hit in 3 of 3 steps: the results depend on the machine"));
  std::vector<std::string> asJson = run;
  asJson.push_back("--json");
  const auto json = drystone(asJson).json();
  EXPECT_EQ(json["steps_time_limited"], 3);
  EXPECT_EQ(json["figures"]["time_limited"]["end"], 1);
  EXPECT_EQ(json["status"]["time_limit"], 3);
}

TEST(RunBudget, KeysWithoutADot_AreThoseOfTheSceneFile) {
  for (const char* prefix : {"", "solver."}) {
    const std::string set = std::string(prefix) + "budget_ms=5";
    const auto json = drystone({"run", "stack_10", "--steps", "1", "--json", "--set", set}).json();
    EXPECT_EQ(json["budget_ms"], 5) << set;
  }
}

TEST(RunBudget, TooShort_IsSaidOfItsRecording) {
  const Scratch scratch;
  const std::string cut = scratch.path("cut.h5"), whole = scratch.path("whole.h5");
  for (const auto& [file, budget] : {std::pair(cut, "1e-6"), std::pair(whole, "1e9")}) {
    const std::string set = std::string("solver.budget_ms=") + budget;
    ASSERT_EQ(drystone({"run", "stack_10", "--steps", "3", "--set", set, "--record", file, "-q"})
                  .exitCode,
              0);
  }
  EXPECT_THAT(drystone({"replay", cut}).out, HasSubstr("hit in 3 of 3 steps when it was recorded"));
  EXPECT_EQ(drystone({"replay", cut, "--json"}).json()["recorded_steps_time_limited"], 3);
  EXPECT_THAT(drystone({"replay", whole}).out, Not(HasSubstr("Time limit")));
}

TEST(SolveCondense, IsOneOfThree) {
  const Scratch scratch;
  ASSERT_EQ(drystone({"run", "chain", "--steps", "3", "--dump-problems", scratch.path("d"),
                      "--dump-when", "largest", "--quiet"})
                .exitCode,
            0);
  for (const char* choice : {"condense=auto", "condense=never", "condense=always"}) {
    EXPECT_EQ(drystone({"solve", scratch.path("d"), "--set", choice, "--strict"}).exitCode, 0);
  }
  const ProgramResult wrong = drystone({"solve", scratch.path("d"), "--set", "condense=alway"});
  EXPECT_EQ(wrong.exitCode, 2);
  EXPECT_THAT(wrong.err, HasSubstr("did you mean \"always\"?"));
}

}  // namespace
}  // namespace drystone::test
