// Recorded motions that are damaged or not enough, and steps without an answer.
#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "apps/inverse/inverse_output.h"
#include "apps/inverse/recorded_motion.h"
#include "core/input_error.h"
#include "engine/recording/recorder.h"
#include "engine/recording/recording.h"
#include "engine/world/world.h"
#include "solvers/default_registry.h"

namespace drystone::cli {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr int kSteps = 3;

/// A ball on a hinge that may break, as a file in which a frame may miss.
class RecordedHinge : public testing::Test {
 protected:
  RecordedHinge()
      : world_({}, makeDefaultRegistry()),
        path_((std::filesystem::temp_directory_path() /
               ("drystone_inverse_" + std::to_string(getpid()) + ".h5"))
                  .string()) {
    const BodyId post = world_.addBody({.name = "post", .kind = BodyKind::kStatic});
    const BodyId ball =
        world_.addBody({.name = "ball", .shape = Sphere{0.1}, .pose = {.position = {1, 0, 0}}});
    JointDefinition hinge = hingeJoint(post, ball);
    hinge.name = "weak";
    hinge.breakingImpulse = 1e3;
    world_.addJoint(hinge, jointFrame({0, 0, 0}, Vec3::UnitY()));
  }
  ~RecordedHinge() override { std::filesystem::remove(path_); }

  void record(const RecordingInfo& info, std::int64_t missing = -1) {
    WorldSnapshot frame;
    world_.observe().snapshot(frame);
    const std::vector<std::string> names = {"post", "ball"};
    Recorder recorder(path_, info, names, frame, 0);
    for (int step = 1; step <= kSteps; ++step) {
      world_.step();
      world_.observe().snapshot(frame);
      recorder.addStep({world_.lastReport(), 0, 0}, step == missing ? nullptr : &frame);
    }
    recorder.finish();
  }

  World world_;
  std::string path_;
};

RecordingInfo usualRun() { return {.sceneText = "{}", .commandLine = "{}"}; }

TEST_F(RecordedHinge, WithAFrameOfEachStep_HasTheVelocitiesAtItsEnds) {
  record(usualRun());
  const Vec3 last = world_.body(world_.bodies()[1]).linearVelocity();
  const Recording recording(path_);
  RecordedMotion motion(recording, world_, path_);
  const std::vector<WantedVelocity> wanted = motion.begin(kSteps);
  ASSERT_EQ(wanted.size(), 1u);
  EXPECT_EQ(wanted[0].linear, last);
}

TEST_F(RecordedHinge, WithoutAFrame_IsRefusedByItsStep) {
  record(usualRun(), 2);
  const Recording recording(path_);
  RecordedMotion motion(recording, world_, path_);
  motion.begin(1);
  EXPECT_THAT([&] { motion.begin(3); },
              ThrowsMessage<InputError>(HasSubstr("has no frame of step 2")));
}

TEST_F(RecordedHinge, OfARestoredRun_IsRefused) {
  RecordingInfo info = usualRun();
  info.commandLine = R"({"restore": "half.state"})";
  record(info);
  const Recording recording(path_);
  EXPECT_THAT([&] { RecordedMotion(recording, world_, path_); },
              ThrowsMessage<InputError>(HasSubstr("begins from the state 'half.state'")));
}

TEST_F(RecordedHinge, OfSeveralProcesses_IsRefusedWhereJointsBreak) {
  RecordingInfo info = usualRun();
  info.processes = 2;
  record(info);
  const Recording recording(path_);
  EXPECT_THAT([&] { RecordedMotion(recording, world_, path_); },
              ThrowsMessage<InputError>(HasSubstr("joint 'weak' has a breaking impulse")));
  world_.removeJoint(world_.joints()[0]);
  EXPECT_NO_THROW(RecordedMotion(recording, world_, path_));
}

// A step whose search ended has no figure, and none of 0.
TEST(InverseOutput, OfAnUndecidedStep_HasNoFigures) {
  ToldMotion told{.recording = "run.h5", .recorded = 1, .tolerance = 1, .motors = {}, .steps = {}};
  told.motors.push_back({.joint = {}, .name = "slide"});
  told.steps.push_back({.step = 1, .time = 0.5, .motors = {NAN}});
  const Json step = motionJson(told)["steps"][0];
  EXPECT_EQ(step.size(), 9u);
  for (const auto& [key, value] : step.items()) {
    if (key == "step" || key == "time_s") continue;
    EXPECT_TRUE(key == "motors" ? value["slide"].is_null() : value.is_null()) << key;
  }
  const std::vector<std::string> csv = motionCsv(told);
  ASSERT_EQ(csv.size(), 2u);
  EXPECT_EQ(csv[1], "1,0.5,,,,,,,");
  EXPECT_EQ(std::ranges::count(csv[0], ','), std::ranges::count(csv[1], ','));
  EXPECT_THAT(motionText(told), HasSubstr("slide  unknown  unknown    unknown"));
  EXPECT_THAT(motionText(told), HasSubstr("Undecided     in 1 step"));
}

}  // namespace
}  // namespace drystone::cli
