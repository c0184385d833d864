#include <gmock/gmock.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "apps/support/program.h"
#include "apps/support/run_setup.h"
#include "engine/recording/recorder.h"
#include "scenes/recorded_world.h"
#include "scenes/scene_builder.h"
#include "scenes/scene_reader.h"
#include "solvers/default_registry.h"
#include "tests/cli/program.h"
#include "tests/support/file_size_limit.h"

namespace drystone::test {
namespace {

using cli::SimulationOptions;
using testing::HasSubstr;

std::vector<std::string> joinedWords(std::vector<std::string> words,
                                     const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

class ReplayOptionsTest : public testing::TestWithParam<std::vector<std::string>> {};

TEST_P(ReplayOptionsTest, RecordedRun_AgreesInEveryStep) {
  const Scratch scratch;
  const std::string file = scratch.path("a.h5");
  const ProgramResult run = drystone(joinedWords({"run", "--record", file, "--json"}, GetParam()));
  ASSERT_EQ(run.exitCode, 0) << run.err;
  const ProgramResult replay = drystone({"replay", file, "--json"});
  EXPECT_EQ(replay.exitCode, 0) << replay.err << replay.out;
  EXPECT_EQ(replay.err, "");
  const auto json = replay.json();
  EXPECT_EQ(json["agree"], true);
  EXPECT_EQ(json["complete"], true);
  EXPECT_EQ(json["steps"], run.json()["steps"]);
  EXPECT_EQ(json["first_different"], nullptr);
  EXPECT_EQ(json["replayed_hash"], run.json()["hash"]) << "the hash of the run's end";
}

INSTANTIATE_TEST_SUITE_P(
    Cli, ReplayOptionsTest,
    testing::Values(std::vector<std::string>{"stack_10", "--steps", "40"},
                    std::vector<std::string>{"stack_10", "--steps", "20", "--solver", "nsgs",
                                             "--set", "max_iterations=7", "--dt", "0.013"},
                    std::vector<std::string>{"ball_grid_small", "--steps", "3", "--friction",
                                             "pyramid", "--integrator", "moreau", "--threads", "2"},
                    std::vector<std::string>{"pile_1000", "--steps", "15", "--seed", "7"},
                    std::vector<std::string>{"heavy_on_light", "--steps", "30", "--set",
                                             "scene.ratio=50"},
                    std::vector<std::string>{"chain_hanging", "--steps", "30"}));

TEST(Replay, Text_NamesTheNumberOfSteps) {
  const Scratch scratch;
  const std::string file = scratch.path("a.h5");
  ASSERT_EQ(drystone({"run", "stack_10", "--steps", "12", "--record", file, "-q"}).exitCode, 0);
  const ProgramResult replay = drystone({"replay", file});
  EXPECT_EQ(replay.exitCode, 0);
  EXPECT_THAT(replay.out, HasSubstr("all 12 steps agree"));
}

/// The lines of a summary that tell of the steps themselves, without those of wall time.
std::vector<std::string> stepLines(const std::string& summary) {
  std::vector<std::string> lines;
  bool isOfTimes = false;
  for (const std::string& line : splitLines(summary)) {
    isOfTimes = line.empty() ? false : isOfTimes || line.starts_with("Time per step");
    const bool isFigure = line.starts_with("  ") && line[2] != ' ';
    const bool isKept = isFigure || line.starts_with("Islands") || line.starts_with("Tolerance") ||
                        line.starts_with("Hash") || line.find("residual ") != std::string::npos;
    if (!isOfTimes && isKept) lines.push_back(line);
  }
  return lines;
}

TEST(Replay, Report_SaysWhatTheRunSaidAndRunsNothing) {
  const Scratch scratch;
  const std::string file = scratch.path("a.h5");
  // Two sweeps miss the tolerance, so that there is something to tell.
  const ProgramResult run = drystone({"run", "card_house", "--steps", "30", "--solver", "nsgs",
                                      "--set", "max_iterations=2", "--record", file, "--hash"});
  ASSERT_EQ(run.exitCode, 0) << run.err;
  const ProgramResult report = drystone({"replay", file, "--report"});
  EXPECT_EQ(report.exitCode, 0) << report.err;
  EXPECT_EQ(report.err, "");
  EXPECT_EQ(stepLines(report.out), stepLines(run.out));
  EXPECT_GE(stepLines(run.out).size(), 15u) << run.out;
  EXPECT_THAT(report.out, HasSubstr("MISSED in 30 of 30 steps"));
  EXPECT_THAT(report.out, HasSubstr("Solver        nsgs, tolerance 1e-06 m/s\n"));
  EXPECT_THAT(report.out, HasSubstr("30 steps, 0."));
  const ProgramResult both = drystone({"replay", file, "--report", "--solver", "nsgs"});
  EXPECT_EQ(both.exitCode, 2) << "nothing runs that a solver could be for";
  EXPECT_THAT(both.err, HasSubstr("--report cannot be combined with --solver: it runs nothing"));
}

TEST(Replay, SceneAndMeshesThatAreGone_AreInTheFile) {
  const Scratch scratch;
  const std::string mesh =
      scratch.write("corner.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\n");
  const std::string scene = scratch.write("scene.json", R"({
    "version": 1,
    "shapes": {"a": {"type": "hull", "file": "corner.obj"}},
    "bodies": [{"name": "floor", "kind": "static", "shape": {"type": "plane"}},
               {"name": "a", "shape": "a", "position": [0, 0, 0.2]}]})");
  const std::string file = scratch.path("a.h5");
  ASSERT_EQ(drystone({"run", scene, "--steps", "30", "--record", file, "-q"}).exitCode, 0);
  std::filesystem::remove(scene);
  std::filesystem::remove(mesh);
  const ProgramResult replay = drystone({"replay", file});
  EXPECT_EQ(replay.exitCode, 0) << replay.err;
  EXPECT_THAT(replay.out, HasSubstr("all 30 steps agree"));
}

TEST(Replay, OutputEvery_ThinsFramesButComparesEveryStep) {
  const Scratch scratch;
  const std::string file = scratch.path("a.h5");
  ASSERT_EQ(drystone({"run", "stack_10", "--steps", "10", "--set", "output.every=4", "--record",
                      file, "-q"})
                .exitCode,
            0);
  const Recording recording(file);
  EXPECT_EQ(recording.frameCount(), 4);  // the start, 4, 8 and the last one
  EXPECT_THAT(drystone({"replay", file}).out, HasSubstr("all 10 steps agree"));
}

TEST(Replay, AnotherSolver_ReportsDeviationAndResiduals) {
  const Scratch scratch;
  const std::string file = scratch.path("a.h5");
  ASSERT_EQ(drystone({"run", "heavy_on_light", "--steps", "40", "--record", file, "-q"}).exitCode,
            0);
  const ProgramResult replay =
      drystone({"replay", file, "--solver", "nsgs", "--set", "max_iterations=1", "--json"});
  EXPECT_EQ(replay.exitCode, 0) << replay.err;
  const auto json = replay.json();
  EXPECT_EQ(json["solver"], "nsgs");
  EXPECT_EQ(json["compared"], "motion");
  EXPECT_EQ(json["per_frame"]["m"].size(), 40u);
  // One sweep holds nothing of a heavy body on a light one; the recorded solver is direct.
  EXPECT_GT(json["deviation"]["largest"]["m"], 1e-6);
  EXPECT_GT(json["natural_map_m_s"]["replayed"]["max"], json["natural_map_m_s"]["recorded"]["max"]);
  const auto& first = json["first_beyond"][0];
  EXPECT_EQ(first["m"], 1e-6);
  const std::size_t step = first["step"];
  EXPECT_GT(json["per_frame"]["m"][step - 1], 1e-6);
  EXPECT_LE(step == 1 ? 0.0 : json["per_frame"]["m"][step - 2].get<double>(), 1e-6);
}

TEST(Replay, TheSameSolverByName_DoesNotDeviate) {
  const Scratch scratch;
  const std::string file = scratch.path("a.h5");
  ASSERT_EQ(drystone({"run", "stack_10", "--steps", "20", "--record", file, "-q"}).exitCode, 0);
  const ProgramResult replay = drystone({"replay", file, "--solver", "bpp-auto", "--json"});
  EXPECT_EQ(replay.exitCode, 0) << replay.err;
  // Centres of mass are rebuilt from poses: round-off at 10 m.
  EXPECT_LT(replay.json()["deviation"]["largest"]["m"], 1e-14);
}

/// A recording of stack_10 in which someone pushed a box before step `pushed`.
void recordPushed(const std::string& file, int steps, int pushed, const std::string& version) {
  const SolverRegistry registry = makeDefaultRegistry();
  SimulationOptions options;
  options.scene = "stack_10";
  const SceneSource source = cli::findScene(options, registry);
  const Scene scene = cli::setUpScene(source, options, registry);
  World world = buildWorld(scene, registry);
  RecordingInfo info = cli::recordingInfo(source, scene, options, registry);
  if (!version.empty()) info.version = version;
  Recorder recorder(file, info, world);
  for (int step = 1; step <= steps; ++step) {
    if (step == pushed) world.body(world.bodies().back()).applyForce({100, 0, 0});
    world.step();
    recorder.addStep(world);
  }
  recorder.finish(world);
}

TEST(Replay, WorldOfAProgram_IsDrawnButNotRunAgain) {
  const Scratch scratch;
  const std::string file = scratch.path("a.h5");
  World world({}, makeDefaultRegistry());
  world.addBody({.kind = BodyKind::kStatic, .shape = Plane{}});
  world.addBody({.shape = Box{}, .pose = {{0, 0, 1}}});
  Recorder recorder(file, recordingInfoOf(world), world);
  for (int i = 0; i < 3; ++i) {
    world.step();
    recorder.addStep(world);
  }
  recorder.finish(world);
  const ProgramResult replay = drystone({"replay", file});
  EXPECT_EQ(replay.exitCode, 3);
  EXPECT_THAT(replay.err, HasSubstr("only that program can run it again"));
  // Of the same bodies as a recording of a scene, for `render` and `view`.
  const Scene scene = readRecordedScene(Recording(file).info());
  EXPECT_EQ(scene.bodies.size(), 2u);
}

TEST(Replay, FirstDifferentStep_IsNamedWithExitCode1) {
  const Scratch scratch;
  const std::string file = scratch.path("a.h5");
  recordPushed(file, 10, 6, "");
  const ProgramResult text = drystone({"replay", file});
  EXPECT_EQ(text.exitCode, 1);
  EXPECT_THAT(text.out, HasSubstr("step 6 of 10 is the first that differs"));
  EXPECT_THAT(text.out, HasSubstr("'box_9'"));
  EXPECT_THAT(text.out, HasSubstr("only it can repeat that"));
  const auto json = drystone({"replay", file, "--json"}).json();
  EXPECT_EQ(json["agree"], false);
  EXPECT_EQ(json["first_different"], 6);
  EXPECT_NE(json["recorded_hash"], json["replayed_hash"]);
  // 100 N over one step of 1/60 s on 1 kg, less the friction below: g μ = 9.81 x 0.5 at most.
  EXPECT_GT(json["deviation"]["m"], (100 - 9.81 * 0.8) / 3600);
}

TEST(Replay, OfAnotherBuild_WarnsAndCompares) {
  const Scratch scratch;
  const std::string file = scratch.path("a.h5");
  recordPushed(file, 5, 0, "0.0.7");
  const ProgramResult replay = drystone({"replay", file});
  EXPECT_EQ(replay.exitCode, 0) << replay.out;
  EXPECT_THAT(replay.err, HasSubstr("recorded by drystone 0.0.7"));
  EXPECT_THAT(replay.out, HasSubstr("all 5 steps agree"));
}

TEST(Replay, WhatIsNoRecording_IsInvalidInput) {
  const Scratch scratch;
  const std::string text = scratch.write("text.h5", "not HDF5");
  ProgramResult result = drystone({"replay", text});
  EXPECT_EQ(result.exitCode, 3);
  EXPECT_THAT(result.err, HasSubstr("text.h5: is no HDF5 file"));
  EXPECT_EQ(drystone({"replay", scratch.path("none.h5")}).exitCode, 3);
  ASSERT_EQ(drystone({"run", "stack_10", "--steps", "1", "--dump-problems", scratch.path("d"),
                      "--dump-when", "all", "--dump-format", "hdf5", "-q"})
                .exitCode,
            0);
  result = drystone({"replay", scratch.path("d/step000001_island000.hdf5")});
  EXPECT_EQ(result.exitCode, 3);
  EXPECT_THAT(result.err, HasSubstr("is a contact problem and no recording"));
  EXPECT_EQ(drystone({"replay"}).exitCode, 2);
}

TEST(Replay, DamagedFile_IsInvalidInput) {
  const Scratch scratch;
  const std::string file = scratch.path("a.h5");
  ASSERT_EQ(drystone({"run", "stack_10", "--steps", "20", "--record", file, "-q"}).exitCode, 0);
  const std::string bytes = readText(file);
  const std::string cut = scratch.write("cut.h5", bytes.substr(0, bytes.size() / 3));
  const ProgramResult result = drystone({"replay", cut});
  EXPECT_EQ(result.exitCode, 3) << result.err;
  EXPECT_THAT(result.err, HasSubstr("cut.h5: "));
}

TEST(Record, InputFileAndMissingFolder_AreRefused) {
  const Scratch scratch;
  const std::string scene = scratch.write("s.json", R"({"version": 1, "bodies": []})");
  EXPECT_EQ(drystone({"run", scene, "--record", scene}).exitCode, 2);
  EXPECT_EQ(readText(scene), R"({"version": 1, "bodies": []})");
  EXPECT_EQ(drystone({"run", scene, "--record", scratch.path("no/such/a.h5")}).exitCode, 2);
}

TEST(Record, Interrupted_ClosesTheFileWithTheStepsSoFar) {
  const Scratch scratch;
  const std::string csv = scratch.path("steps.csv"), file = scratch.path("a.h5");
  const ProgramResult run = drystoneInterrupted(
      {"run", "stack_10", "--time", "86400", "--csv", csv, "--record", file, "--json"}, SIGTERM,
      csv, 30);
  ASSERT_EQ(run.exitCode, 130) << run.err;
  const ProgramResult replay = drystone({"replay", file, "--json"});
  EXPECT_EQ(replay.exitCode, 0) << replay.err;
  EXPECT_EQ(replay.json()["complete"], true);
  EXPECT_EQ(replay.json()["steps"], run.json()["steps"]);
}

class KilledTest : public testing::TestWithParam<int> {};

TEST_P(KilledTest, RunKilledHard_LeavesAFileThatReplaysUpToItsLastFlush) {
  const Scratch scratch;
  const std::string csv = scratch.path("steps.csv"), file = scratch.path("a.h5");
  const ProgramResult run =
      drystoneInterrupted({"run", "pyramid_20", "--time", "86400", "--solver", "nsgs", "--set",
                           "max_iterations=5", "--csv", csv, "--record", file},
                          SIGKILL, csv, GetParam());
  ASSERT_EQ(run.exitCode, -1);
  const std::vector<std::string> rows = splitLines(readText(csv));
  const std::int64_t written = std::ssize(rows) - 1;
  const ProgramResult replay = drystone({"replay", file, "--json"});
  ASSERT_EQ(replay.exitCode, 0) << replay.err << replay.out;
  const auto json = replay.json();
  EXPECT_EQ(json["complete"], false);
  EXPECT_EQ(json["agree"], true);
  EXPECT_LE(json["steps"], written + 1) << "the killed program may have done one more";
  EXPECT_THAT(replay.err, HasSubstr("is not complete"));
  const std::vector<std::string> titles = splitFields(rows[0]);
  const auto column = std::ranges::find(titles, "step_ms") - titles.begin();
  double milliseconds = 0;
  for (std::int64_t i = 1; i < written; ++i) {
    const std::vector<std::string> fields = splitFields(rows[static_cast<std::size_t>(i)]);
    milliseconds += std::stod(fields[static_cast<std::size_t>(column)]);
  }
  // One flush a second; twice that for a writer that has to wait for a processor.
  EXPECT_GT(json["steps"], milliseconds > 2000 ? 0 : -1);
  // Every frame of the flushed steps is whole.
  const Recording recording(file);
  ASSERT_EQ(recording.frameCount(), recording.stepCount() + 1);
  WorldSnapshot frame;
  for (std::int64_t i = 0; i < recording.frameCount(); ++i) {
    recording.frame(i, frame);
    for (const BodySnapshot& body : frame.bodies) {
      // Rows that are not there read as zeros, which are no rotation.
      ASSERT_NEAR(body.pose.rotation.norm(), 1, 1e-9) << "frame " << i;
    }
  }
}

// Soon after the start and after several flushes, one a second.
INSTANTIATE_TEST_SUITE_P(Cli, KilledTest, testing::Values(2, 60, 400));

TEST(Record, FullDisk_IsAnErrorAndNotASilentLoss) {
  const Scratch scratch;
  const std::string file = scratch.path("a.h5");
  const FileSizeLimit limit(300'000);
  const ProgramResult result = drystone({"run", "pyramid_20", "--steps", "300", "--record", file,
                                         "-q", "--solver", "nsgs", "--set", "max_iterations=3"});
  EXPECT_EQ(result.exitCode, 70) << result.err;
  EXPECT_THAT(result.err, HasSubstr("cannot write '" + file + "': File too large"));
}

}  // namespace
}  // namespace drystone::test
