#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "tests/cli/program.h"

namespace drystone::test {
namespace {

using Json = nlohmann::ordered_json;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> keys(const Json& object) {
  std::vector<std::string> names;
  for (const auto& [key, value] : object.items()) names.push_back(key);
  return names;
}

TEST(RunJson, HasExactlyTheDocumentedFieldsInTheirOrder) {
  const Json json = drystone({"run", "stack_10", "--steps", "30", "--json"}).json();
  EXPECT_THAT(
      keys(json),
      ElementsAre("scene", "drystone", "build", "threads", "integrator", "friction", "solver",
                  "stands_for", "left_out", "settings", "tolerance_m_s", "max_iterations",
                  "budget_ms", "steps_time_limited", "parameters", "ended", "diverged", "steps",
                  "steps_missed", "first_missed", "missed", "steps_forgiven", "worst_residual",
                  "joint_tolerance_m", "overlap_tolerance_m", "worst_joint", "worst_overlap",
                  "worst_forgiven", "dt", "simulated_s", "bodies", "joints", "time_ms", "status",
                  "fallbacks", "figures", "energy_J", "peak_memory_MB", "hash"));
  EXPECT_THAT(keys(json["time_ms"]),
              ElementsAre("step", "collision", "rows", "assembly", "solve", "integrate", "stages"));
  for (const auto& [part, times] : json["time_ms"].items()) {
    if (part == "stages") continue;
    EXPECT_THAT(keys(times), ElementsAre("mean", "median", "p99", "max")) << part;
  }
  for (const auto& [stage, times] : json["time_ms"]["stages"].items()) {
    EXPECT_THAT(keys(times), ElementsAre("mean", "median", "p99", "max", "threads")) << stage;
  }
  EXPECT_THAT(keys(json["status"]),
              ElementsAre("converged", "iteration_limit", "time_limit", "stalled", "cycled",
                          "infeasible", "numerical_failure", "unsupported"));
  for (const auto& [name, figure] : json["figures"].items()) {
    EXPECT_THAT(keys(figure), ElementsAre("unit", "mean", "median", "p99", "max", "end")) << name;
  }
  EXPECT_THAT(keys(json["energy_J"]),
              ElementsAre("kinetic", "potential", "flows", "ledger_error_max"));
}

TEST(RunJson, StackAtRest_HasTheFiguresOfTheScene) {
  const Json json = drystone({"run", "stack_10", "--steps", "30", "--json"}).json();
  EXPECT_EQ(json["scene"], "stack_10");
  EXPECT_EQ(json["integrator"], "semi_implicit_euler");
  EXPECT_EQ(json["friction"], "cone");
  EXPECT_EQ(json["solver"], "auto");
  EXPECT_EQ(json["threads"], 1);
  EXPECT_EQ(json["steps"], 30);
  EXPECT_DOUBLE_EQ(json["dt"], 1.0 / 60);
  // One product, not 30 additions: 30 x 1/60 up to its own rounding.
  EXPECT_DOUBLE_EQ(json["simulated_s"], 0.5);
  EXPECT_EQ(json["bodies"], 11);  // ten cubes and the ground
  EXPECT_EQ(json["joints"], 0);
  const Json& figures = json["figures"];
  EXPECT_EQ(figures["contacts"]["max"], 40);  // ten faces, four points each
  EXPECT_EQ(figures["rows"]["max"], 120);     // three rows a contact
  EXPECT_EQ(figures["islands"]["max"], 1);
  EXPECT_EQ(figures["largest_island_rows"]["max"], 120);
  // Centres at 0.5, 1.5 … 9.5 m: 1 kg x 9.81 m/s² x 50 m.
  EXPECT_EQ(json["energy_J"]["kinetic"]["start"], 0);
  EXPECT_NEAR(json["energy_J"]["potential"]["start"], 490.5, 1e-9);
  // The stack stands still: compliance of 1e-9/kg lets it sink by far less than a micrometre.
  EXPECT_NEAR(json["energy_J"]["potential"]["end"], 490.5, 1e-3);
  EXPECT_LT(figures["max_speed"]["max"], 1e-3);
  EXPECT_LT(figures["penetration"]["max"], 1e-4);
  std::int64_t solves = 0;
  for (const auto& [status, count] : json["status"].items()) solves += count.get<std::int64_t>();
  EXPECT_EQ(solves, 30);  // one island in each step
  EXPECT_LT(figures["natural_map"]["max"], 1e-5);
  EXPECT_GT(json["time_ms"]["step"]["max"], 0);
  EXPECT_GE(json["time_ms"]["step"]["max"], json["time_ms"]["step"]["p99"]);
  EXPECT_GE(json["time_ms"]["step"]["p99"], json["time_ms"]["step"]["median"]);
  EXPECT_GT(json["peak_memory_MB"], 1);
  EXPECT_EQ(json["hash"].get<std::string>().size(), 16u);
}

TEST(RunJson, SaysWhatTheSceneAskedForAndThatTheRunMetIt) {
  const Json json = drystone({"run", "heavy_on_light", "--set", "scene.ratio=10", "--set",
                              "solver.tolerance=2e-4", "--steps", "3", "--json"})
                        .json();
  EXPECT_EQ(json["tolerance_m_s"], 2e-4);
  EXPECT_EQ(json["parameters"], (Json{{"ratio", 10.0}}));
  EXPECT_EQ(json["ended"], "completed");
  EXPECT_EQ(json["steps_missed"], 0);
  EXPECT_TRUE(json["first_missed"].is_null());
}

// A cube that slides down a slope: where a solver relaxes friction, every report says by how much,
// and the natural map is no larger than that and the solver's tolerance of 1e-6 m/s together.
TEST(RunJson, SolverThatRelaxesFriction_SaysByHowMuch) {
  const std::vector<std::string> run = {"run", "slope_slip", "--steps", "20", "--solver"};
  const auto with = [&run](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = run;
    arguments.insert(arguments.end(), more.begin(), more.end());
    return drystone(arguments);
  };
  const Json relaxed = with({"apgd", "--json"}).json()["figures"];
  EXPECT_GT(relaxed["relaxation_error"]["max"], 0.1);
  EXPECT_LE(relaxed["natural_map"]["max"].get<double>(),
            relaxed["relaxation_error"]["max"].get<double>() + 1e-6);
  EXPECT_TRUE(with({"apgd"}).outContains("relaxation error [m/s]"));

  const Json exact = with({"apgd", "--set", "law=exact", "--json"}).json()["figures"];
  EXPECT_EQ(exact["relaxation_error"]["max"], 0);
  EXPECT_LE(exact["natural_map"]["max"], 1e-6);
  EXPECT_FALSE(with({"bpp-auto"}).outContains("relaxation error"));
}

TEST(RunJson, StepsThatMissTheTolerance_AreCounted) {
  // One sweep from λ = 0 cannot carry ten cubes, in no step.
  const Json json = drystone({"run", "stack_10", "--solver", "nsgs", "--set", "max_iterations=1",
                              "--steps", "5", "--json"})
                        .json();
  EXPECT_EQ(json["steps_missed"], 5);
  EXPECT_EQ(json["first_missed"], 1);
  EXPECT_EQ(json["ended"], "completed") << "a tolerance that is missed does not end a run";
}

TEST(RunJson, JointAndOverlapBeyondTheirTolerances_AreCountedApartAndNamed) {
  const auto with = [](const char* scene, const char* set) {
    return drystone({"run", scene, "--steps", "5", "--set", set, "--json"}).json();
  };
  const Json torn = with("chain", "world.joint_tolerance=1e-15");
  EXPECT_EQ(torn["joint_tolerance_m"], 1e-15);
  EXPECT_GT(torn["missed"]["joints"], 0);
  EXPECT_EQ(torn["missed"]["joints"], torn["steps_missed"]);
  EXPECT_EQ(torn["missed"]["residual"], 0);
  EXPECT_EQ(torn["missed"]["overlap"], 0);
  EXPECT_GT(torn["worst_joint"]["m"], 0);
  EXPECT_EQ(torn["worst_joint"]["bodies"].size(), 2);
  EXPECT_THAT(torn["worst_joint"]["joint"], HasSubstr("link_joint"));
  EXPECT_TRUE(torn["worst_overlap"]["step"].is_null());
  const Json pressed = with("stack_10", "world.overlap_tolerance=1e-15");
  EXPECT_GT(pressed["missed"]["overlap"], 0);
  EXPECT_EQ(pressed["missed"]["joints"], 0);
  EXPECT_GE(pressed["worst_overlap"]["step"], 1);
  EXPECT_EQ(pressed["joint_tolerance_m"], 0.01) << "a hundredth of cubes of 1 m";
}

TEST(RunSummary, JointsThatMiss_AreNamedAndFailUnderStrict) {
  const std::vector<std::string> arguments = {"run", "chain", "--steps",
                                              "5",   "--set", "world.joint_tolerance=1e-15"};
  const ProgramResult plain = drystone(arguments);
  EXPECT_EQ(plain.exitCode, 0) << plain.err;
  EXPECT_THAT(plain.out, HasSubstr("residual 1e-06 m/s met in every step"));
  EXPECT_THAT(plain.out, HasSubstr("joints 1e-15 m MISSED in "));
  EXPECT_THAT(plain.out, HasSubstr("(joint 'link_joint_"));
  std::vector<std::string> strict = arguments;
  strict.emplace_back("--strict");
  EXPECT_EQ(drystone(strict).exitCode, 4);
}

TEST(RunJson, WholeNumberOfAParameter_StaysWhole) {
  const Json json = drystone({"run", "pile_1000", "--seed", "7", "--steps", "1", "--json"}).json();
  EXPECT_EQ(json["parameters"]["seed"].dump(), "7");
}

TEST(RunOptions, ReachTheSimulation) {
  const Json json =
      drystone({"run", "stack_10", "--solver", "nsgs", "--set", "tolerance=1e-3", "--set",
                "solver.max_iterations=17", "--friction", "cone", "--integrator", "moreau", "--dt",
                "0.01", "--time", "0.1", "--threads", "2", "--json"})
          .json();
  EXPECT_EQ(json["solver"], "nsgs");
  EXPECT_EQ(json["tolerance_m_s"], 1e-3);
  EXPECT_EQ(json["max_iterations"], 17);
  EXPECT_EQ(json["integrator"], "moreau");
  EXPECT_EQ(json["dt"], 0.01);
  EXPECT_EQ(json["steps"], 10);
  EXPECT_EQ(json["threads"], 2);
}

TEST(RunOptions, ScenePathAndParameter_ChangeTheScene) {
  const Json json = drystone({"run", "heavy_on_light", "--set", "scene.ratio=10", "--set",
                              "world.timestep=0.005", "--steps", "2", "--json"})
                        .json();
  EXPECT_EQ(json["dt"], 0.005);
  // Five cubes of 1 kg at 0.5 … 4.5 m and one of 10 kg at 5.5 m: 9.81 (12.5 + 55) J.
  EXPECT_NEAR(json["energy_J"]["potential"]["start"], 9.81 * 67.5, 1e-9);
}

TEST(RunSummary, OfARunWithoutAResidual_NamesNoWorstBlock) {
  const Scratch files;
  const std::string scene = files.write("falling.json", R"({"version": 1, "bodies": [
    {"shape": {"type": "sphere", "radius": 0.5}},
    {"kind": "static", "shape": {"type": "plane"}, "position": [0, 0, -900]}]})");
  const std::string text = drystone({"run", scene, "--steps", "5"}).out;
  EXPECT_THAT(text, HasSubstr("met in every step"));
  EXPECT_THAT(text, testing::Not(HasSubstr("Worst")));
}

TEST(RunSummary, NamesSceneSolverStagesAndWorstContact) {
  const ProgramResult result = drystone({"run", "stack_10", "--steps", "10"});
  EXPECT_EQ(result.exitCode, 0) << result.err;
  for (const char* text :
       {"stack_10", "auto", "natural map [m/s]", "energy error [J]", "penetration [m]", "median",
        "p99", "collision", "Worst", "contact '", "ledger closes"}) {
    EXPECT_THAT(result.out, HasSubstr(text));
  }
  EXPECT_EQ(result.err, "") << "no progress bar where stderr is no terminal";
}

TEST(RunSummary, SettingGivenTwice_IsNamedOnceAndTheLastWins) {
  const ProgramResult result =
      drystone({"run", "stack_10", "--solver", "nsgs", "--steps", "1", "--set", "max_iterations=40",
                "--set", "solver.max_iterations=1500"});
  EXPECT_THAT(result.out, HasSubstr("max_iterations = 1500"));
  EXPECT_THAT(result.out, testing::Not(HasSubstr("max_iterations = 40")));
}

TEST(RunSummary, CountsAreWholeNumbersAndOneIsSingular) {
  // Far more sweeps than three digits show: this tolerance is never met.
  const ProgramResult result =
      drystone({"run", "stack_10", "--solver", "nsgs", "--steps", "1", "--set",
                "max_iterations=1234", "--set", "tolerance=1e-15"});
  EXPECT_EQ(result.exitCode, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("Run           1 step, "));
  EXPECT_THAT(result.out, testing::ContainsRegex("iterations +1234 +1234 +1234"));
}

TEST(RunHash, IsTheSameInEveryRunAndForEveryThreadCount) {
  // Many islands; one that all threads share.
  const std::vector<std::vector<std::string>> runs = {
      {"pile_1000", "--steps", "40"},
      {"pyramid_20", "--steps", "4", "--solver", "sor-prox-wide", "--set", "max_iterations=20"}};
  for (const std::vector<std::string>& run : runs) {
    const auto hash = [&](const std::string& threads) {
      std::vector<std::string> words = {"run", "--threads", threads, "--hash", "--quiet"};
      words.insert(words.begin() + 1, run.begin(), run.end());
      const ProgramResult result = drystone(words);
      EXPECT_EQ(result.exitCode, 0) << result.err;
      EXPECT_EQ(result.out.size(), 17u) << result.out;  // 16 digits and the line end
      return result.out;
    };
    const std::string first = hash("1");
    for (const char* threads : {"1", "2", "4", "8"}) {
      EXPECT_EQ(first, hash(threads)) << run.front() << ", " << threads << " threads";
    }
  }
}

TEST(RunSolver, OtherThanTheScenes_SaysWhichSettingsItDoesNotGet) {
  const Scratch scratch;
  const std::string scene = scratch.write("scene.json", R"({"version": 1,
      "solver": {"name": "sor-prox", "max_iterations": 7, "settings": {"relaxation": 0.5}},
      "bodies": [{"kind": "static", "shape": {"type": "plane"}},
                 {"shape": {"type": "sphere", "radius": 1}, "position": [0, 0, 1]}]})");
  const ProgramResult other = drystone({"run", scene, "--steps", "1", "--solver", "nsgs"});
  EXPECT_EQ(other.exitCode, 0) << other.err;
  EXPECT_THAT(other.err,
              HasSubstr("info: --solver nsgs does not get the settings that the scene has for "
                        "sor-prox: max_iterations=7, relaxation=0.5; --set gives it its own\n"));
  const ProgramResult own = drystone({"run", scene, "--steps", "1", "--solver", "sor-prox"});
  EXPECT_EQ(own.err, "");
  const ProgramResult quiet = drystone({"run", scene, "--steps", "1", "--solver", "nsgs", "-q"});
  EXPECT_EQ(quiet.err, "");
}

TEST(RunSeed, OtherSeedGivesAnotherPile) {
  const auto hash = [](const std::string& seed) {
    return drystone({"run", "pile_1000", "--steps", "3", "--seed", seed, "--json"}).json()["hash"];
  };
  EXPECT_EQ(hash("7"), hash("7"));
  EXPECT_NE(hash("7"), hash("8"));
}

TEST(RunQuiet, PrintsNothing) {
  const ProgramResult result = drystone({"run", "stack_10", "--steps", "3", "--quiet"});
  EXPECT_EQ(result.exitCode, 0);
  EXPECT_EQ(result.out + result.err, "");
}

TEST(RunCsv, HasUnitsInTheHeaderAndARowPerStepThatAgreesWithTheJson) {
  const Scratch scratch;
  const std::string csv = scratch.path("steps.csv");
  const Json json =
      drystone({"run", "stack_10", "--steps", "12", "--csv", csv, "--hash", "--json"}).json();
  const std::vector<std::string> lines = splitLines(readText(csv));
  ASSERT_EQ(lines.size(), 13u);
  const std::vector<std::string> header = splitFields(lines[0]);
  const auto field = [&](std::size_t line, const std::string& name) {
    const auto found = std::find(header.begin(), header.end(), name);
    EXPECT_NE(found, header.end()) << name;
    const std::vector<std::string> fields = splitFields(lines[line]);
    EXPECT_EQ(fields.size(), header.size());
    return fields[static_cast<std::size_t>(found - header.begin())];
  };
  EXPECT_EQ(field(1, "step"), "1");
  EXPECT_EQ(field(12, "step"), "12");
  EXPECT_EQ(field(12, "hash"), json["hash"]);
  EXPECT_EQ(std::stod(field(12, "penetration_m")),
            json["figures"]["penetration"]["end"].get<double>());
  double naturalMap = 0;
  for (std::size_t line = 1; line < lines.size(); ++line) {
    naturalMap = std::max(naturalMap, std::stod(field(line, "natural_map_m_s")));
    // The velocity update closes to round-off of energies around 10 J.
    EXPECT_LT(std::abs(std::stod(field(line, "ledger_error_J"))), 1e-11);
  }
  EXPECT_EQ(naturalMap, json["figures"]["natural_map"]["max"].get<double>());
}

TEST(RunCsv, OutputEveryOfTheScene_ThinsTheRowsAndKeepsTheLast) {
  const Scratch scratch;
  const std::string csv = scratch.path("steps.csv");
  drystone({"run", "stack_10", "--steps", "10", "--set", "output.every=4", "--csv", csv, "-q"});
  std::vector<std::string> steps;
  for (const std::string& line : splitLines(readText(csv))) {
    steps.push_back(splitFields(line).front());
  }
  EXPECT_THAT(steps, testing::ElementsAre("step", "4", "8", "10"));
}

TEST(RunStrict, ToleranceThatCannotBeMet_ExitsWith4AndNamesTheFirstStep) {
  // One sweep from λ = 0 cannot carry ten cubes; the report is printed all the same.
  const std::vector<std::string> arguments = {"run",   "stack_10",         "--solver", "nsgs",
                                              "--set", "max_iterations=1", "--steps",  "5"};
  std::vector<std::string> strict = arguments;
  strict.push_back("--strict");
  const ProgramResult result = drystone(strict);
  EXPECT_EQ(result.exitCode, 4) << result.err;
  EXPECT_TRUE(result.errContains("step 1")) << result.err;
  EXPECT_THAT(result.out, HasSubstr("MISSED in 5 of 5 steps, first in step 1"));
  EXPECT_EQ(drystone(arguments).exitCode, 0) << "only --strict makes it a failure";
}

// A box that bounces within the step: after the last inner step nothing touches.
TEST(RunStrict, MissInAnInnerStepBeforeTheLast_Counts) {
  const Scratch scratch;
  const std::string scene = scratch.write("bounce.json", R"({"version": 1, "name": "bounce",
    "world": {"timestep": 0.02, "duration": 0.6, "substeps": 4, "integrator": "moreau",
              "contact_set": "closed"},
    "solver": {"name": "sor-prox", "max_iterations": 1},
    "materials": {"m": {"friction": 0.5, "restitution": 0.9}},
    "shapes": {"floor": {"type": "plane"}, "box": {"type": "box", "half_extents": [0.5, 0.2, 0.1]}},
    "bodies": [{"name": "floor", "kind": "static", "shape": "floor", "material": "m"},
               {"name": "b", "shape": "box", "density": 1000, "material": "m",
                "position": [0, 0, 0.8], "angular_velocity": [3, 1, 0.5]}]})");
  const ProgramResult result = drystone({"run", scene, "--strict"});
  EXPECT_EQ(result.exitCode, 4) << result.out;
  EXPECT_THAT(result.out, HasSubstr("MISSED in 3 of 30 steps"));
  EXPECT_THAT(result.out, HasSubstr("contact 'floor' - 'b'"));
  const ProgramResult stopped = drystone({"run", scene, "--set", "solver.policy=stop"});
  EXPECT_EQ(stopped.exitCode, 4) << stopped.out;
}

TEST(RunStrict, ToleranceThatIsMet_ExitsWith0) {
  const ProgramResult result = drystone({"run", "stack_10", "--steps", "5", "--strict"});
  EXPECT_EQ(result.exitCode, 0) << result.err << result.out;
}

TEST(RunPolicy, Stop_EndsTheRunWith4) {
  const ProgramResult result =
      drystone({"run", "stack_10", "--solver", "nsgs", "--set", "max_iterations=1", "--set",
                "solver.policy=stop", "--steps", "5", "--json"});
  EXPECT_EQ(result.exitCode, 4) << result.err;
  EXPECT_EQ(result.json()["steps"], 1);
  EXPECT_EQ(result.json()["ended"], "stopped");
}

// That it goes on by itself is what it is for: "fallback none" would say the opposite.
TEST(RunReport, SummaryOfAuto_SpeaksOfAFallbackOnlyWhereOneIsGiven) {
  const std::vector<std::string> run = {"run", "stack_10", "--steps", "1"};
  EXPECT_FALSE(drystone(run).outContains("fallback none"));
  std::vector<std::string> given = run;
  given.insert(given.end(), {"--set", "solver.fallback=nsgs"});
  EXPECT_TRUE(drystone(given).outContains("fallback nsgs, 1 thread"));
  std::vector<std::string> other = run;
  other.insert(other.end(), {"--solver", "nsgs"});
  EXPECT_TRUE(drystone(other).outContains("fallback none, 1 thread"));
}

}  // namespace
}  // namespace drystone::test
