// What the summary of a run says beyond its tables: what was forgiven, what was worst, and of which
// step each island tells.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <string>
#include <vector>

#include "tests/cli/program.h"

namespace drystone::test {
namespace {

using testing::HasSubstr;
using testing::Not;

/// A cube of 1 m and 1 kg that begins `depth` [m] in the ground.
std::string sunkCube(const Scratch& scratch, double depth) {
  return scratch.write("sunk.json", R"({"version": 1, "name": "sunk", "bodies": [
    {"name": "ground", "kind": "static", "shape": {"type": "plane"}},
    {"name": "cube", "mass": 1, "position": [0, 0, )" +
                                        std::to_string(0.5 - depth) + R"(],
     "shape": {"type": "box", "half_extents": [0.5, 0.5, 0.5]}}]})");
}

// The tolerance is a hundredth of the cube, 0.01 m: no step could prevent what the cube began with.
TEST(RunSummary, OverlapOfTheStart_IsForgivenByNameAndNotUnderStrict) {
  const Scratch scratch;
  const std::vector<std::string> run = {"run", sunkCube(scratch, 0.35), "--steps", "60"};
  const ProgramResult plain = drystone(run);
  EXPECT_EQ(plain.exitCode, 0) << plain.err;
  EXPECT_THAT(plain.out, HasSubstr("Tolerance     met in every step\n"));
  EXPECT_THAT(plain.out, HasSubstr("overlap FORGIVEN in "));
  EXPECT_THAT(plain.out, HasSubstr("worst 0.35 m in step 1, 'ground' - 'cube'\n"));
  std::vector<std::string> strict = run;
  strict.insert(strict.end(), {"--strict", "--json"});
  const ProgramResult result = drystone(strict);
  EXPECT_EQ(result.exitCode, 4);
  EXPECT_TRUE(result.errContains("worst 0.35 m of 'ground' - 'cube'; move them apart"))
      << result.err;
  const auto json = result.json();
  EXPECT_EQ(json["steps_missed"], 0);
  EXPECT_GT(json["steps_forgiven"], 1);
  EXPECT_EQ(json["steps_forgiven"].get<int>() < 60, true) << "it is pushed out";
  EXPECT_NEAR(json["worst_forgiven"]["m"].get<double>(), 0.35, 1e-9);
  EXPECT_EQ(json["worst_forgiven"]["step"], 1);
  EXPECT_EQ(json["worst_forgiven"]["bodies"][1], "'cube'");
}

TEST(RunSummary, OverlapWithinTheTolerance_IsNoneToForgive) {
  const Scratch scratch;
  const ProgramResult result = drystone({"run", sunkCube(scratch, 0.009), "--strict"});
  EXPECT_EQ(result.exitCode, 0) << result.err;
  EXPECT_THAT(result.out, Not(HasSubstr("orgiven")));
}

TEST(RunJson, WorstResidual_IsThatOfTheSummary) {
  const std::vector<std::string> run = {"run", "card_house", "--steps", "10"};
  std::vector<std::string> asJson = run;
  asJson.emplace_back("--json");
  const auto worst = drystone(asJson).json()["worst_residual"];
  EXPECT_THAT(drystone(run).out,
              HasSubstr("Worst         step " + worst["step"].dump() + ", island " +
                        worst["island"].dump() + ", " + worst["at"].get<std::string>() + " " +
                        worst["bodies"][0].get<std::string>() + " - " +
                        worst["bodies"][1].get<std::string>() + ": natural map "));
  EXPECT_GT(worst["m_s"], 0);
  EXPECT_TRUE(drystone({"run", "bounce", "--steps", "2", "--json"})
                  .json()["worst_residual"]["bodies"]
                  .is_null())
      << "nothing touches yet";
}

// The cards rest: gravity and contacts do 1e-6 J, and all else is round-off of that.
TEST(RunSummary, EnergyBelowItsRoundOff_IsLeftOut) {
  const std::string text = drystone({"run", "card_house", "--time", "1"}).out;
  EXPECT_THAT(text, Not(HasSubstr("gyroscopic")));
  EXPECT_THAT(text, HasSubstr("external "));
  const std::string turning = drystone({"run", "spinner", "--time", "0.2"}).out;
  EXPECT_THAT(turning, HasSubstr("turned_inertia"));
}

// The assembly is a part of the solve. Shares are rounded, each by half a percent.
TEST(RunSummary, SharesOfTime_AddUp) {
  const std::string text = drystone({"run", "stack_10", "--steps", "30"}).out;
  const std::regex row("\n  (collision|rows|solve|integrate|other) [^\n]* ([0-9]+) %");
  int sum = 0, rows = 0;
  for (std::sregex_iterator at(text.begin(), text.end(), row), end; at != end; ++at, ++rows) {
    sum += std::stoi((*at)[2]);
  }
  EXPECT_EQ(rows, 5) << text;
  EXPECT_NEAR(sum, 100, 3) << text;
}

// 239 steps of 0.01 s: their sum would be 2.389999999999993 s.
TEST(RunCsv, Time_IsStepsTimesTimestep) {
  const Scratch scratch;
  const std::string csv = scratch.path("steps.csv"), joints = scratch.path("joints.csv");
  const ProgramResult result = drystone(
      {"run", "bounce", "--dt", "0.01", "--steps", "239", "--csv", csv, "--joints", joints});
  const std::vector<std::string> lines = splitLines(readText(csv));
  EXPECT_EQ(splitFields(lines.back())[1], "2.39");
  EXPECT_EQ(splitLines(readText(joints)).size(), 1u);
  EXPECT_TRUE(result.errContains("--joints: the scene has no joints")) << result.err;
}

TEST(RunExplain, HasUnitsAndTheMeaningOfItsWords) {
  const std::string text = drystone({"run", "stack_10", "--steps", "3", "--explain", "1"}).out;
  const std::size_t at = text.find("Step 1: how its island was solved\n");
  ASSERT_NE(at, std::string::npos) << text;
  const std::string explained = text.substr(at);
  for (const char* part :
       {"residual [m/s]", "time [ms]", ": converged after 1 iteration and ", " m/s left",
        "up to 1e-06 m/s counts as solved", "the answer is that of the solver asked for",
        "\n  eliminated ", "\n  taken as "}) {
    EXPECT_THAT(explained, HasSubstr(part));
  }
}

TEST(RunExplain, StepWithoutContacts_HadNothingToSolve) {
  EXPECT_THAT(drystone({"run", "bounce", "--steps", "2", "--explain", "2"}).out,
              HasSubstr("Step 2: there was nothing to solve\n"));
}

}  // namespace
}  // namespace drystone::test
