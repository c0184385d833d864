#include "apps/support/frames/frame_source.h"

#include <fmt/format.h>

#include <algorithm>

#include "apps/support/input_files.h"
#include "apps/support/log.h"
#include "apps/support/program.h"
#include "apps/support/run_setup.h"
#include "core/input_error.h"
#include "engine/recording/recording.h"
#include "scenes/scene_builder.h"
#include "scenes/scene_reader.h"
#include "viewer/draw/scene_view.h"
#include "viewer/session/measurer.h"

namespace drystone::cli {
namespace {

/// A scene and the world that was built from it.
struct BuiltScene {
  BuiltScene(Scene scene_, const SolverRegistry& registry)
      : scene(std::move(scene_)),
        solvers(registry),
        world(buildWorld(scene, solvers)),
        view(std::make_shared<const viewer::SceneView>(viewer::sceneViewOf(scene, world))) {}
  void restart() { world = buildWorld(scene, solvers); }

  Scene scene;
  const SolverRegistry& solvers;
  World world;
  std::shared_ptr<const viewer::SceneView> view;
};

class SimulatedFrames final : public FrameSource {
 public:
  SimulatedFrames(Scene scene, const SolverRegistry& registry, const viewer::Measure& measure)
      : built_(std::move(scene), registry), measure_(measure) {}

  Real timestep() const override { return built_.world.settings().timestep; }
  std::int64_t lastStep() const override { return built_.scene.stepCount(); }
  std::vector<std::string> files() const override { return built_.scene.files; }
  std::int64_t step() const override { return built_.world.stepCount(); }
  std::string failure() const override { return built_.world.observe().failure(); }

  bool advance() override {
    if (!failure().empty()) return false;
    built_.world.step();
    return true;
  }

  void restart() override { built_.restart(); }

  void frame(viewer::ViewFrame& out) override {
    out.scene = built_.view;
    built_.world.observe().snapshot(out.snapshot);
    out.report = built_.world.lastReport();
    out.solver = built_.world.settings().solver.name;
    out.friction = built_.world.settings().friction;
    measurer_.measure(built_.world, measure_, out);
  }

 private:
  BuiltScene built_;
  const viewer::Measure measure_;
  viewer::Measurer measurer_;
};

class RecordedFrames final : public FrameSource {
 public:
  RecordedFrames(const std::string& file, const SolverRegistry& registry)
      : file_(file),
        recording_(file),
        built_(setUpScene(recordedSource(recording_.info()),
                          recordedOptions(recording_.info(), file), registry),
               registry) {
    requireSameBodies(recording_, built_.world, file);
    warnOfRecording(recording_, file);
    const RecordingInfo& info = recording_.info();
    if (info.every > 1) {
      logInfo(fmt::format("{}: has a frame every {} steps; others are drawn as the nearest", file,
                          info.every));
    }
  }

  Real timestep() const override { return built_.world.settings().timestep; }
  std::int64_t lastStep() const override { return recording_.stepCount(); }
  std::vector<std::string> files() const override { return {file_}; }
  std::int64_t step() const override { return step_; }

  bool advance() override {
    if (step_ >= lastStep()) return false;
    ++step_;
    return true;
  }

  void restart() override { step_ = next_ = 0; }

  void frame(viewer::ViewFrame& out) override {
    while (next_ + 1 < recording_.frameCount() && distance(next_ + 1) <= distance(next_)) ++next_;
    out.scene = built_.view;
    // Pictures show nothing of the report: one that is damaged may be.
    try {
      recording_.frame(next_, out.snapshot);
    } catch (const InputError& error) {
      throw InputError(fmt::format("the frame of step {} is damaged: {}",
                                   recording_.stepOfFrame(next_), error.what()));
    }
    out.solver = built_.world.settings().solver.name;
    out.friction = built_.world.settings().friction;
  }

 private:
  std::int64_t distance(std::int64_t frame) const {
    return std::abs(recording_.stepOfFrame(frame) - step_);
  }

  std::string file_;
  Recording recording_;
  BuiltScene built_;
  std::int64_t step_ = 0;
  std::int64_t next_ = 0;  // frame nearest to the step
};

/// A recording is drawn as it is, and holds no contact problems.
void refuseMeasuring(const viewer::Measure& measure) {
  if (!measure.residuals && !measure.graphColors) return;
  throw UsageError(
      fmt::format("--show {}: a recording does not hold what this is measured on; name its scene "
                  "to simulate it "
                  "anew",
                  measure.residuals ? "residuals" : "graph"));
}

}  // namespace

void refuseChanges(const SimulationOptions& options) {
  const std::pair<const char*, bool> given[] = {
      {"--solver", !options.solver.empty()},     {"--set", !options.sets.empty()},
      {"--friction", !options.friction.empty()}, {"--integrator", !options.integrator.empty()},
      {"--dt", options.timestep.has_value()},    {"--threads", options.threads.has_value()},
      {"--seed", options.seed.has_value()},      {"--preset", !options.preset.empty()}};
  for (const auto& [option, isGiven] : given) {
    if (!isGiven) continue;
    throw UsageError(fmt::format(
        "{}: a recording is drawn as it is; name its scene to simulate it anew", option));
  }
}

std::unique_ptr<FrameSource> openFrames(const SimulationOptions& options,
                                        const SolverRegistry& registry,
                                        const viewer::Measure& measure) {
  if (isRecording(options.scene)) {
    refuseChanges(options);
    refuseMeasuring(measure);
    requireFileKind(options.scene, FileKind::kRecording);
    return std::make_unique<RecordedFrames>(options.scene, registry);
  }
  Scene scene = setUpScene(findScene(options, registry), options, registry);
  logWarnings(sceneWarnings(scene, registry));
  return std::make_unique<SimulatedFrames>(std::move(scene), registry, measure);
}

}  // namespace drystone::cli
