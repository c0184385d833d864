// Recordings, whole and not.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/input_error.h"
#include "tests/unit/viewer_session/heap_recorder.h"

namespace drystone::viewer::test {
namespace {

class PlayedRecordingTest : public testing::Test {
 protected:
  PlayedRecordingTest() : file_("played.h5", "") {}
  void record(int steps, int every) {
    HeapRecorder recorder(file_.path, every);
    recorder.step(steps);
    recorder.finish();
    recorder.world().observe().snapshot(last_);
  }
  TestFile file_;
  WorldSnapshot last_;  // of the recorded world
};

TEST_F(PlayedRecordingTest, Steps_AreThoseThatWereRecorded) {
  record(30, 1);
  Simulated run(file_.path);
  EXPECT_TRUE(run->status().recording);
  EXPECT_EQ(run->status().lastStep, 30);
  EXPECT_EQ(run.step(), 0);
  EXPECT_EQ(run.frame().scene->name, "heap");
  EXPECT_EQ(run.frame().scene->find(run.idOf("ball"))->mass, 5) << "the command line counts";
  run.stepBy(30);
  const WorldSnapshot& shown = run.frame().snapshot;
  ASSERT_EQ(shown.bodies.size(), last_.bodies.size());
  for (std::size_t i = 0; i < shown.bodies.size(); ++i) {
    EXPECT_EQ(shown.bodies[i].pose.position, last_.bodies[i].pose.position);
  }
  EXPECT_EQ(run.frame().report.step, 30);
  EXPECT_GT(run.frame().report.rows, 0);
  EXPECT_EQ(run.frame().solver, "nsgs");
  run.finish();
  EXPECT_TRUE(run->status().ended);
  run.stepBy(-29);
  EXPECT_EQ(run.step(), 1);
  EXPECT_FALSE(run->status().ended);
}

TEST_F(PlayedRecordingTest, ThinnedFrames_AreGoneToByTheStepBefore) {
  record(30, 8);  // 0 8 16 24 30
  Simulated run(file_.path);
  for (const auto& [asked, shown] : {std::pair{9, 8}, {16, 16}, {29, 24}, {99, 30}, {-5, 0}}) {
    run.sendAndFinish(GoToStep{asked});
    EXPECT_EQ(run.step(), shown) << asked;
  }
  run.stepBy(2);
  EXPECT_EQ(run.step(), 16);
  EXPECT_EQ(run.frame().report.step, 16);
}

TEST_F(PlayedRecordingTest, Played_EndsAtItsLastFrame) {
  record(20, 3);
  Simulated run(file_.path);
  run->send(SetSpeed{50});
  run->send(Play{});
  ASSERT_TRUE(waitUntil([&] { return run->status().ended; }));
  EXPECT_EQ(run.step(), 20);
  EXPECT_TRUE(run->status().paused);
  run.sendAndFinish(Restart{});
  EXPECT_EQ(run.step(), 0);
}

TEST_F(PlayedRecordingTest, WhatIsForWorlds_IsRefused) {
  record(5, 1);
  Simulated run(file_.path);
  run->send(StartRace{{{.name = "nsgs"}}});
  run->send(Throw{{0, 0, 1}, {0, 0, 0}, 0.1});
  run.sendAndFinish(Drag{run.idOf("ball"), Vec3::Zero(), Vec3::Zero()});
  EXPECT_TRUE(run.logHas("a recording is played: nothing can be thrown into it")) << run.log();
  EXPECT_TRUE(run.logHas("no contact problems to race on"));
  EXPECT_TRUE(run.logHas("cannot be dragged"));
}

TEST_F(PlayedRecordingTest, OpenedInPlaceOfAWorld_IsPlayed) {
  record(5, 1);
  Simulated run("bounce");
  run.stepBy(3);
  run.sendAndFinish(Open{file_.path});
  EXPECT_EQ(run.frame().scene->name, "heap");
  EXPECT_TRUE(run->status().recording);
  run.sendAndFinish(Open{"bounce"});
  EXPECT_EQ(run.frame().scene->name, "bounce");
  EXPECT_EQ(run.step(), 0);
  EXPECT_FALSE(run->status().recording);
}

TEST_F(PlayedRecordingTest, OpenInVain_LeavesTheOldScene) {
  Simulated run("bounce");
  run.stepBy(3);
  for (const std::string& path : {std::string("no_such"), file_.path, std::string("/no/such.h5")}) {
    run.sendAndFinish(Open{path});
    EXPECT_EQ(run.frame().scene->name, "bounce");
    EXPECT_EQ(run.step(), 3);
  }
  EXPECT_TRUE(run.logHas("no_such"));
  EXPECT_TRUE(run.logHas("/no/such.h5")) << run.log();
  run.stepBy(1);
  EXPECT_EQ(run.step(), 4);
}

// What a killed program leaves is a file as it is while that program runs: here a copy of it after
// its first flush.
TEST_F(PlayedRecordingTest, KilledRecording_PlaysWhatWasFlushed) {
  const TestFile copy("killed.h5", "");
  HeapRecorder recorder(file_.path, 1);
  recorder.step(10);
  ASSERT_TRUE(waitUntil([&] {
    std::filesystem::copy_file(file_.path, copy.path,
                               std::filesystem::copy_options::overwrite_existing);
    try {
      return Recording(copy.path).stepCount() > 0;
    } catch (const InputError&) {
      return false;  // in the middle of a flush
    }
  }));
  Simulated run(copy.path);
  EXPECT_TRUE(run.logHas("its program was killed or still runs")) << run.log();
  const std::int64_t last = run->status().lastStep;
  EXPECT_GT(last, 0);
  run.stepBy(100);
  EXPECT_EQ(run.step(), last);
  recorder.finish();
}

TEST_F(PlayedRecordingTest, KilledInTheMiddleOfAFlush_IsReadToAnEnd) {
  const TestFile copy("torn.h5", "");
  HeapRecorder recorder(file_.path, 1);
  recorder.step(10);
  std::string bytes;
  ASSERT_TRUE(waitUntil([&] {
    std::ostringstream text;
    text << std::ifstream(file_.path, std::ios::binary).rdbuf();
    bytes = text.str();
    // The blocks by which the library finds the rows of its tables.
    return bytes.find("EAIB") != std::string::npos;
  }));
  for (std::size_t at = bytes.find("EAIB"); at != std::string::npos;
       at = bytes.find("EAIB", at + 1)) {
    bytes[at + 20] ^= 1;
  }
  std::ofstream(copy.path, std::ios::binary) << bytes;
  // The library takes them for half written, and looks again; that must have an end.
  try {
    Recording recording(copy.path);
    WorldSnapshot snapshot;
    if (recording.frameCount() > 0) recording.frame(0, snapshot);
    ADD_FAILURE() << "its tables cannot be read";
  } catch (const InputError&) {
  }
  recorder.finish();
}

/// Whether all frames can be read.
bool hasGoodFrames(Recording& recording) {
  WorldSnapshot snapshot;
  try {
    for (std::int64_t i = 0; i < recording.frameCount(); ++i) recording.frame(i, snapshot);
  } catch (const InputError&) {
    return false;
  }
  return true;
}

bool hasGoodFigures(Recording& recording) {
  try {
    recording.steps(1, recording.stepCount());
  } catch (const InputError&) {
    return false;
  }
  return true;
}

/// Plays a recording whose figures are damaged.
void playWithoutFigures(const std::string& path) {
  Simulated run(path);
  run.stepBy(20);
  EXPECT_EQ(run.step(), 20);
  EXPECT_EQ(run.frame().report.step, 0) << "no figures are better than wrong ones";
  EXPECT_TRUE(run.frame().isReportDamaged);
  EXPECT_FALSE(run.frame().hasReport());
  EXPECT_EQ(run.frame().solver, "") << "nor that of another frame";
  run->send(SetSpeed{50});
  run->send(Play{});
  ASSERT_TRUE(waitUntil([&] { return run->status().ended; }));
  EXPECT_EQ(run.step(), 40);
  EXPECT_TRUE(run.logHas("the figures of step 1 are damaged")) << run.log();
  EXPECT_FALSE(run.logHas("the figures of step 2 are")) << "it is said once: " << run.log();
}

// Where the figures lie in the file is for the library to say: places are tried, the first few far
// from each other.
TEST_F(PlayedRecordingTest, DamagedFigures_AreLeftOutAndItPlaysToItsEnd) {
  record(40, 1);
  std::ifstream in(file_.path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  for (const std::size_t distance : {4096, 256}) {
    for (std::size_t at = 0; at + 16 < bytes.size(); at += distance) {
      std::string damaged = bytes;
      for (std::size_t k = 0; k < 16; ++k) damaged[at + k] = static_cast<char>(~damaged[at + k]);
      const TestFile file("figures.h5", damaged);
      try {
        Recording recording(file.path);
        if (hasGoodFigures(recording) || !hasGoodFrames(recording)) continue;
        return playWithoutFigures(file.path);
      } catch (const InputError&) {  // not even its start is good
      }
    }
  }
  FAIL() << "no place damages the figures alone";
}

TEST_F(PlayedRecordingTest, DamagedAnywhere_PlaysUpToTheLastGoodFrameAndSaysSo) {
  record(40, 1);
  std::ifstream in(file_.path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  int cut = 0;
  for (std::size_t i = 0; i <= 50; ++i) {
    std::string damaged = bytes;
    const std::size_t at = i * (bytes.size() - 16) / 50;
    for (std::size_t k = 0; k < 16; ++k) damaged[at + k] = static_cast<char>(~damaged[at + k]);
    const TestFile file("damaged.h5", damaged);
    try {
      Simulated run(file.path);
      run.stepBy(100);
      EXPECT_TRUE(run->status().ended);
      EXPECT_EQ(run.step(), run->status().lastStep);
      if (run->status().lastStep == 40) continue;
      EXPECT_TRUE(run.logHas("is damaged")) << run.log();
      EXPECT_TRUE(run.logHas("it plays up to step " + std::to_string(run.step()))) << run.log();
      ++cut;
    } catch (const InputError&) {  // not even its start is good
    }
  }
  EXPECT_GT(cut, 0);
}

}  // namespace
}  // namespace drystone::viewer::test
