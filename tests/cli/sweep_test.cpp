// Tables of sweeps: the same for every number of threads, after a kill, and from parts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "apps/sweep/sweep_table.h"
#include "engine/recording/recording_hdf5.h"
#include "tests/cli/sweep_testing.h"

namespace drystone::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Twelve runs with figures that do not depend on the machine.
constexpr const char* kTwelve = R"("vary": {"scene.height": {"from": 1, "to": 2, "count": 12}},
  "figures": ["natural_map_max", "contacts_max", "bodies.ball.z", "hash"])";
/// Sixty runs that take long enough to be killed among them.
constexpr const char* kSixty = R"("steps": 3000,
  "vary": {"scene.height": {"from": 1, "to": 2, "count": 60}}, "figures": ["contacts_max", "hash"])";

std::string sweepOf(const Scratch& scratch, const std::string& study, const std::string& name,
                    const std::vector<std::string>& options, int code = 0) {
  std::vector<std::string> words = {"sweep", study, "-o", scratch.path(name), "--quiet"};
  words.insert(words.end(), options.begin(), options.end());
  const ProgramResult result = drystone(words);
  EXPECT_EQ(result.exitCode, code) << result.err;
  return readText(scratch.path(name));
}

TEST(Sweep, EveryNumberOfThreads_MakesTheSameBytes) {
  const Scratch scratch;
  const std::string study = writeStudy(scratch, kTwelve);
  const std::string one = sweepOf(scratch, study, "one.csv", {"--threads", "1"});
  EXPECT_EQ(splitLines(one).size(), 13u);
  EXPECT_EQ(one, sweepOf(scratch, study, "two.csv", {"--threads", "2"}));
  EXPECT_EQ(one, sweepOf(scratch, study, "many.csv", {"--threads", "7"}));
  EXPECT_FALSE(std::filesystem::exists(scratch.path("one.csv.part")));
}

TEST(Sweep, WhatTheSceneWarnsOf_IsSaidOnceForAllRuns) {
  const Scratch scratch;
  const std::string study =
      writeStudy(scratch, R"("set": {"bodies.ball.mass": 1e-3}, )" + std::string(kTwelve));
  const ProgramResult result = drystone({"sweep", study, "-o", scratch.path("table.csv")});
  EXPECT_EQ(result.exitCode, 0) << result.err;
  const std::string words = "less than air";  // a ball of a metre
  const std::size_t first = result.err.find(words);
  ASSERT_NE(first, std::string::npos) << result.err;
  EXPECT_EQ(result.err.find(words, first + 1), std::string::npos) << result.err;
}

TEST(Sweep, FailedRuns_FillTheirRowAndTheOthersGoOn) {
  const Scratch scratch;
  // The middle timestep is refused, and gravity of the third tears the ball out of the world.
  const std::string study = writeStudy(scratch, R"("steps": 100, "figures": ["steps", "hash"],
    "vary": {"world.gravity": [[0, 0, -9.81], "down", [0, 0, 1e15]]})");
  const std::string text = sweepOf(scratch, study, "table.csv", {}, 3);
  const std::vector<std::string> lines = splitLines(text);
  ASSERT_EQ(lines.size(), 4u);
  std::vector<std::string> ends;
  for (const std::string& line : lines) ends.push_back(cli::csvFields(line)[2]);
  EXPECT_THAT(ends, ElementsAre("status", "done", "invalid", "diverged"));
  EXPECT_EQ(cli::csvFields(lines[2])[3], "") << "it has no figures";
  EXPECT_THAT(lines[2], HasSubstr("must be a list of 3 numbers"));
  EXPECT_NE(cli::csvFields(lines[3])[3], "") << "it has those up to there";
  EXPECT_THAT(lines[3], HasSubstr("'ball'"));
  const std::string diverges = scratch.write("diverges.json", R"({"scene": "./ball.json",
    "steps": 100, "vary": {"world.gravity": [[0, 0, 1e15], [0, 0, -1]]}})");
  sweepOf(scratch, diverges, "other.csv", {}, 4);
}

TEST(Sweep, FirstRefusedRun_IsToldOnceWithItsValuesAndReason) {
  const Scratch scratch;
  const std::string study = writeStudy(scratch, R"("steps": 1,
    "vary": {"world.gravity.2": [-9.81, -1], "scene.height": [2, 0.5, 0.25]})");
  const std::string table = scratch.path("table.csv");
  const ProgramResult result = drystone({"sweep", study, "-o", table, "--threads", "2"});
  EXPECT_EQ(result.exitCode, 3);
  const std::string told = "run 2 is invalid, with world.gravity.2 = -9.81, scene.height = 0.5: ";
  const std::size_t at = result.err.find(told);
  ASSERT_NE(at, std::string::npos) << result.err;
  const std::string reason = result.err.substr(at + told.size());
  EXPECT_THAT(reason, HasSubstr("scene.height=0.5"));
  EXPECT_EQ(result.err.find("run ", at + 1), std::string::npos) << "four runs are, one is told";
  // It is of the table: a sweep that goes on and finds nothing left to do says so, too.
  const std::vector<std::string> lines = splitLines(readText(table));
  scratch.write("table.csv.part", lines[0] + "\n" + lines[2] + "\n");
  const ProgramResult resumed = drystone({"sweep", study, "-o", table, "--resume", "--quiet"});
  EXPECT_THAT(resumed.err, HasSubstr(told)) << "also where it was done before, and with --quiet";
}

TEST(Sweep, KilledAtAnyRun_ResumeDoesTheOthersAndEndsWithTheSameBytes) {
  const Scratch scratch;
  const std::string study = writeStudy(scratch, kSixty);
  const std::string whole = sweepOf(scratch, study, "whole.csv", {});
  for (const int rows : {2, 7, 40}) {
    const std::string table = scratch.path("table.csv"), journal = table + ".part";
    const ProgramResult killed =
        drystoneInterrupted({"sweep", study, "-o", table}, SIGKILL, journal, rows);
    ASSERT_EQ(killed.exitCode, -1) << "it ended before it was killed";
    EXPECT_FALSE(std::filesystem::exists(table));
    const std::size_t done = splitLines(readText(journal)).size() - 1;
    // A kill in the middle of a write leaves half a line.
    std::ofstream(journal, std::ios::app) << "60,1.99,do";
    // What goes on behind it is whole after another kill.
    drystoneInterrupted({"sweep", study, "-o", table, "--resume"}, SIGKILL, journal, rows + 4);
    const std::size_t more = splitLines(readText(journal)).size() - 1;
    EXPECT_GT(more, done);
    const ProgramResult resumed = drystone({"sweep", study, "-o", table, "--resume"});
    EXPECT_EQ(resumed.exitCode, 0) << resumed.err;
    EXPECT_THAT(resumed.err, HasSubstr(std::to_string(more) + " of 60 runs are done already"));
    EXPECT_EQ(readText(table), whole);
    EXPECT_FALSE(std::filesystem::exists(journal));
    std::filesystem::remove(table);
  }
}

TEST(Sweep, Resume_DoesNoRunTwice) {
  const Scratch scratch;
  const std::string study = writeStudy(scratch, kTwelve);
  const std::string whole = sweepOf(scratch, study, "whole.csv", {});
  const std::vector<std::string> lines = splitLines(whole);
  const std::string table = scratch.path("table.csv");
  // A row with a mark, which a run that is done again would lose.
  std::string altered = lines[9];
  const std::size_t mark = altered.find(",done,");
  altered.insert(mark + 6, "1");
  scratch.write("table.csv.part", lines[0] + "\n" + altered + "\n");
  EXPECT_EQ(drystone({"sweep", study, "-o", table, "--resume"}).exitCode, 0);
  std::vector<std::string> resumed = splitLines(readText(table));
  EXPECT_EQ(resumed[9], altered);
  resumed[9] = lines[9];
  EXPECT_EQ(resumed, lines);
  // Complete: nothing is left to do, and the file is not touched.
  const auto written = std::filesystem::last_write_time(table);
  const ProgramResult again = drystone({"sweep", study, "-o", table, "--resume"});
  EXPECT_EQ(again.exitCode, 0);
  EXPECT_THAT(again.err, HasSubstr("all runs are in"));
  EXPECT_EQ(std::filesystem::last_write_time(table), written);
}

TEST(Sweep, AnotherStudy_IsNotResumed) {
  const Scratch scratch;
  const std::string study = writeStudy(scratch, kTwelve);
  const std::string whole = sweepOf(scratch, study, "table.csv", {});
  const std::string journal = splitLines(whole)[0] + "\n" + splitLines(whole)[1] + "\n";
  scratch.write("other.csv.part", journal);
  const std::string refused = "holds runs of another study";
  const std::string table = scratch.path("table.csv"), other = scratch.path("other.csv");
  // Blanks and comments make no other study, other values and another scene do.
  scratch.write("study.json", readText(study) + " // the same\n");
  EXPECT_EQ(drystone({"sweep", study, "-o", table, "--resume"}).exitCode, 0);
  std::string scene = readText(scratch.path("ball.json"));
  scene.replace(scene.find("\"mass\": 1"), 9, "\"mass\": 2");
  scratch.write("ball.json", scene);
  for (const std::string& file : {table, other}) {
    const ProgramResult result = drystone({"sweep", study, "-o", file, "--resume"});
    EXPECT_EQ(result.exitCode, 3);
    EXPECT_THAT(result.err, HasSubstr(refused));
  }
  EXPECT_EQ(readText(other + ".part"), journal) << "it is as it was";
  EXPECT_EQ(readText(table), whole);
  // Hours of runs are not replaced by a word that is missing.
  const ProgramResult forgotten = drystone({"sweep", study, "-o", other});
  EXPECT_EQ(forgotten.exitCode, 2);
  EXPECT_THAT(forgotten.err, HasSubstr("holds 1 run of a sweep that ended early; --resume"));
  EXPECT_EQ(readText(other + ".part"), journal);
}

TEST(Sweep, Interrupted_EndsWith130AndKeepsWhatIsDone) {
  const Scratch scratch;
  const std::string study = writeStudy(scratch, kSixty);
  const std::string table = scratch.path("table.csv");
  const ProgramResult result =
      drystoneInterrupted({"sweep", study, "-o", table}, SIGINT, table + ".part", 3);
  EXPECT_EQ(result.exitCode, 130) << result.err;
  const std::vector<std::string> lines = splitLines(readText(table + ".part"));
  EXPECT_GE(lines.size(), 3u);
  EXPECT_LT(lines.size(), 61u);
  EXPECT_THAT(result.err, HasSubstr(std::to_string(lines.size() - 1) + " of 60 runs are in"));
  EXPECT_EQ(splitLines(sweepOf(scratch, study, "table.csv", {"--resume"})).size(), 61u);
}

TEST(Sweep, PartsJoined_AreTheWholeTable) {
  const Scratch scratch;
  const std::string study = writeStudy(scratch, kTwelve);
  const std::string whole = sweepOf(scratch, study, "whole.csv", {});
  std::vector<std::string> parts;
  for (const char* part : {"1", "2", "3", "4", "5"}) {
    const std::string name = std::string("part") + part + ".csv";
    sweepOf(scratch, study, name, {"--part", std::string(part) + "/5"});
    parts.insert(parts.begin(), scratch.path(name));
  }
  EXPECT_THAT(ReadTable(scratch.path("part2.csv")).column("run"), ElementsAre("2", "7", "12"));
  const std::string all = scratch.path("all.csv");
  std::vector<std::string> words = {"sweep", "-o", all, "--join"};
  words.insert(words.end(), parts.begin(), parts.end());
  ASSERT_EQ(drystone(words).exitCode, 0);
  EXPECT_EQ(readText(all), whole);

  const ProgramResult twice = drystone({"sweep", "-o", all, "--join", parts[0], parts[0]});
  EXPECT_EQ(twice.exitCode, 3);
  EXPECT_THAT(twice.err, HasSubstr("run 5 is in a file before it too"));
  words.pop_back();
  const ProgramResult missing = drystone(words);
  EXPECT_EQ(missing.exitCode, 3);
  EXPECT_THAT(missing.err, HasSubstr("3 runs of 12 missing: 1, 6, 11"));
  scratch.write("study.json", R"({"scene": "./ball.json", "vary": {"scene.height": [1, 2]},
    "figures": ["natural_map_max", "contacts_max", "bodies.ball.z", "hash"]})");
  sweepOf(scratch, study, "other.csv", {});
  EXPECT_THAT(drystone({"sweep", "-o", all, "--join", parts[0], scratch.path("other.csv")}).err,
              HasSubstr("is of another study"));
  EXPECT_EQ(readText(all), whole) << "what is wrong changes nothing";
}

TEST(Sweep, SlurmScript_RunAsItsTasksMakesPartsThatJoin) {
  const Scratch scratch;
  const std::string study = writeStudy(scratch, kTwelve);
  const std::string whole = sweepOf(scratch, study, "whole.csv", {});
  const std::string all = scratch.path("a l'l.csv");  // a name that a shell would take apart
  const ProgramResult printed = drystone({"sweep", study, "-o", all, "--slurm", "3"});
  ASSERT_EQ(printed.exitCode, 0) << printed.err;
  EXPECT_TRUE(printed.outContains("#SBATCH --array=1-3\n"));
  const std::string script = scratch.write("sweep.sh", printed.out);
  const std::string path = "PATH=" DRYSTONE_BINARY_DIR "/bin:$PATH ";
  for (const char* task : {"1", "2", "3"}) {
    const std::string run = path + "SLURM_ARRAY_TASK_ID=" + task + " bash " + script;
    ASSERT_EQ(std::system(run.c_str()), 0) << task;
  }
  const std::string mark = "#   drystone ";
  const std::size_t begin = printed.out.find(mark) + mark.size();
  const std::string join = path + "drystone " + printed.out.substr(begin) + " 2>/dev/null";
  std::string command = join;
  std::erase(command, '\n');
  ASSERT_EQ(std::system(command.c_str()), 0) << command;
  EXPECT_EQ(readText(all), whole);
}

TEST(Sweep, Hdf5_HasADatasetForEachColumn) {
  const Scratch scratch;
  const std::string study = writeStudy(scratch, kTwelve);
  sweepOf(scratch, study, "table.csv", {});
  sweepOf(scratch, study, "table.h5", {});
  const ReadTable csv(scratch.path("table.csv"));
  detail::ArrayFileReader file(scratch.path("table.h5"));
  std::vector<double> heights(12);
  const detail::ArraySpec height{.path = "columns/scene.height"};
  ASSERT_EQ(file.rows(height), 12);
  file.read(height, 0, 12, heights.data());
  EXPECT_EQ(heights, csv.numbers("scene.height"));
  std::string hashes(12 * 16, '\0');
  file.read({.path = "columns/hash", .type = detail::NumberType::kByte, .width = 16}, 0, 12,
            hashes.data());
  std::string expected;
  for (const std::string& hash : csv.column("hash")) expected += hash;
  EXPECT_EQ(hashes, expected);
  EXPECT_EQ(file.text("study"), csv.column("study")[0]);
  const ProgramResult again =
      drystone({"sweep", study, "-o", scratch.path("table.h5"), "--resume"});
  EXPECT_EQ(again.exitCode, 0);
  EXPECT_THAT(again.err, HasSubstr("all runs are in"));
}

TEST(Sweep, WrongCommandLines_AreUsageErrors) {
  const Scratch scratch;
  const std::string study = writeStudy(scratch, kTwelve), table = scratch.path("table.csv");
  const auto errorOf = [](const std::vector<std::string>& words) {
    const ProgramResult result = drystone(words);
    EXPECT_EQ(result.exitCode, 2) << result.err;
    return result.err;
  };
  EXPECT_THAT(errorOf({"sweep", study}), HasSubstr("-o FILE.csv"));
  EXPECT_THAT(errorOf({"sweep", "-o", table}), HasSubstr("name the study to run"));
  EXPECT_THAT(errorOf({"sweep", study, "-o", scratch.path("table.txt")}),
              HasSubstr("must end in .csv or .h5"));
  EXPECT_THAT(errorOf({"sweep", study, "-o", study}), HasSubstr("JSON file"));
  EXPECT_THAT(errorOf({"sweep", study, "-o", table, "--part", "4/3"}), HasSubstr("must be K/N"));
  EXPECT_THAT(errorOf({"sweep", study, "-o", table, "--part", "13/13"}),
              HasSubstr("has only 12 runs"));
  EXPECT_EQ(readText(table), "");
}

/// The example of docs/sweep.md is a file that the README runs.
TEST(Sweep, ExampleOfThePage_SlidesByTheClosedForm) {
  const Scratch scratch;
  const std::string study = DRYSTONE_SOURCE_DIR "/examples/slope_study.json";
  const std::string text = readText(study);
  ASSERT_FALSE(text.empty());
  EXPECT_THAT(readText(DRYSTONE_SOURCE_DIR "/docs/sweep.md"),
              HasSubstr("<!-- study: example -->\n```json\n" + text + "```"));
  EXPECT_THAT(readText(DRYSTONE_SOURCE_DIR "/README.md"),
              HasSubstr("drystone sweep examples/slope_study.json"));
  sweepOf(scratch, study, "table.csv", {});
  const ReadTable table(scratch.path("table.csv"));
  const std::vector<double> angles = table.numbers("scene.angle_deg"),
                            frictions = table.numbers("scene.friction"),
                            speeds = table.numbers("bodies.slope_box.speed_m_s");
  ASSERT_EQ(speeds.size(), 6u);
  for (std::size_t i = 0; i < speeds.size(); ++i) {
    const double angle = angles[i] * M_PI / 180;
    // After a second from rest: g (sin a - mu cos a) 1 s, to a thousandth.
    EXPECT_NEAR(speeds[i], 9.81 * (std::sin(angle) - frictions[i] * std::cos(angle)), 1e-3);
  }
}

}  // namespace
}  // namespace drystone::test
