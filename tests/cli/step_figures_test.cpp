// The table of the figures of a step is where files, reports and pages have them from.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/recording/recording.h"
#include "tests/cli/program.h"

namespace drystone::test {
namespace {

using Json = nlohmann::ordered_json;

TEST(StepFigures, EveryOne_IsInCsvJsonSummaryAndRecordingWithItsUnit) {
  const Scratch scratch;
  const std::string csv = scratch.path("steps.csv"), recording = scratch.path("steps.h5");
  const std::vector<std::string> run = {"run", "stack_10", "--steps", "3"};
  std::vector<std::string> files = run;
  files.insert(files.end(), {"--csv", csv, "--record", recording, "--json"});
  const Json json = drystone(files).json()["figures"];
  const std::string summary = drystone(run).out;
  const std::vector<std::string> lines = splitLines(readText(csv));
  ASSERT_EQ(lines.size(), 4u);
  const std::vector<std::string> titles = splitFields(lines[0]), last = splitFields(lines[3]);
  const StepReport report = Recording(recording).steps(3, 1).at(0).report;

  EXPECT_EQ(json.size(), kStepFigures.size());
  for (const StepFigure& figure : kStepFigures) {
    ASSERT_TRUE(json.contains(figure.name)) << figure.name;
    const Json& one = json[figure.name];
    EXPECT_EQ(one["unit"], figure.unit) << figure.name;
    EXPECT_EQ(one["end"].get<double>(), figure.valueIn(report)) << figure.name;
    std::string title = figure.name + std::string(*figure.unit == 0 ? "" : "_") + figure.unit;
    std::erase(title, ' ');
    std::ranges::replace(title, '/', '_');
    const auto found = std::ranges::find(titles, title);
    ASSERT_NE(found, titles.end()) << title;
    EXPECT_EQ(std::stod(last[static_cast<std::size_t>(found - titles.begin())]),
              figure.valueIn(report))
        << title;
    const std::string words =
        figure.words() + (*figure.unit == 0 ? "" : std::string(" [") + figure.unit + "]");
    EXPECT_EQ(one["max"] != 0, summary.find("\n  " + words + "  ") != std::string::npos)
        << "what is 0 throughout is left out: " << words << "\n"
        << summary;
  }
}

TEST(StepFigures, TableOfThePage_IsThatOfTheProgram) {
  std::string table = "| figure | unit | of a step | what |\n|---|---|---|---|\n";
  for (const StepFigure& figure : kStepFigures) {
    table += std::string("| `") + figure.name + "` | " + figure.unit + " | " + figure.ruleText() +
             " | " + figure.help + " |\n";
  }
  const std::string page = readText(DRYSTONE_SOURCE_DIR "/docs/cli.md");
  EXPECT_NE(page.find("<!-- generated: figures -->\n" + table + "<!-- end -->"), std::string::npos)
      << "Replace the table in docs/cli.md by\n"
      << table;
}

}  // namespace
}  // namespace drystone::test
