#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "apps/support/table.h"
#include "gpu/devices.h"
#include "tests/cli/program.h"

namespace drystone::test {
namespace {

/// Every line of a Markdown table starts and ends with a bar, and the second one is the rule.
void expectMarkdownTable(const std::string& text, std::size_t atLeastRows) {
  const std::vector<std::string> lines = splitLines(text);
  ASSERT_GE(lines.size(), atLeastRows + 2);
  for (const std::string& line : lines) {
    EXPECT_TRUE(line.starts_with("|") && line.ends_with("|")) << line;
  }
  EXPECT_EQ(lines[1].find_first_not_of("|-:"), std::string::npos) << lines[1];
}

/// The few that most users need, and what the others are measured against.
TEST(List, Solvers_AreAtMostEightEachWithWhenToTakeIt) {
  const auto json = drystone({"list", "solvers", "--json"}).json();
  const std::string main = drystone({"list", "solvers"}).out;
  const std::string reference = drystone({"list", "solvers", "--reference"}).out;
  expectMarkdownTable(reference, 1);
  int doors = 0;
  for (const auto& solver : json) {
    const bool isMain = solver["shelf"] == "main";
    doors += isMain ? 1 : 0;
    EXPECT_EQ(solver["when_to_take"].get<std::string>().empty(), !isMain) << solver["name"];
    const std::string cell = "| `" + solver["name"].get<std::string>() + "` ";
    EXPECT_EQ(main.find(cell) != std::string::npos, isMain) << solver["name"];
    EXPECT_EQ(reference.find(cell) != std::string::npos, !isMain) << solver["name"];
  }
  EXPECT_GE(doors, 6);
  EXPECT_LE(doors, 8);
}

TEST(List, Solvers_HaveAtMostEightSettings) {
  std::size_t all = 0;
  for (const auto& solver : drystone({"list", "solvers", "--json"}).json()) {
    const auto& settings = solver["settings"];
    EXPECT_LE(settings.size(), 8u) << solver["name"];
    all += settings.size();
  }
  EXPECT_LE(all, 125u);
}

TEST(List, Solvers_IsAMarkdownTableWithTheDefaultSolver) {
  const ProgramResult result = drystone({"list", "solvers"});
  EXPECT_EQ(result.exitCode, 0) << result.err;
  expectMarkdownTable(result.out, 1);
  EXPECT_TRUE(result.outContains("| `auto`")) << result.out;
}

TEST(List, SolversAsJson_SayWhatEachTakesAndItsSettings) {
  const auto json = drystone({"list", "solvers", "--json"}).json();
  ASSERT_TRUE(json.is_array());
  ASSERT_FALSE(json.empty());
  for (const auto& solver : json) {
    for (const char* key :
         {"name", "summary", "shelf", "source", "friction_models", "joint_rows", "friction_law",
          "ends_at", "deterministic", "parallel", "available", "settings"}) {
      EXPECT_TRUE(solver.contains(key)) << key;
    }
    EXPECT_FALSE(solver["friction_models"].empty()) << solver["name"];
    for (const auto& setting : solver["settings"]) {
      EXPECT_TRUE(setting.contains("default") && setting.contains("unit")) << setting;
      EXPECT_FALSE(setting["help"].get<std::string>().empty()) << setting;
    }
  }
}

TEST(List, OneSolver_ShowsItsSettingsWithDefaults) {
  const ProgramResult result = drystone({"list", "solvers", "nsgs"});
  EXPECT_EQ(result.exitCode, 0) << result.err;
  EXPECT_TRUE(result.outContains("most iterations, by default | 20000")) << result.out;
  EXPECT_TRUE(result.outContains("`criterion`")) << result.out;
}

TEST(List, SolverWithoutSettings_NamesTheBudget) {
  const std::string text =
      "no settings besides the budget: tolerance, max_iterations, "
      "time_limit_s, budget_ms\n";
  const ProgramResult one = drystone({"list", "solvers", "auto"});
  EXPECT_TRUE(one.outContains(text)) << one.out;
  EXPECT_FALSE(one.outContains("| setting")) << one.out;
  EXPECT_TRUE(drystone({"list", "solvers", "--settings"}).outContains("`auto`\n\n" + text));
}

TEST(List, Scenes_HaveDescriptionsFiguresAndSolvers) {
  const auto json = drystone({"list", "scenes", "--json"}).json();
  ASSERT_TRUE(json.is_array());
  bool found = false;
  for (const auto& scene : json) {
    found = found || scene["name"] == "stack_10";
    EXPECT_FALSE(scene["description"].get<std::string>().empty()) << scene["name"];
    EXPECT_GE(scene["bodies"], 1) << scene["name"];
    EXPECT_GE(scene["mass_ratio"], 1) << scene["name"];
  }
  EXPECT_TRUE(found);
  const std::string table = drystone({"list", "scenes", "--long"}).out;
  expectMarkdownTable(table, json.size());
  EXPECT_THAT(table, testing::HasSubstr("| bodies |"));
  EXPECT_THAT(table, testing::HasSubstr("| mass ratio |"));
  EXPECT_THAT(table, testing::ContainsRegex("\n\\| pile_1000 [^\n]*\\| sor-prox"));
  EXPECT_THAT(table, testing::ContainsRegex("\n\\| stack_10 [^\n]*\\| auto "));
}

TEST(List, Scenes_AreWholeWithoutATerminal) {
  const ProgramResult result = drystone({"list", "scenes"});
  const auto json = drystone({"list", "scenes", "--json"}).json();
  expectMarkdownTable(result.out, json.size());
  for (const auto& scene : json) {
    EXPECT_TRUE(result.outContains("| " + scene["description"].get<std::string>() + " "))
        << scene["name"];
  }
  EXPECT_THAT(result.err, testing::HasSubstr("drystone list scenes --long"));
  EXPECT_EQ(drystone({"list", "commands", "--long"}).exitCode, 2);
}

TEST(List, WideTable_FitsATerminalAndKeepsItsFirstColumn) {
  const std::string words = "one two three four five six seven eight nine ten";
  cli::Table table({{"key"}, {"range"}, {"what it is"}});
  table.addRow({"a_key_that_is_long", words, words});
  table.addRow({"b", "0|1", "short"});
  for (const int width : {60, 80}) {
    const std::string text = table.markdown(width);
    for (const std::string& line : splitLines(text)) EXPECT_LE(cli::displayWidth(line), width);
    EXPECT_THAT(text, testing::HasSubstr("| a_key_that_is_long | one two"));
    EXPECT_THAT(text, testing::HasSubstr("| 0\\|1 "));
  }
  EXPECT_EQ(table.markdown(1000), table.markdown());
  // What is no terminal gets all.
  EXPECT_EQ(drystone({"list", "keys", "body"}).out,
            drystone({"list", "keys", "body", "--long"}).out);
}

TEST(List, Scenes_HaveBodiesRowsAndMassRatio) {
  const auto json = drystone({"list", "scenes", "heavy_on_light", "--json"}).json();
  // A floor, five boxes of 1 kg and one of the parameter's mass.
  EXPECT_EQ(json[0]["bodies"], 7);
  EXPECT_NEAR(json[0]["mass_ratio"], json[0]["parameters"][0]["default"], 1e-9);
  // Six faces of four points, three rows a point.
  EXPECT_EQ(json[0]["rows"], 72);
}

TEST(List, RowsOfAScene_AreThoseOfItsRun) {
  for (const char* scene : {"card_house", "conveyor", "cylinders", "stack_10"}) {
    const auto listed = drystone({"list", "scenes", scene, "--json"}).json()[0]["rows"];
    EXPECT_EQ(drystone({"run", scene, "--json"}).json()["figures"]["rows"]["max"], listed) << scene;
  }
}

TEST(List, ScenesAsJson_HaveTheirParametersWithDefaultAndRange) {
  const auto json = drystone({"list", "scenes", "heavy_on_light", "--json"}).json();
  ASSERT_EQ(json.size(), 1u);
  EXPECT_FALSE(json[0]["solver"].get<std::string>().empty());
  ASSERT_EQ(json[0]["parameters"].size(), 1u);
  const auto& ratio = json[0]["parameters"][0];
  EXPECT_EQ(ratio["name"], "ratio");
  EXPECT_EQ(ratio["integer"], false);
  EXPECT_LE(ratio["min"], ratio["default"]);
  EXPECT_LE(ratio["default"], ratio["max"]);
}

TEST(List, OneScene_ShowsDescriptionSolverAndParameters) {
  const ProgramResult result = drystone({"list", "scenes", "heavy_on_light"});
  EXPECT_EQ(result.exitCode, 0) << result.err;
  for (const char* text : {"what it is", "| solver ", "| auto ", "| parameter ", "`ratio`",
                           "default", "1 to 1000000"}) {
    EXPECT_TRUE(result.outContains(text)) << text << " is not in:\n" << result.out;
  }
}

TEST(List, Keys_AreThoseOfTheSchema) {
  const auto schema = drystone({"list", "keys", "--json"}).json();
  const auto world = drystone({"list", "keys", "world", "--json"}).json();
  EXPECT_EQ(world, schema["$defs"]["world"]);
  expectMarkdownTable(drystone({"list", "keys"}).out, 30);
  const ProgramResult table = drystone({"list", "keys", "world"});
  expectMarkdownTable(table.out, world["properties"].size());
  EXPECT_TRUE(table.outContains("`timestep`")) << table.out;
  EXPECT_TRUE(table.outContains("> 0, ≤ 1000")) << table.out;
  const ProgramResult unknown = drystone({"list", "keys", "wrld"});
  EXPECT_EQ(unknown.exitCode, 2);
  EXPECT_TRUE(unknown.errContains("did you mean \"world\"?")) << unknown.err;
}

TEST(List, KeysOfBodiesAndSolvers_HaveTheirDefaults) {
  const ProgramResult body = drystone({"list", "keys", "body"});
  EXPECT_THAT(body.out, testing::ContainsRegex("`kind` +\\| `dynamic` +\\|"));
  EXPECT_THAT(body.out, testing::ContainsRegex("`density` +\\| 1000 +\\|"));
  const ProgramResult solver = drystone({"list", "keys", "solver"});
  EXPECT_THAT(solver.out, testing::ContainsRegex("`name` +\\| `auto` +\\|"));
  EXPECT_THAT(solver.out, testing::ContainsRegex("`tolerance` +\\| 1e-06 +\\|"));
}

TEST(List, AKey_IsFoundInTheObjectsThatHaveIt) {
  const ProgramResult suspension = drystone({"list", "keys", "suspension"});
  EXPECT_EQ(suspension.exitCode, 0) << suspension.err;
  expectMarkdownTable(suspension.out, 1);
  EXPECT_THAT(suspension.out, testing::ContainsRegex("\n\\| wheel +\\| +\\| object +\\| Travel"));
  EXPECT_TRUE(suspension.outContains("`list keys coordinate`")) << suspension.out;
  // It is of a part that bodies and generators share, which no one asks for by name.
  const ProgramResult parts = drystone({"list", "keys", "part_materials"});
  EXPECT_THAT(parts.out, testing::ContainsRegex("\n\\| body, .*grid.*\\| list "));
  EXPECT_FALSE(parts.outContains("body_keys")) << parts.out;
  const auto json = drystone({"list", "keys", "damper_table", "--json"}).json();
  EXPECT_EQ(json[0]["objects"][0], "spring");
  EXPECT_EQ(json[0]["required"], false);
  EXPECT_EQ(drystone({"list", "keys", "steer_axis", "--json"}).json()[0]["required"], true);
  // An object of the name comes first, as `spring`, and near names are those of keys, too.
  EXPECT_TRUE(drystone({"list", "keys", "spring"}).outContains("`stiffness`"));
  EXPECT_TRUE(drystone({"list", "keys", "suspnsion"}).errContains("did you mean \"suspension\"?"));
}

TEST(List, Commands_AreThoseOfTheProgram) {
  const auto json = drystone({"list", "commands", "--json"}).json();
  ASSERT_TRUE(json.is_array());
  std::vector<std::string> names;
  for (const auto& command : json) names.push_back(command["name"]);
  EXPECT_EQ(names, (std::vector<std::string>{"run", "sweep", "solve", "replay", "render", "view",
                                             "export", "validate", "verdict", "inverse", "derive",
                                             "import", "bench", "list"}));
}

TEST(List, Devices_NameTheProcessorAndCudaDevicesOrWhyThereAreNone) {
  const auto json = drystone({"list", "devices", "--json"}).json();
  ASSERT_GE(json.size(), 2u);
  EXPECT_EQ(json[0]["name"], "cpu");
  EXPECT_EQ(json[0]["available"], true);
  EXPECT_GE(json[0]["threads"].get<int>(), 1);
  EXPECT_EQ(json[1]["name"], "cuda");
  EXPECT_EQ(json[1]["available"], gpu::whyUnavailable().empty());
  EXPECT_EQ(json[1]["reason"], std::string(gpu::whyUnavailable()));
  // The one or the other.
  EXPECT_NE(json[1]["available"].get<bool>(), !json[1]["reason"].get<std::string>().empty());
  EXPECT_EQ(json[1]["description"].get<std::string>().empty(), gpu::devices().empty());
  expectMarkdownTable(drystone({"list", "devices"}).out, json.size());
}

TEST(List, SolversForDevices_SayWhetherTheyCanRunHere) {
  const auto json = drystone({"list", "solvers", "gpu-sor", "--json"}).json();
  EXPECT_EQ(json[0]["available"], gpu::whyUnavailable().empty());
  EXPECT_EQ(json[0]["reason"], std::string(gpu::whyUnavailable()));
}

}  // namespace
}  // namespace drystone::test
