// `drystone bench`; what the studies themselves do with a command line needs them to be built.
#include <gmock/gmock.h>

#include <filesystem>

#include "apps/bench/bench_studies.h"
#include "tests/cli/program.h"

namespace drystone::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const fs::path kPrograms = DRYSTONE_BINARY_DIR "/bin";

TEST(Bench, Help_HasALineForEveryStudy) {
  const ProgramResult result = drystone({"bench", "--help"});
  EXPECT_EQ(result.exitCode, 0) << result.err;
  for (const cli::BenchStudy& study : cli::kBenchStudies) {
    EXPECT_THAT(result.out, HasSubstr("  " + std::string(study.name) + " ")) << study.name;
    EXPECT_THAT(result.out, HasSubstr(std::string(study.summary)));
  }
}

TEST(Bench, EveryProgramThatWasBuilt_IsAStudyOfTheList) {
  std::vector<std::string> known;
  for (const cli::BenchStudy& study : cli::kBenchStudies) {
    known.push_back("bench_" + std::string(study.name));
  }
  for (const auto& entry : fs::directory_iterator(kPrograms)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("bench_")) continue;
    EXPECT_THAT(known, testing::Contains(name));
  }
}

struct StudyCase {
  const char* name;
  std::vector<std::string> arguments;
  int exitCode;
  std::string message;  ///< in stderr
};

void PrintTo(const StudyCase& one, std::ostream* out) { *out << one.name; }

class BenchStudy : public testing::TestWithParam<StudyCase> {};

TEST_P(BenchStudy, MistakeIsReportedBeforeAnyWork) {
  const StudyCase& one = GetParam();
  if (!fs::exists(kPrograms / ("bench_" + one.arguments.front()))) {
    GTEST_SKIP() << "needs the studies: cmake -D DRYSTONE_BUILD_BENCHMARKS=ON";
  }
  std::vector<std::string> words = {"bench"};
  words.insert(words.end(), one.arguments.begin(), one.arguments.end());
  const ProgramResult result = drystone(words);
  EXPECT_EQ(result.exitCode, one.exitCode) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, HasSubstr(one.message));
}

INSTANTIATE_TEST_SUITE_P(
    Cli, BenchStudy,
    testing::Values(
        StudyCase{"Study", {"prox", "qualty"}, 2, "did you mean \"quality\"?"},
        StudyCase{"SceneOfAStudy",
                  {"prox", "problems", "--scene", "ball_grid_smal"},
                  2,
                  "did you mean \"ball_grid_small\""},
        StudyCase{"SceneOfAnotherStudy",
                  {"prox", "weak", "--scene", "pile_8000"},
                  2,
                  "no study asked for has it; known names: ball_grid_medium"},
        StudyCase{"SceneOfAStudyWithout",
                  {"direct", "random", "--scene", "crane"},
                  2,
                  "have no scenes to choose from"},
        StudyCase{"StudyOfKrylov", {"krylov", "scene"}, 2, "did you mean \"scenes\"?"},
        StudyCase{"FramesOfKrylov", {"krylov", "--frames", "0"}, 2, "--frames: must be a whole"},
        StudyCase{"SceneOfKrylov",
                  {"krylov", "scenes", "--scene", "truck"},
                  2,
                  "did you mean \"trucks\""},
        StudyCase{"StudyOfStaggered", {"staggered", "qp"}, 2, "did you mean \"qps\"?"},
        StudyCase{"SizeOfStaggered", {"staggered", "--size", "0"}, 2, "--size: must be a whole"},
        StudyCase{"SceneOfAStudyOfStaggeredWithout",
                  {"staggered", "banded", "--scene", "wall"},
                  2,
                  "have no scenes to choose from"},
        StudyCase{"SceneOfStaggered",
                  {"staggered", "cylinders", "--scene", "cylinder"},
                  2,
                  "did you mean \"cylinders\""},
        StudyCase{"KindOfProblems",
                  {"problems", "--random", "1", "--kind", "wedge"},
                  2,
                  "did you mean \"wedged\"?"},
        StudyCase{"KindWithoutRandomProblems", {"problems", "--kind", "wedged"}, 2, "--random"},
        StudyCase{"FolderOfProblems",
                  {"problems", "--random", "1", "--dump", "/missing/folder"},
                  2,
                  "--dump: cannot make the folder '/missing/folder'"},
        StudyCase{"SceneOfPeers", {"peers", "--scene", "stak_10"}, 2, "\"stack_10\""},
        StudyCase{"FileOfPeers", {"peers", "--scene", "./missing.json"}, 3, "missing.json"},
        StudyCase{"SceneNotForPeers", {"peers", "--scene", "crane"}, 2, "not compared on"},
        StudyCase{"RunsOfPeers", {"peers", "--runs", "0"}, 2, "--runs: must be a whole number"},
        StudyCase{"SettingOfPeers",
                  {"peers", "--scene", "stack_10", "--set", "tolerence=1"},
                  2,
                  "\"tolerance\""},
        StudyCase{"GroupOfValidation", {"validation", "top"}, 2, "did you mean \"tops\"?"},
        StudyCase{"SceneOfRace", {"race", "stak_10"}, 2, "\"stack_10\""},
        StudyCase{"SolverOfRace", {"race", "--solver", "sor-pro"}, 2, "\"sor-prox\""},
        StudyCase{"StepsOfRace", {"race", "--steps", "0"}, 2, "--steps: must be a whole number"},
        StudyCase{"StepsOfScaling", {"scaling", "--steps", "-3"}, 2, "--steps: must be a whole"},
        StudyCase{"PileOfJointRows", {"joint_rows", "--settle", "0"}, 2, "still falling"},
        StudyCase{"SceneOfThreads", {"threads", "stak_10"}, 2, "\"stack_10\""},
        StudyCase{
            "ThreadsOfThreads", {"threads", "--threads", "1"}, 2, "--threads: must be a whole"},
        StudyCase{"SolverOfSettings", {"settings", "nsgz"}, 2, "nsgs"},
        StudyCase{"LimitOfSettings", {"settings", "--limit", "0"}, 2, "--limit"},
        StudyCase{"PilesOfScaling", {"scaling", "--steps", "3"}, 2, "still falling"},
        StudyCase{"StepsOfJointRows", {"joint_rows", "--steps", "0"}, 2, "--steps: must be"},
        StudyCase{"SceneOfMachines", {"machines", "crain"}, 2, "no library scene \"crain\""},
        StudyCase{"SecondsOfMachines",
                  {"machines", "--seconds", "-1"},
                  2,
                  "must be a finite number > 0 s, got '-1'"},
        StudyCase{"PosesOfContacts", {"contacts", "--random", "-1"}, 2, "--random: must be"},
        StudyCase{"NothingOfExactness", {"exactness", "--only", "zzz"}, 2, "no scene of the table"},
        StudyCase{"Option", {"direct", "--secnds", "1"}, 2, "\"--seconds\""},
        StudyCase{"CsvBelowAMissingFolder",
                  {"direct", "scenes", "--csv", "/missing/folder"},
                  2,
                  "--csv: cannot make the folder '/missing/folder'"}),
    [](const testing::TestParamInfo<StudyCase>& one) { return std::string(one.param.name); });

// A tolerance that round-off exceeds, so that all with contacts that press are missed.
TEST(BenchProblems, RandomProblemsThatAreMissed_AreListedAndWritten) {
  if (!fs::exists(kPrograms / "bench_problems"))
    GTEST_SKIP() << "needs the studies: cmake -D DRYSTONE_BUILD_BENCHMARKS=ON";
  const Scratch scratch;
  const ProgramResult result =
      drystone({"bench", "problems", "--random", "2", "--kind", "chains", "--solver", "nsgs",
                "--tolerance", "1e-30", "--limit", "0.01", "--dump", scratch.path("missed")});
  EXPECT_EQ(result.exitCode, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("| nsgs | 0 of 2 |"));
  for (const char* name : {"chains-0", "chains-1"}) {
    EXPECT_THAT(result.out, HasSubstr("nsgs misses " + std::string(name)));
    const std::string file = scratch.path("missed/" + std::string(name) + ".json");
    EXPECT_EQ(drystone({"solve", file}).exitCode, 0) << file;
  }
}

/// The drift at the end, as written to the CSV file of `peers` for a row.
std::string driftOf(const std::string& csv, const std::string& row) {
  constexpr std::size_t kDriftAfterName = 13;  // columns
  for (const std::string& line : splitLines(csv)) {
    const std::size_t name = line.find(row);
    if (name != std::string::npos) return splitFields(line.substr(name))[kDriftAfterName];
  }
  ADD_FAILURE() << row << " is not in:\n" << csv;
  return "";
}

TEST(BenchPeers, SettingOfASolver_GoesToTheRowWithTheScenesSolver) {
  if (!fs::exists(kPrograms / "bench_peers"))
    GTEST_SKIP() << "needs the studies: cmake -D DRYSTONE_BUILD_BENCHMARKS=ON";
  const Scratch scratch;
  const auto csv = [&](const std::string& folder, const std::vector<std::string>& sets) {
    std::vector<std::string> words = {"bench",   "peers", "--scene", "stack_10",
                                      "--steps", "20",    "--csv",   scratch.path(folder)};
    for (const std::string& set : sets) words.insert(words.end(), {"--set", set});
    const ProgramResult result = drystone(words);
    EXPECT_EQ(result.exitCode, 0) << result.err;
    return readText(scratch.path(folder + "/peers_figures.csv"));
  };
  const std::string own = csv("own", {"solver.name=sor-prox"});
  const std::string few = csv("few", {"solver.name=sor-prox", "max_iterations=1"});
  EXPECT_NE(driftOf(own, "the scene's solver\""), driftOf(few, "the scene's solver\""));
  EXPECT_EQ(driftOf(own, "drystone auto"), driftOf(few, "drystone auto"));
}

}  // namespace
}  // namespace drystone::test
