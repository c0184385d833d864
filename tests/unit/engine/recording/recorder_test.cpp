// What a recorder writes is what the world was: bit for bit where the file holds doubles.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <thread>

#include "core/input_error.h"
#include "engine/recording/recorder.h"
#include "engine/recording/recording_format.h"
#include "tests/support/file_size_limit.h"
#include "tests/support/worlds.h"

namespace drystone::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

class RecorderTest : public testing::Test {
 protected:
  RecorderTest() : world_(settingsFor("bpp-auto"), registry()) {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    path_ = (std::filesystem::temp_directory_path() /
             ("drystone_rec_" + std::to_string(getpid()) + test->name() + ".h5"))
                .string();
    info_.version = "1.2";
    info_.build = "here";
    info_.scene = "test";
    info_.sceneLabel = "test.json";
    info_.sceneText = "{}";
    info_.files = {{"mesh.obj", "v 0 0 0\n"}, {"empty.obj", ""}};
    info_.commandLine = "{\"solver\": \"bpp\"}";
    info_.settings = "{}";
    info_.solvers = {"nsgs", "bpp-auto"};
    info_.joints = {{"hinge", 0, 1, 0}, {"", -1, -1, 2}};
    addGround(world_);
    for (int i = 0; i < 5; ++i) addUnitBox(world_, {0.1 * i, 0, 0.6 + 1.05 * i}, {0.5, 0, 0});
  }
  ~RecorderTest() override { std::filesystem::remove(path_); }

  void record(int steps) {
    Recorder recorder(path_, info_, world_);
    for (int i = 0; i < steps; ++i) {
      world_.step();
      recorder.addStep(world_);
    }
    recorder.finish(world_);
  }

  std::string path_;
  RecordingInfo info_;
  World world_;
};

TEST_F(RecorderTest, Info_ComesBackAsItWas) {
  record(1);
  const Recording recording(path_);
  EXPECT_TRUE(recording.complete());
  const RecordingInfo& info = recording.info();
  EXPECT_EQ(info.version, "1.2");
  EXPECT_EQ(info.build, "here");
  EXPECT_EQ(info.scene, "test");
  EXPECT_EQ(info.sceneLabel, "test.json");
  EXPECT_EQ(info.sceneText, "{}");
  EXPECT_EQ(info.commandLine, "{\"solver\": \"bpp\"}");
  ASSERT_EQ(info.files.size(), 2u);
  EXPECT_EQ(info.files[0].name, "mesh.obj");
  EXPECT_EQ(info.files[0].text, "v 0 0 0\n");
  EXPECT_EQ(info.files[1].text, "");
  EXPECT_EQ(info.solvers, info_.solvers);
  ASSERT_EQ(info.joints.size(), 2u);
  EXPECT_EQ(info.joints[0].name, "hinge");
  EXPECT_EQ(info.joints[0].bodyB, 1);
  EXPECT_EQ(info.joints[1].geometry, 2);
  ASSERT_EQ(recording.bodies().size(), 6u);
  EXPECT_EQ(recording.bodies()[0].kind, BodyKind::kStatic);
  EXPECT_EQ(recording.bodies()[1].kind, BodyKind::kDynamic);
}

TEST_F(RecorderTest, EveryStep_HasTheWorldsHashReportAndFrame) {
  world_.body(world_.bodies().front()).setAdhesion(3);
  std::vector<std::uint64_t> hashes = {world_.observe().hash()};
  std::vector<WorldSnapshot> frames(1);
  std::vector<StepReport> reports(1);
  std::vector<StepEvents> events(1);
  world_.observe().snapshot(frames[0]);
  {
    Recorder recorder(path_, info_, world_);
    for (int i = 0; i < 60; ++i) {
      world_.step();
      recorder.addStep(world_);
      hashes.push_back(world_.observe().hash());
      reports.push_back(world_.lastReport());
      events.push_back(world_.lastEvents());
      world_.observe().snapshot(frames.emplace_back());
    }
    recorder.finish(world_);
  }
  const Recording recording(path_);
  ASSERT_EQ(recording.stepCount(), 60);
  ASSERT_EQ(recording.frameCount(), 61);
  EXPECT_EQ(recording.startHash(), hashes[0]);
  const std::vector<RecordedStep> steps = recording.steps(1, 1000);
  ASSERT_EQ(steps.size(), 60u);
  std::size_t contacts = 0, begun = 0;
  Real pulled = 0;
  WorldSnapshot frame = frames[0];  // nothing of it may stay
  frame.joints.resize(1);
  for (std::size_t k = 0; k <= 60; ++k) {
    if (k > 0) {
      const StepReport& report = steps[k - 1].report;
      EXPECT_EQ(steps[k - 1].hash, hashes[k]) << k;
      EXPECT_EQ(steps[k - 1].solver, 1);  // bpp
      EXPECT_EQ(report.step, static_cast<std::int64_t>(k));
      EXPECT_EQ(report.time, reports[k].time);
      for (const StepFigure& figure : kStepFigures) {
        EXPECT_EQ(figure.valueIn(report), figure.valueIn(reports[k])) << figure.name;
      }
      EXPECT_EQ(report.status, reports[k].status);
      const StepEvents stored = recording.events(static_cast<std::int64_t>(k));
      ASSERT_EQ(stored.contactsBegun.size(), events[k].contactsBegun.size());
      EXPECT_EQ(stored.contactsLasting.size(), events[k].contactsLasting.size());
      EXPECT_EQ(stored.contactsEnded.size(), events[k].contactsEnded.size());
      for (std::size_t i = 0; i < stored.contactsBegun.size(); ++i, ++begun) {
        EXPECT_EQ(stored.contactsBegun[i].bodyB, events[k].contactsBegun[i].bodyB);
        EXPECT_EQ(stored.contactsBegun[i].approachSpeed, events[k].contactsBegun[i].approachSpeed);
      }
      for (std::size_t i = 0; i < stored.contactsLasting.size(); ++i) {
        EXPECT_EQ(stored.contactsLasting[i].attraction, events[k].contactsLasting[i].attraction);
        pulled += stored.contactsLasting[i].attraction;
      }
    }
    recording.frame(static_cast<std::int64_t>(k), frame);
    EXPECT_EQ(frame.step, frames[k].step);
    EXPECT_EQ(frame.time, frames[k].time);
    ASSERT_EQ(frame.bodies.size(), frames[k].bodies.size());
    for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
      const BodySnapshot &got = frame.bodies[i], &want = frames[k].bodies[i];
      EXPECT_EQ(got.id, want.id);
      EXPECT_EQ(got.pose.position, want.pose.position);
      EXPECT_EQ(got.pose.rotation.coeffs(), want.pose.rotation.coeffs());
      EXPECT_EQ(got.linearVelocity, want.linearVelocity);
      EXPECT_EQ(got.angularVelocity, want.angularVelocity);
      EXPECT_EQ(got.island, want.island);
      EXPECT_TRUE(got.boundsLower.isZero() && got.boundsUpper.isZero());
      // One rotation and one sum apart, at 5 m.
      EXPECT_LT((got.centerOfMass - want.centerOfMass).norm(), 1e-14);
    }
    EXPECT_TRUE(frame.joints.empty());
    ASSERT_EQ(frame.contacts.size(), frames[k].contacts.size());
    for (std::size_t i = 0; i < frame.contacts.size(); ++i, ++contacts) {
      const ContactSnapshot &got = frame.contacts[i], &want = frames[k].contacts[i];
      EXPECT_EQ(got.bodyA, want.bodyA);
      EXPECT_EQ(got.bodyB, want.bodyB);
      EXPECT_EQ(got.position, want.position);
      EXPECT_EQ(got.normal, want.normal);
      EXPECT_EQ(got.gap, want.gap);
      EXPECT_EQ(got.impulse, want.impulse);
      EXPECT_EQ(got.normalImpulse, want.normalImpulse);
      EXPECT_EQ(got.attraction, want.attraction);
    }
  }
  EXPECT_GT(contacts, 100u) << "the boxes fall onto each other";
  EXPECT_GT(begun, 3u);
  EXPECT_GT(pulled, 0) << "the ground adheres";
}

TEST_F(RecorderTest, Every_ThinsFramesButNotStepsAndKeepsTheLast) {
  info_.every = 4;
  record(10);
  const Recording recording(path_);
  EXPECT_EQ(recording.stepCount(), 10);
  EXPECT_EQ(recording.steps(1, 10).back().hash, world_.observe().hash());
  // 0, 4, 8 and the last one.
  ASSERT_EQ(recording.frameCount(), 4);
  EXPECT_EQ(recording.stepOfFrame(2), 8);
  EXPECT_EQ(recording.stepOfFrame(3), 10);
  EXPECT_EQ(recording.frameOfStep(4), 1);
  EXPECT_EQ(recording.frameOfStep(5), -1);
}

TEST_F(RecorderTest, WorldThatHasRunBefore_StartsThere) {
  world_.step();
  record(2);
  const Recording recording(path_);
  EXPECT_EQ(recording.stepCount(), 2);
  EXPECT_EQ(recording.stepOfFrame(2), 2);
  EXPECT_EQ(recording.steps(1, 1).front().report.step, 2);
}

TEST_F(RecorderTest, OtherBodies_EndTheFileWithTheStepsBefore) {
  const auto remove = [this] { world_.removeBody(world_.bodies().back()); };
  const auto add = [this] { addUnitBox(world_, {9, 0, 9}); };
  const std::vector<std::function<void()>> changes = {remove, add, [&] { remove(), add(); }};
  for (const auto& change : changes) {
    Recorder recorder(path_, info_, world_);
    const std::int64_t start = world_.stepCount();
    for (int i = 0; i < 30; ++i) {
      world_.step();
      recorder.addStep(world_);
    }
    const std::uint64_t hash = world_.observe().hash();
    change();
    world_.step();
    const auto isRefused = ThrowsMessage<InputError>(
        AllOf(HasSubstr(path_), HasSubstr("before step " + std::to_string(start + 31)),
              HasSubstr("finish the recording before such a change, and begin another")));
    EXPECT_THAT([&] { recorder.addStep(world_); }, isRefused);
    const Recording recording(path_);
    EXPECT_EQ(recording.stepCount(), 30);
    EXPECT_EQ(recording.frameCount(), 31);
    EXPECT_EQ(recording.steps(30, 1).front().hash, hash);
    EXPECT_FALSE(recording.complete());
    EXPECT_THAT([&] { recorder.addStep(world_); }, isRefused) << "it has ended";
    EXPECT_THAT([&] { recorder.finish(world_); }, isRefused);
  }
}

TEST_F(RecorderTest, OtherBodiesBeforeTheEnd_CostTheLastFrameOnly) {
  info_.every = 4;
  for (const int steps : {8, 10}) {
    Recorder recorder(path_, info_, world_);
    for (int i = 0; i < steps; ++i) {
      world_.step();
      recorder.addStep(world_);
    }
    world_.removeBody(world_.bodies().back());
    if (steps == 8) {
      recorder.finish(world_);  // step 8 has a frame
    } else {
      EXPECT_THAT([&] { recorder.finish(world_); },
                  ThrowsMessage<InputError>(HasSubstr("before step 19")));
    }
    const Recording recording(path_);
    EXPECT_EQ(recording.complete(), steps == 8);
    EXPECT_EQ(recording.stepCount(), steps);
    EXPECT_EQ(recording.frameCount(), 3);
  }
}

TEST_F(RecorderTest, FullDisk_EndsTheFileWithWhatWasFlushed) {
  const std::string copy = path_ + ".copy";
  {
    Recorder recorder(path_, info_, world_);
    const auto step = [&] {
      world_.step();
      recorder.addStep(world_);
    };
    for (int i = 0; i < 20; ++i) step();
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));  // a flush comes once a second
    const FileSizeLimit limit(std::filesystem::file_size(path_) + (100 << 10));
    // At some 900 B a step the room is full after about 100.
    const auto fill = [&] {
      for (int i = 0; i < 20000; ++i) step();
    };
    const auto isFull = ThrowsMessage<std::runtime_error>(HasSubstr("cannot write"));
    EXPECT_THAT(fill, isFull);
    EXPECT_THAT([&] { recorder.finish(world_); }, isFull);
  }
  // The library holds what it could not write, so that other programs alone can read it.
  EXPECT_THAT([&] { Recording{path_}; }, ThrowsMessage<InputError>(HasSubstr("an error ended it")));
  EXPECT_THAT([&] { Recorder(path_, info_, world_); },
              ThrowsMessage<std::runtime_error>(HasSubstr("take another name")));
  std::filesystem::copy_file(path_, copy);
  const Recording recording(copy);
  EXPECT_FALSE(recording.complete());
  EXPECT_GE(recording.stepCount(), 20);
  EXPECT_EQ(recording.steps(20, 1).front().report.step, 20);
  std::filesystem::remove(copy);
}

TEST_F(RecorderTest, FinishedFile_TakesNoMoreSteps) {
  Recorder recorder(path_, info_, world_);
  recorder.finish(world_);
  world_.step();
  EXPECT_THAT([&] { recorder.addStep(world_); },
              ThrowsMessage<InputError>(HasSubstr("the recording is finished; begin another one")));
  EXPECT_NO_THROW(recorder.finish(world_));
  EXPECT_EQ(Recording(path_).stepCount(), 0);
}

TEST_F(RecorderTest, FileThatIsStillWritten_SaysSo) {
  const std::string link = path_ + ".link";
  std::filesystem::create_symlink(path_, link);
  Recorder recorder(path_, info_, world_);
  for (const std::string& name : {path_, link}) {
    EXPECT_THAT([&] { Recording{name}; },
                ThrowsMessage<InputError>(HasSubstr("this program is still writing it")));
    EXPECT_THAT([&] { Recorder(name, info_, world_); },
                ThrowsMessage<std::runtime_error>(HasSubstr("this program is writing it already")));
  }
  std::filesystem::remove(link);
  recorder.finish(world_);
  EXPECT_TRUE(Recording(path_).complete());
  // As another program that writes it in HDF5's usual way.
  const int file = open(path_.c_str(), O_RDWR);
  ASSERT_EQ(flock(file, LOCK_EX), 0);
  EXPECT_THAT([&] { Recording{path_}; },
              ThrowsMessage<InputError>(HasSubstr("another program is writing it")));
  close(file);
  EXPECT_TRUE(Recording(path_).complete());
}

TEST_F(RecorderTest, LongRun_CostsLittleMoreThanItsNumbers) {
  // Poses and velocities are 13 doubles, the island an int: 648 B for six bodies; a step has about
  // 260 B of its own. The rest is what chunks that are rewritten at each flush leave behind.
  record(2000);
  const Recording recording(path_);
  ASSERT_EQ(recording.stepCount(), 2000);
  EXPECT_LT(std::filesystem::file_size(path_), 20e6);
}

TEST_F(RecorderTest, FolderThatIsNot_FailsAtOnce) {
  EXPECT_THAT([&] { Recorder("/no/such/folder/a.h5", info_, world_); },
              ThrowsMessage<std::runtime_error>(HasSubstr("/no/such/folder/a.h5")));
}

TEST(RecordingFile, TextAndOtherHdf5_AreNoRecordings) {
  const std::string path = testing::TempDir() + "/no_recording.h5";
  std::ofstream(path) << "no HDF5";
  EXPECT_THAT([&] { Recording{path}; }, ThrowsMessage<InputError>(HasSubstr("no HDF5 file")));
  EXPECT_THAT([&] { Recording{path + "x"}; }, ThrowsMessage<InputError>(HasSubstr("no such file")));
  EXPECT_THAT([&] { Recording{testing::TempDir()}; },
              ThrowsMessage<InputError>(HasSubstr("is a folder")));
}

TEST_F(RecorderTest, DamagedAnywhere_IsRefusedOrReadButNeverCrashes) {
  record(5);
  std::string bytes;
  {
    std::ifstream file(path_, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(file), {});
  }
  int refused = 0, same = 0;
  WorldSnapshot frame;
  // 101 places over the whole file; a stretch of 16 bytes there is inverted.
  for (std::size_t i = 0; i <= 100; ++i) {
    std::string damaged = bytes;
    const std::size_t at = i * (bytes.size() - 16) / 100;
    for (std::size_t k = 0; k < 16; ++k) damaged[at + k] = static_cast<char>(~damaged[at + k]);
    std::ofstream(path_, std::ios::binary) << damaged;
    try {
      const Recording recording(path_);
      for (std::int64_t f = 0; f < recording.frameCount(); ++f) recording.frame(f, frame);
      recording.steps(1, recording.stepCount());
      ++same;
    } catch (const InputError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 20) << "most of the file has checksums";
  EXPECT_EQ(refused + same, 101);
}

}  // namespace
}  // namespace drystone::test
