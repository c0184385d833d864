#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/recording/recorder.h"
#include "scenes/scene_builder.h"
#include "scenes/scene_reader.h"
#include "tests/support/worlds.h"
#include "viewer/exporting/exported_run.h"

namespace drystone::viewer {

/// A ball that falls onto a floor and a box that lies on it, 40 steps of 1/60 s. Force plates
/// measure the floor and the foot of the box.
class ExportedBall : public testing::Test {
 protected:
  static constexpr int kSteps = 40;
  /// `more`: further keys of the ball.
  explicit ExportedBall(const std::string& name = "ball", const std::string& more = "") {
    const std::string text = R"({"version": 1, "name": ")" + name + R"(",
      "world": {"timestep": 0.016666666666666666, "substeps": 2},
      "bodies": [
        {"name": "floor", "kind": "static", "shape": {"type": "plane"}},
        {"name": "box", "shape": {"type": "box", "half_extents": [0.5, 0.5, 0.5]},
         "position": [2, 0, 0.5]},
        {"name": "ball", "shape": {"type": "sphere", "radius": 0.25}, "position": [0, 0, 1])" +
                             more + R"(}],
      "force_plates": [{"name": "scale", "body": "floor"},
                       {"name": "foot", "body": "box", "other": "floor", "axes": "world"}]})";
    scene_ = readScene(SceneSource{.text = text, .label = "scene.json"});
    world_.emplace(buildWorld(scene_, test::registry()));
    RecordingInfo info;
    info.scene = name;
    Recorder recorder(path_, info, *world_);
    for (int i = 0; i < kSteps; ++i) {
      world_->step();
      recorder.addStep(*world_);
    }
    recorder.finish(*world_);
    recording_.emplace(path_);
    run_.emplace(exportedRun(*recording_, scene_, *world_));
  }
  ~ExportedBall() override { std::filesystem::remove(path_); }

  std::vector<std::int64_t> frames(const FrameChoice& choice = {}) const {
    return chosenFrames(*run_, choice);
  }

  const std::string path_ =
      (std::filesystem::temp_directory_path() / ("page" + std::to_string(getpid()) + ".h5"))
          .string();
  Scene scene_;
  std::optional<World> world_;
  std::optional<Recording> recording_;
  std::optional<ExportedRun> run_;
};

}  // namespace drystone::viewer
