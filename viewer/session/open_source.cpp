#include "viewer/session/source.h"

#include <fmt/format.h>

#include "scenes/scene_builder.h"
#include "scenes/scene_reader.h"
#include "viewer/session/played_recording.h"
#include "viewer/session/stepped_world.h"

namespace drystone::viewer {
namespace {

std::unique_ptr<Source> openRecording(const std::string& path, MessageLog& log) {
  auto recording = std::make_unique<PlayedRecording>(path, log);
  const SourceState state = recording->state();
  log.info(
      fmt::format("opened recording {}: steps {} to {}", path, state.firstStep, state.lastStep));
  return recording;
}

Scene sceneOf(const Open& asked, const SolverRegistry& registry) {
  if (asked.read) return asked.read(asked.changes);
  Scene scene = readScene(asked.path, {.overrides = asked.changes, .registry = &registry});
  if (scene.name.empty()) scene.name = asked.path;
  return scene;
}

std::string changesText(const std::vector<ParameterOverride>& changes) {
  std::string text;
  for (const ParameterOverride& change : changes) {
    text += (text.empty() ? "" : ", ") + change.path + "=" + change.value;
  }
  return text;
}

}  // namespace

std::unique_ptr<Source> openScene(const Scene& scene, const SolverRegistry& registry,
                                  MessageLog& log) {
  auto world = std::make_unique<SteppedWorld>(scene, registry, log);
  log.info(fmt::format("opened scene '{}': {} bodies, {} joints, solver {}", scene.name,
                       scene.bodies.size(), scene.joints.size(), scene.settings.solver.name));
  for (const std::string& warning : sceneWarnings(scene, registry)) log.warning(warning);
  return world;
}

std::unique_ptr<Source> openSource(const Open& asked, const SolverRegistry& registry,
                                   MessageLog& log) {
  if (!asked.read && isRecording(asked.path)) return openRecording(asked.path, log);
  return openScene(sceneOf(asked, registry), registry, log);
}

std::unique_ptr<Source> restartSource(const Open& asked, const SolverChoice& solver,
                                      const SolverRegistry& registry, MessageLog& log) {
  Scene scene = sceneOf(asked, registry);
  scene.settings.solver = solver;
  auto world = std::make_unique<SteppedWorld>(scene, registry, log);
  for (const std::string& warning : sceneWarnings(scene, registry)) log.warning(warning);
  log.info(asked.changes.empty() ? "restarted with the values of the scene"
                                 : "restarted with " + changesText(asked.changes));
  return world;
}

}  // namespace drystone::viewer
