#include "viewer/session/played_recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/input_error.h"
#include "scenes/scene_builder.h"
#include "scenes/scene_reader.h"
#include "solvers/default_registry.h"
#include "viewer/draw/scene_view.h"

namespace drystone::viewer {
namespace {

/// The scene whose world was recorded.
Scene sceneOf(const Recording& recording, const std::string& path) {
  try {
    Scene scene = readRecordedScene(recording.info());
    if (scene.bodies.size() == recording.bodies().size()) return scene;
    throw InputError(fmt::format("the scene in it makes {} bodies, and {} were recorded",
                                 scene.bodies.size(), recording.bodies().size()));
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", path, error.what()));
  }
}

/// The world is needed for its masses and handles only, so any solver will do, and a friction model
/// that it takes.
std::shared_ptr<const SceneView> viewOf(Scene scene) {
  const SolverRegistry registry = makeDefaultRegistry();
  scene.settings.solver = {};
  scene.settings.friction = FrictionModel::kCone;
  return std::make_shared<SceneView>(sceneViewOf(scene, buildWorld(scene, registry)));
}

}  // namespace

PlayedRecording::PlayedRecording(const std::string& path, MessageLog& log)
    : path_(path), log_(log), recording_(path), last_(recording_.frameCount() - 1) {
  const Scene scene = sceneOf(recording_, path);
  timestep_ = scene.settings.timestep;
  shown_.scene = coming_.scene = viewOf(scene);
  shown_.friction = coming_.friction = scene.settings.friction;
  if (!recording_.complete()) {
    log.warning(
        fmt::format("{}: is not complete, its program was killed or still runs, or an error ended "
                    "it; it plays up to step {}",
                    path, recording_.stepOfFrame(last_)));
  }
  read(0);
  start_ = coming_.snapshot.step;
  show(0);
}

SourceState PlayedRecording::state() const {
  return {.recording = true,
          .ended = index_ == last_,
          .atEnd = index_ == last_,
          .step = stepOf(index_),
          .firstStep = start_,
          .lastStep = stepOf(last_),
          .nextStep = nextStep_};
}

void PlayedRecording::read(std::int64_t index) {
  recording_.frame(index, coming_.snapshot);
  const std::int64_t step = recording_.stepOfFrame(index);
  coming_.isStepDone = step > 0;
  coming_.isReportDamaged = false;
  if (step == 0) {
    coming_.report = {};
    coming_.report.step = coming_.snapshot.step;
    coming_.report.time = coming_.snapshot.time;
    return;
  }
  try {
    readFigures(step);
  } catch (const InputError& error) {
    coming_.report = {};
    coming_.solver.clear();
    coming_.isReportDamaged = true;
    if (std::exchange(figuresDamaged_, true)) return;
    log_.error(
        fmt::format("{}: the figures of step {} are damaged ({}): frames are shown without theirs",
                    path_, stepOf(index), error.what()));
  }
}

void PlayedRecording::readFigures(std::int64_t step) {
  const std::vector<RecordedStep> steps = recording_.steps(step, 1);
  if (steps.empty()) throw InputError(fmt::format("step {} is missing", step));
  coming_.report = steps.front().report;
  const std::vector<std::string>& solvers = recording_.info().solvers;
  const int solver = steps.front().solver;
  const bool isKnown = solver >= 0 && solver < std::ssize(solvers);
  coming_.solver = isKnown ? solvers[static_cast<std::size_t>(solver)] : "";
}

void PlayedRecording::show(std::int64_t index) {
  for (;; --index) {
    try {
      read(index);
      break;
    } catch (const InputError& error) {
      if (index == 0) throw;
      last_ = index - 1;
      log_.error(fmt::format("{}: the frame of step {} is damaged ({}): it plays up to step {}",
                             path_, stepOf(index), error.what(), stepOf(last_)));
    }
  }
  std::swap(shown_, coming_);
  index_ = index;
  solver_.name = shown_.solver;
  findNextStep();
}

void PlayedRecording::findNextStep() {
  nextStep_ = 0;
  if (index_ == last_) return;
  const std::int64_t next = recording_.stepOfFrame(index_ + 1);
  try {
    const auto steps = recording_.steps(next, 1);
    // Times of a damaged step may be anything; a frame is then shown at once.
    if (!steps.empty()) nextStep_ = std::max(0.0, steps[0].report.time - shown_.snapshot.time);
  } catch (const InputError&) {
    // Said when that frame is to be shown.
    nextStep_ = static_cast<Real>(next - recording_.stepOfFrame(index_)) * timestep_;
  }
}

void PlayedRecording::advance() {
  if (index_ < last_) show(index_ + 1);
}

void PlayedRecording::goBack(std::int64_t steps) {
  show(std::max<std::int64_t>(0, index_ - steps));
}

void PlayedRecording::goTo(std::int64_t step) {
  // The first frame beyond the step, by bisection over [0, last_].
  std::int64_t low = 0, high = last_ + 1;
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (stepOf(middle) <= step ? low : high) = middle;
  }
  show(low);
}

}  // namespace drystone::viewer
