#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <csignal>
#include <filesystem>

#include "apps/solve/stored_solve.h"
#include "apps/support/program.h"
#include "solvers/default_registry.h"
#include "solvers/file/problem_file.h"
#include "solvers/file/problem_file_hdf5.h"
#include "tests/cli/program.h"
#include "tests/support/file_size_limit.h"

namespace drystone::test {
namespace {

using Json = nlohmann::ordered_json;
using testing::ElementsAre;

/// One contact of a unit mass in assembled form: A = 1, b = (-2, 1, 0), μ = 0.2. It sticks to no
/// surface: λ_n = 2, the friction needed is 1 and the cone allows 0.4, so λ = (2, -0.4, 0).
constexpr const char* kSlidingContact = R"({
"format": "drystone-problem", "version": 1, "form": "assembled", "friction_model": "cone", "size": 3,
"A": {"rows": [0, 1, 2], "cols": [0, 1, 2], "values": [1, 1, 1], "symmetric": true},
"b": [-2, 1, 0], "lower": [null, null, null], "upper": [null, null, null], "contacts": [{"row": 0, "mu": 0.2}]})";

/// Dumps the largest island of a standing stack and returns the only file.
std::string dumpStack(const Scratch& scratch, const std::string& format,
                      const std::string& solver) {
  const ProgramResult run = drystone({"run", "stack_10", "--steps", "8", "--solver", solver,
                                      "--dump-problems", scratch.path(format), "--dump-when",
                                      "largest", "--dump-format", format, "--quiet"});
  EXPECT_EQ(run.exitCode, 0) << run.err;
  const std::vector<std::string> files = scratch.list(format);
  EXPECT_EQ(files.size(), 1u);
  return files.empty() ? "" : scratch.path(format) + "/" + files.front();
}

class DumpAndSolve : public testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(DumpAndSolve, SameSolverFromTheStoredWarmStart_GivesTheSameImpulses) {
  const auto& [format, solver] = GetParam();
  const Scratch scratch;
  const std::string file = dumpStack(scratch, format, solver);
  const std::string answer = scratch.path("answer." + format);
  const Json json =
      drystone({"solve", file, "--solver", solver, "--solution", answer, "--json"}).json();
  ASSERT_EQ(json.size(), 1u);
  EXPECT_EQ(json[0]["rows"], 120);
  const ReadProblem dumped = readProblemFile(file), solved = readProblemFile(answer);
  ASSERT_EQ(dumped.solution.size(), 120u);
  // Numbers survive the file bit for bit and the method is deterministic.
  EXPECT_EQ(dumped.solution, solved.solution);
}

// bpp starts from the row states too.
INSTANTIATE_TEST_SUITE_P(Cli, DumpAndSolve,
                         testing::Combine(testing::Values("json", "hdf5"),
                                          testing::Values("nsgs", "bpp")),
                         [](const auto& one) {
                           return std::get<0>(one.param) + "_" + std::get<1>(one.param);
                         });

TEST(DumpAndSolve, ExactSolver_MeetsItsOwnAnswerByTheJudge) {
  const Scratch scratch;
  const std::string file = dumpStack(scratch, "json", "bpp");
  const Json json = drystone({"solve", file, "--solver", "bpp", "--json"}).json();
  // A direct method ends at round-off of velocities of g h = 0.16 m/s, whatever its start.
  EXPECT_LT(json[0]["natural_map_m_s"], 1e-9);
  EXPECT_EQ(json[0]["status"], "converged");
}

TEST(Dump, AllAndStep_NameFilesByStepAndIsland) {
  const Scratch scratch;
  drystone({"run", "stack_10", "--steps", "3", "--quiet", "--dump-problems", scratch.path("all"),
            "--dump-when", "all"});
  EXPECT_THAT(scratch.list("all"),
              ElementsAre("step000001_island000.json", "step000002_island000.json",
                          "step000003_island000.json"));
  drystone({"run", "stack_10", "--steps", "3", "--quiet", "--dump-problems", scratch.path("one"),
            "--dump-when", "step=2", "--dump-format", "hdf5"});
  EXPECT_THAT(scratch.list("one"), ElementsAre("step000002_island000.hdf5"));
}

TEST(Dump, IntoAFolderThatHoldsProblems_WarnsWithTheirNumber) {
  const Scratch scratch;
  const auto dump = [&] {
    return drystone({"run", "stack_10", "--steps", "2", "--dump-problems", scratch.path("all"),
                     "--dump-when", "all", "--hash"});
  };
  EXPECT_FALSE(dump().errContains("already holds"));
  const ProgramResult again = dump();
  EXPECT_EQ(again.exitCode, 0);
  EXPECT_TRUE(again.errContains("already holds 2 problem files")) << again.err;
}

TEST(Solve, SolutionInPlaceOfTheProblem_IsRefused) {
  const Scratch scratch;
  const std::string file = scratch.write("sliding.json", kSlidingContact);
  const ProgramResult result =
      drystone({"solve", file, "--solution", scratch.path("./sliding.json")});
  EXPECT_EQ(result.exitCode, 2);
  EXPECT_TRUE(result.errContains("--solution: ")) << result.err;
  EXPECT_EQ(readText(file), kSlidingContact);
}

TEST(Solve, SolverNamedTwice_RunsOnce) {
  const Scratch scratch;
  const std::string file = scratch.write("sliding.json", kSlidingContact);
  const Json json = drystone({"solve", file, "--solver", "bpp,nsgs,bpp", "--json"}).json();
  ASSERT_EQ(json.size(), 2u);
  EXPECT_EQ(json[0]["solver"], "bpp");
  EXPECT_EQ(json[1]["solver"], "nsgs");
}

TEST(Solve, Scene_IsSentToRunInOneMessage) {
  const Scratch scratch;
  const std::string file =
      scratch.write("first.json", R"({"version": 1, "bodies": [{"kind": "static"}]})");
  const ProgramResult result = drystone({"solve", file});
  EXPECT_EQ(result.exitCode, 3);
  EXPECT_EQ(splitLines(result.err).size(), 1u) << result.err;
  EXPECT_TRUE(result.errContains("`drystone run " + file + "` simulates it")) << result.err;
}

TEST(Dump, Largest_IsTheLastOfEquals) {
  const Scratch scratch;
  // Forty contacts in each of the eight steps: the last has the settled warm start.
  EXPECT_TRUE(dumpStack(scratch, "json", "bpp").ends_with("step000008_island000.json"));
}

TEST(Solve, NoteOfWarmStart_OnlyWhenAnImpulseIsStored) {
  const Scratch scratch;
  drystone({"run", "stack_10", "--steps", "2", "--quiet", "--dump-problems", scratch.path("all"),
            "--dump-when", "all"});
  const Json json = drystone({"solve", scratch.path("all"), "--json"}).json();
  ASSERT_EQ(json.size(), 2u);
  const std::string warm = "from warm start";
  EXPECT_EQ(json[0]["note"].get<std::string>().find(warm), std::string::npos)
      << "nothing came before the first step";
  EXPECT_NE(json[1]["note"].get<std::string>().find(warm), std::string::npos);
}

TEST(Dump, Failed_WritesOnlyProblemsWhoseToleranceWasMissed) {
  const Scratch scratch;
  drystone({"run", "stack_10", "--steps", "2", "--quiet", "--dump-problems", scratch.path("good")});
  EXPECT_TRUE(scratch.list("good").empty());
  drystone({"run", "stack_10", "--steps", "2", "--quiet", "--solver", "nsgs", "--set",
            "max_iterations=1", "--dump-problems", scratch.path("bad")});
  EXPECT_EQ(scratch.list("bad").size(), 2u);
}

TEST(Solve, SlidingContact_GivesTheClosedAnswer) {
  const Scratch scratch;
  const std::string file = scratch.write("sliding.json", kSlidingContact);
  const std::string answer = scratch.path("answer.json");
  const ProgramResult result =
      drystone({"solve", file, "--solver", "nsgs", "--tolerance", "1e-12", "--solution", answer});
  EXPECT_EQ(result.exitCode, 0) << result.err;
  EXPECT_TRUE(result.outContains("1 of 1 reached the tolerance")) << result.out;
  const std::vector<Real> lambda = readProblemFile(answer).solution;
  ASSERT_EQ(lambda.size(), 3u);
  EXPECT_NEAR(lambda[0], 2, 1e-9);  // 1e-12 relative to |b| = 2.2, with room for the cone's gain
  EXPECT_NEAR(lambda[1], -0.4, 1e-9);
  EXPECT_NEAR(lambda[2], 0, 1e-9);
}

TEST(SolveJson, HasExactlyTheDocumentedFields_OneObjectPerProblemAndSolver) {
  const Scratch scratch;
  const std::string first = scratch.write("first.json", kSlidingContact);
  const std::string second = scratch.write("second.json", kSlidingContact);
  const Json json =
      drystone({"solve", first, second, "--solver", "nsgs,sor-prox", "--repeat", "3", "--json"})
          .json();
  ASSERT_EQ(json.size(), 4u);
  EXPECT_EQ(json[0]["problem"], "first");
  EXPECT_EQ(json[0]["solver"], "nsgs");
  EXPECT_EQ(json[3]["problem"], "second");
  EXPECT_EQ(json[3]["solver"], "sor-prox");
  for (const Json& row : json) {
    std::vector<std::string> names;
    for (const auto& [key, value] : row.items()) names.push_back(key);
    EXPECT_THAT(names, ElementsAre("problem", "solver", "stands_for", "rows", "contacts", "status",
                                   "criterion", "tolerance", "met", "iterations",
                                   "inner_iterations", "pivots", "factorizations", "factor",
                                   "time_ms", "natural_map_m_s", "normal_error_m_s",
                                   "largest_b_m_s", "relative", "energy_J", "cone_excess_Ns",
                                   "lambda_n_min", "relaxation_error_m_s", "doors", "note"));
    EXPECT_EQ(row["doors"], Json::array()) << "it has one method";
    EXPECT_TRUE(row["time_ms"].contains("median") && row["time_ms"].contains("min"));
    EXPECT_EQ(row["status"], "converged");
    EXPECT_EQ(row["met"], true);
    EXPECT_LE(row["relative"], 1e-8) << "the default tolerance of an assembled problem";
  }
}

// The optimum of the relaxation is the projection of (2, -1, 0) on the cone: λ_n = 2.2/1.04, λ_t =
// -0.2 λ_n. It slides with w_t = 0.6/1.04 and opens with w_n = 0.2 w_t = 0.12/1.04 m/s.
TEST(SolveJson, RelaxedLaw_StatesItsErrorBesideTheNaturalMap) {
  const Scratch scratch;
  const std::string file = scratch.write("sliding.json", kSlidingContact);
  const Json relaxed = drystone({"solve", file, "--solver", "apgd", "--json"}).json();
  EXPECT_EQ(relaxed[0]["status"], "converged");
  EXPECT_EQ(relaxed[0]["met"], false);
  EXPECT_NEAR(relaxed[0]["relaxation_error_m_s"], 0.12 / 1.04, 1e-7);
  EXPECT_EQ(relaxed[0]["note"], "relaxed by 0.115 m/s");
  const Json exact =
      drystone({"solve", file, "--solver", "apgd", "--set", "law=exact", "--json"}).json();
  EXPECT_EQ(exact[0]["met"], true);
  EXPECT_EQ(exact[0]["relaxation_error_m_s"], 0);
  EXPECT_EQ(exact[0]["note"], "");
}

TEST(SolveCsv, HasALinePerSolve) {
  const Scratch scratch;
  const std::string file = scratch.write("sliding.json", kSlidingContact);
  const ProgramResult result = drystone({"solve", file, "--solver", "nsgs,sor-prox", "--csv"});
  const std::vector<std::string> lines = splitLines(result.out);
  ASSERT_EQ(lines.size(), 3u) << result.out << result.err;
  EXPECT_EQ(splitFields(lines[0]).size(), splitFields(lines[1]).size());
  EXPECT_TRUE(lines[1].starts_with("sliding,nsgs,,3,1,converged,relative,1e-08,1,")) << lines[1];
}

TEST(SolveAll, TakesEverySolverOfTheBuild) {
  const Scratch scratch;
  const std::string file = scratch.write("sliding.json", kSlidingContact);
  const Json solvers = drystone({"list", "solvers", "--json"}).json();
  const Json rows = drystone({"solve", file, "--solver", "all", "--json"}).json();
  ASSERT_EQ(rows.size(), solvers.size());
  for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(rows[i]["solver"], solvers[i]["name"]);
}

TEST(Solve, ModelThatASolverLacks_IsARowWithStatusUnsupported) {
  const Scratch scratch;
  const Json solvers = drystone({"list", "solvers", "--json"}).json();
  for (const std::string model : {"none", "box", "pyramid", "diamond", "contensou"}) {
    std::string text = kSlidingContact;
    text.replace(text.find("\"cone\""), 6, "\"" + model + "\"");
    for (const Json& solver : solvers) {
      const Json& models = solver["friction_models"];
      // Problems of 1 and 4 rows a contact need another text.
      if (std::find(models.begin(), models.end(), model) != models.end()) continue;
      if (model == "none" || model == "contensou") continue;
      const std::string file = scratch.write("problem.json", text);
      const Json row = drystone({"solve", file, "--solver", solver["name"], "--json"}).json()[0];
      EXPECT_EQ(row["met"], false);
      EXPECT_EQ(row["status"], "unsupported") << solver["name"] << model;
      EXPECT_TRUE(row["natural_map_m_s"].is_null());
      EXPECT_NE(row["note"].get<std::string>().find(model), std::string::npos);
      return;
    }
  }
  FAIL() << "every solver takes every model: the status needs another test";
}

TEST(SolveStrict, ToleranceMissed_ExitsWith4) {
  const Scratch scratch;
  const std::string file = scratch.write("sliding.json", kSlidingContact);
  const std::vector<std::string> arguments = {
      "solve", file, "--solver", "nsgs", "--set", "max_iterations=0", "--strict"};
  const ProgramResult result = drystone(arguments);
  EXPECT_EQ(result.exitCode, 4) << result.err << result.out;
}

TEST(SolveInputs, Folder_TakesItsProblemsAndLeavesOtherJsonAlone) {
  const Scratch scratch;
  scratch.write("b.json", kSlidingContact);
  scratch.write("a.json", kSlidingContact);
  scratch.write("index.json", "{\"problems\": 2}");
  scratch.write("notes.txt", "text");
  const Json json = drystone({"solve", scratch.path(""), "--solver", "nsgs", "--json"}).json();
  ASSERT_EQ(json.size(), 2u);
  EXPECT_EQ(json[0]["problem"], "a");
  EXPECT_EQ(json[1]["problem"], "b");
  EXPECT_EQ(drystone({"solve", scratch.path("*.json"), "--solver", "nsgs"}).exitCode, 3)
      << "a pattern takes what it names: index.json is no problem";
}

TEST(SolveInputs, WrongFileAmongGoodOnes_IsNamedAndTheOthersAreSolved) {
  const Scratch scratch;
  const std::string good = scratch.write("good.json", kSlidingContact);
  const std::string bad = scratch.write("bad.json", std::string(kSlidingContact).substr(0, 150));
  const ProgramResult result = drystone({"solve", bad, good, "--solver", "nsgs", "--json"});
  EXPECT_EQ(result.exitCode, 3);
  EXPECT_TRUE(result.errContains(bad)) << result.err;
  EXPECT_EQ(result.json().size(), 1u);
}

TEST(SolveInputs, OnlyWrongFiles_PrintNoTable) {
  const Scratch scratch;
  const std::string bad = scratch.write("bad.json", std::string(kSlidingContact).substr(0, 150));
  const ProgramResult result = drystone({"solve", bad});
  EXPECT_EQ(result.exitCode, 3);
  EXPECT_EQ(result.out, "");
}

TEST(SolveInputs, EmptyFolderMissingFileAndEmptyPattern_ExitWith3) {
  const Scratch scratch;
  EXPECT_EQ(drystone({"solve", scratch.path("")}).exitCode, 3);
  EXPECT_EQ(drystone({"solve", scratch.path("absent.json")}).exitCode, 3);
  EXPECT_EQ(drystone({"solve", scratch.path("*.hdf5")}).exitCode, 3);
}

TEST(SolveInputs, Hdf5CutInHalf_ExitsWith3AndNamesTheFile) {
  const Scratch scratch;
  const std::string whole = readText(dumpStack(scratch, "hdf5", "bpp"));
  const std::string half = scratch.write("half.hdf5", whole.substr(0, whole.size() / 2));
  const ProgramResult result = drystone({"solve", half});
  EXPECT_EQ(result.exitCode, 3) << result.err;
  EXPECT_TRUE(result.errContains(half)) << result.err;
}

/// One contact with W = 1 in FCLIB's local layout; `mu` can be left out.
std::string writeFclib(const Scratch& scratch, const std::string& name, bool withMu) {
  const std::string path = scratch.path(name);
  detail::FileErrors errors(path);
  detail::Hdf5File file = detail::Hdf5File::create(path, errors);
  const auto integers = [&file](const std::string& dataset, const std::vector<int>& values) {
    file.writeIntegers("fclib_local/" + dataset, values);
  };
  const auto reals = [&file](const std::string& dataset, const std::vector<Real>& values) {
    file.writeReals("fclib_local/" + dataset, values);
  };
  integers("spacedim", {3});
  integers("W/m", {3});
  integers("W/n", {3});
  integers("W/nz", {-2});  // compressed rows
  integers("W/nzmax", {3});
  integers("W/p", {0, 1, 2, 3});
  integers("W/i", {0, 1, 2});
  reals("W/x", {1, 1, 1});
  reals("vectors/q", {-2, 1, 0});
  if (withMu) reals("vectors/mu", {0.2});
  file.close();
  return path;
}

TEST(SolveInputs, FclibFileWithoutMu_ExitsWith3AndNamesTheDataSet) {
  const Scratch scratch;
  const std::string whole = writeFclib(scratch, "whole.hdf5", true);
  EXPECT_EQ(drystone({"solve", whole, "--solver", "nsgs"}).exitCode, 0);
  const std::string broken = writeFclib(scratch, "broken.hdf5", false);
  const ProgramResult result = drystone({"solve", broken, "--solver", "nsgs"});
  EXPECT_EQ(result.exitCode, 3) << result.err << result.out;
  EXPECT_TRUE(result.errContains(broken)) << result.err;
  EXPECT_TRUE(result.errContains("fclib_local/vectors/mu")) << result.err;
}

TEST(SolveSolution, NeedsOneProblemAndOneSolver) {
  const Scratch scratch;
  const std::string file = scratch.write("sliding.json", kSlidingContact);
  const std::string answer = scratch.path("answer.json");
  const ProgramResult two =
      drystone({"solve", file, "--solver", "nsgs,sor-prox", "--solution", answer});
  EXPECT_EQ(two.exitCode, 2) << two.err;
  const ProgramResult nowhere = drystone(
      {"solve", file, "--solver", "nsgs", "--solution", scratch.path("absent/answer.json")});
  EXPECT_EQ(nowhere.exitCode, 2) << nowhere.err;
  const ProgramResult format =
      drystone({"solve", file, "--solver", "nsgs", "--solution", scratch.path("answer.txt")});
  EXPECT_EQ(format.exitCode, 2) << format.err;
}

TEST(Solve, SolutionOnAFullDisk_Is70AndLeavesNothing) {
  const Scratch scratch;
  drystone({"run", "stack_10", "--steps", "2", "--dump-problems", scratch.path("dump"),
            "--dump-when", "all", "--quiet"});
  const std::string file = scratch.path("dump/") + scratch.list("dump").front();
  const FileSizeLimit limit(1000);
  for (const char* name : {"answer.json", "answer.h5"}) {
    const std::string answer = scratch.path(name);
    const ProgramResult result = drystone({"solve", file, "--solution", answer, "--quiet"});
    EXPECT_EQ(result.exitCode, 70) << result.err;
    EXPECT_TRUE(result.errContains("free space")) << result.err;
  }
  EXPECT_EQ(scratch.list(""), std::vector<std::string>{"dump"});
}

TEST(Solve, Interrupted_LeavesOutTheRepeatsThatAreLeft) {
  const Scratch scratch;
  drystone({"run", "stack_10", "--steps", "2", "--dump-problems", scratch.path("dump"),
            "--dump-when", "all", "--quiet"});
  const ReadProblem problem = readProblemFile(scratch.path("dump/") + scratch.list("dump").front());
  const cli::InterruptGuard interrupt;
  cli::StoredSolveOptions options;
  options.repeat = 3;
  options.interrupt = &interrupt;
  const SolverRegistry registry = makeDefaultRegistry();
  EXPECT_EQ(solveStored(problem, "stack", registry, "nsgs", options).timeMs.count(), 3);
  std::raise(SIGINT);
  const cli::StoredSolve row = solveStored(problem, "stack", registry, "nsgs", options);
  EXPECT_EQ(row.timeMs.count(), 1);
  EXPECT_TRUE(row.reached) << "what was solved is judged";
}

}  // namespace
}  // namespace drystone::test
