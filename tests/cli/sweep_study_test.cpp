// Which runs a study has, and what is said of a study that is wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <span>

#include "tests/cli/sweep_testing.h"

namespace drystone::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kFew = R"("steps": 1, "figures": ["steps"])";

/// The table of a study with these keys, whose runs are of one step.
ReadTable tableOf(const std::string& keys) {
  const Scratch scratch;
  const std::string study = writeStudy(scratch, keys + ", " + kFew);
  const std::string table = scratch.path("table.csv");
  const ProgramResult result = drystone({"sweep", study, "-o", table, "--quiet"});
  EXPECT_EQ(result.exitCode, 0) << result.err;
  return ReadTable(table);
}

TEST(SweepStudy, Grid_LastParameterOfTheFileChangesFastest) {
  // By the alphabet, "scene.height" came first.
  const ReadTable table = tableOf(R"("vary": {"world.timestep": [0.01, 0.02],
    "scene.height": {"from": 1, "to": 100, "count": 3, "scale": "log"}})");
  EXPECT_THAT(table.titles, ElementsAre("run", "world.timestep", "scene.height", "status", "steps",
                                        "message", "runs", "study"));
  EXPECT_THAT(table.column("run"), ElementsAre("1", "2", "3", "4", "5", "6"));
  EXPECT_THAT(table.column("world.timestep"),
              ElementsAre("0.01", "0.01", "0.01", "0.02", "0.02", "0.02"));
  EXPECT_THAT(table.column("scene.height"), ElementsAre("1", "10", "100", "1", "10", "100"));
}

TEST(SweepStudy, GridPoints_AreTheNumbersThatAUserWouldWrite) {
  // In double precision 0.2 + 0.05 / 5 is 0.21000000000000002, and -0.3 + 0.9 / 3 is -5.6e-17.
  const ReadTable table =
      tableOf(R"("vary": {"world.timestep": {"from": 0.2, "to": 0.25, "count": 6}})");
  EXPECT_THAT(table.column("world.timestep"),
              ElementsAre("0.2", "0.21", "0.22", "0.23", "0.24", "0.25"));
  const ReadTable both =
      tableOf(R"("vary": {"world.gravity.2": {"from": -0.3, "to": 0.6, "count": 4}})");
  EXPECT_THAT(both.column("world.gravity.2"), ElementsAre("-0.3", "0", "0.3", "0.6"));
  const ReadTable decades = tableOf(
      R"("vary": {"world.timestep": {"from": 1e-7, "to": 0.1, "count": 7, "scale": "log"}})");
  EXPECT_THAT(decades.column("world.timestep"),
              ElementsAre("1e-07", "1e-06", "1e-05", "0.0001", "0.001", "0.01", "0.1"));
  // A grid that 12 digits do not tell apart keeps its points.
  const ReadTable fine =
      tableOf(R"("vary": {"scene.height": {"from": 2, "to": 2.000000000000004, "count": 5}})");
  const std::vector<double> heights = fine.numbers("scene.height");
  for (std::size_t i = 0; i < heights.size(); ++i) {
    EXPECT_NEAR(heights[i] - 2, 1e-15 * static_cast<double>(i), 5e-16) << i;
  }
}

TEST(SweepStudy, LatinHypercube_HasOneSampleInEachStratumOfEachDimension) {
  const ReadTable table = tableOf(R"("sampling": "latin_hypercube", "samples": 20, "seed": 3,
    "vary": {"scene.height": {"from": 10, "to": 30},
             "world.timestep": {"from": 0.0001, "to": 0.01, "scale": "log"},
             "scene.count": {"from": 1, "to": 4, "whole": true}})");
  std::set<int> heights, timesteps;
  for (const double height : table.numbers("scene.height")) {
    heights.insert(static_cast<int>(std::floor(20 * (height - 10) / 20)));
  }
  for (const double timestep : table.numbers("world.timestep")) {
    timesteps.insert(static_cast<int>(std::floor(20 * std::log10(timestep / 0.0001) / 2)));
  }
  EXPECT_EQ(heights.size(), 20u);
  EXPECT_EQ(*heights.begin(), 0);
  EXPECT_EQ(*heights.rbegin(), 19);
  EXPECT_EQ(timesteps.size(), 20u);
  EXPECT_EQ(*timesteps.begin(), 0);
  EXPECT_EQ(*timesteps.rbegin(), 19);
  // Five strata of the 20 fall on each whole number.
  const std::vector<std::string> counts = table.column("scene.count");
  for (const char* value : {"1", "2", "3", "4"}) {
    EXPECT_EQ(std::ranges::count(counts, value), 5) << value;
  }
  EXPECT_FALSE(std::ranges::is_sorted(table.numbers("scene.height"))) << "it is shuffled";
}

TEST(SweepStudy, Random_SeedsDecideAndMoreSamplesBeginWithTheSame) {
  const auto heights = [](int samples, int seed) {
    return tableOf(R"("sampling": "random", "samples": )" + std::to_string(samples) +
                   R"(, "seed": )" + std::to_string(seed) +
                   R"(, "vary": {"scene.height": {"from": 1, "to": 3}, "scene.count": [2, 5]})")
        .numbers("scene.height");
  };
  const std::vector<double> few = heights(8, 1), more = heights(16, 1), other = heights(8, 2);
  EXPECT_TRUE(std::ranges::equal(few, std::span(more).first(8)));
  EXPECT_NE(few, other);
  EXPECT_EQ(std::set<double>(more.begin(), more.end()).size(), 16u);
  EXPECT_GE(*std::ranges::min_element(more), 1);
  EXPECT_LT(*std::ranges::max_element(more), 3);
}

TEST(SweepStudy, Repeats_GiveTheSceneASeedEach) {
  const Scratch scratch;
  const std::string table = scratch.path("table.csv");
  const std::string study = scratch.write("study.json", R"({"scene": "spheres_box", "steps": 1,
    "seed": 7, "repeats": 2, "vary": {"world.timestep": [0.001, 0.002]}, "figures": ["hash"]})");
  const ProgramResult result = drystone({"sweep", study, "-o", table});
  ASSERT_EQ(result.exitCode, 0) << result.err;
  const ReadTable read(table);
  EXPECT_THAT(read.column("scene_seed"), ElementsAre("7", "8", "7", "8"));
  const std::vector<std::string> hashes = read.column("hash");
  EXPECT_EQ(std::set<std::string>(hashes.begin(), hashes.end()).size(), 4u);
  const ProgramResult run = drystone(
      {"run", "spheres_box", "--steps", "1", "--seed", "8", "--dt", "0.002", "--quiet", "--hash"});
  EXPECT_EQ(hashes[3] + "\n", run.out) << "a row is what `run` does";
}

struct StudyMistake {
  const char* name;
  const char* keys;
  const char* message;
};

class SweepMistakes : public testing::TestWithParam<StudyMistake> {};

TEST_P(SweepMistakes, AreNamedWithPlaceAndRemedyAndNothingIsRun) {
  const Scratch scratch;
  const std::string study = writeStudy(scratch, GetParam().keys);
  const std::string table = scratch.path("table.csv");
  const ProgramResult result = drystone({"sweep", study, "-o", table});
  EXPECT_EQ(result.exitCode, 3) << result.err;
  EXPECT_THAT(result.err, HasSubstr(GetParam().message));
  EXPECT_THAT(result.err, HasSubstr(study + ":1:"));
  EXPECT_EQ(readText(table) + readText(table + ".part"), "");
}

INSTANTIATE_TEST_SUITE_P(
    Cli, SweepMistakes,
    testing::Values(
        StudyMistake{"Key", R"("vary": {"scene.height": [1]}, "sampels": 3)",
                     "/sampels: unknown key of study; did you mean \"samples\"?"},
        StudyMistake{"NoVary", R"("steps": 1)", "a study needs \"vary\""},
        StudyMistake{"Parameter", R"("vary": {"scene.hieght": [1, 2]})",
                     "did you mean \"height\"?"},
        StudyMistake{"AllValues", R"("vary": {"scene.height": [-1, 0.5]})",
                     "/vary/scene.height: no run can be made with it"},
        StudyMistake{"Set", R"("set": {"tolerance": 1e-7, "world.timestep": -1},
                          "vary": {"scene.height": [1]})",
                     "/set/world.timestep: "},
        StudyMistake{"Range", R"("vary": {"scene.height": {"from": 1, "to": 2}})",
                     "needs \"count\""},
        StudyMistake{
            "Log", R"("vary": {"scene.height": {"from": 0, "to": 2, "count": 3, "scale": "log"}})",
            "needs a \"from\" above 0"},
        StudyMistake{
            "Scale",
            R"("vary": {"scene.height": {"from": 1, "to": 2, "count": 3, "scale": "lin"}})",
            "must be one of linear, log"},
        StudyMistake{"Samples", R"("sampling": "random", "vary": {"scene.height": [1]})",
                     "needs \"samples\""},
        StudyMistake{"Figure", R"("figures": ["natural_map_mx"], "vary": {"scene.height": [1]})",
                     "/figures/0: there is no figure \"natural_map_mx\"; did you mean "
                     "\"natural_map_max\""},
        StudyMistake{"Statistic", R"("figures": ["natural_map"], "vary": {"scene.height": [1]})",
                     "\"natural_map_max\", \"natural_map_median\""},
        StudyMistake{"Body", R"("figures": ["bodies.bal.x"], "vary": {"scene.height": [1]})",
                     "the scene has no body \"bal\"; did you mean \"ball\"?"},
        StudyMistake{"BodyFigure",
                     R"("figures": ["bodies.ball.position"], "vary": {"scene.height": [1]})",
                     "of a body; take bodies.ball.NAME with one of x, y, z, vx, vy, vz, speed"},
        StudyMistake{"Twice", R"("vary": {"scene.height": [1, 2, 1]})", "/vary/scene.height/2: "},
        StudyMistake{"Repeats", R"("repeats": 2, "vary": {"scene.height": [1]})",
                     "nothing in the scene is random"},
        StudyMistake{"Syntax", R"("vary": {"scene.height": [1, 2})", ""}),
    [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace drystone::test
