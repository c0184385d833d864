// The times of the stages of a step, in JSON, in the summary and on the page.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "engine/step/stage_times.h"
#include "tests/cli/program.h"

namespace drystone::test {
namespace {

using Json = nlohmann::ordered_json;

TEST(StepStages, TableOfThePage_IsThatOfTheProgram) {
  std::string table = "| stage | what |\n|---|---|\n";
  for (const StageInfo& stage : kStepStages) {
    table += std::string("| `") + stage.name + "` | " + stage.help + " |\n";
  }
  const std::string page = readText(DRYSTONE_SOURCE_DIR "/docs/cli.md");
  EXPECT_NE(page.find("<!-- generated: stages -->\n" + table + "<!-- end -->"), std::string::npos)
      << "Replace the table in docs/cli.md by\n"
      << table;
}

TEST(StepStages, OfAStep_AddUpToItsTime) {
  const Json times = drystone({"run", "wall", "--steps", "20", "--json"}).json()["time_ms"];
  ASSERT_EQ(times["stages"].size(), kStepStages.size());
  double sum = 0;
  for (const auto& [name, stage] : times["stages"].items()) {
    sum += stage["mean"].get<double>();
    EXPECT_EQ(stage["threads"], 1) << name << ": the run has one thread";
  }
  EXPECT_NEAR(sum, times["step"]["mean"].get<double>(), 1e-9);
  EXPECT_GT(times["stages"]["solve"]["mean"], 0);
}

// The rows of the table, as they stand: name and mean.
TEST(RunProfile, ListsTheStagesByTheirTimeAndOnlyWhereItIsAskedFor) {
  const std::string text = drystone({"run", "stack_10", "--steps", "10", "--profile"}).out;
  std::istringstream lines(text.substr(text.find("Stage [ms]")));
  std::string line;
  std::getline(lines, line);
  EXPECT_THAT(line, testing::HasSubstr("threads"));
  double before = 1e9;
  int rows = 0;
  for (; std::getline(lines, line) && !line.empty(); ++rows) {
    const std::size_t digit = line.find_first_of("0123456789");
    ASSERT_NE(digit, std::string::npos) << line;
    const double mean = std::stod(line.substr(digit));
    EXPECT_LE(mean, before) << text;
    before = mean;
  }
  EXPECT_GE(rows, 8) << text;
  EXPECT_THAT(drystone({"run", "stack_10", "--steps", "10"}).out,
              testing::Not(testing::HasSubstr("Stage [ms]")));
}

}  // namespace
}  // namespace drystone::test
