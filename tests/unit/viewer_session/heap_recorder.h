#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/recording/recorder.h"
#include "scenes/scene_builder.h"
#include "scenes/scene_reader.h"
#include "tests/unit/viewer_session/simulation_fixture.h"

namespace drystone::viewer::test {

/// Records the heap, with a ball of 5 kg by the command line.
class HeapRecorder {
 public:
  HeapRecorder(const std::string& path, int every) : world_(buildWorld(scene(), registry())) {
    RecordingInfo info;
    info.scene = "heap";
    info.sceneLabel = "heap.json";
    info.sceneText = heapText();
    info.commandLine = R"({"solver": "nsgs", "set": ["bodies.ball.mass=5", "max_iterations=30"]})";
    info.settings = "{}";
    info.solvers = registry().names();
    info.every = every;
    recorder_.emplace(path, info, world_);
  }
  static Scene scene() {
    const std::vector<ParameterOverride> overrides = {{"bodies.ball.mass", "5"}};
    Scene scene = readSceneText(heapText(), "heap.json", {.overrides = overrides});
    scene.settings.solver = {.name = "nsgs", .budget = {.iterations = 30}};
    return scene;
  }
  void step(int steps) {
    for (int i = 0; i < steps; ++i) {
      world_.step();
      recorder_->addStep(world_);
    }
  }
  void finish() { recorder_->finish(world_); }
  const World& world() const { return world_; }

 private:
  World world_;
  std::optional<Recorder> recorder_;
};

}  // namespace drystone::viewer::test
