#include "viewer/simulation/open_source.h"

#include <fmt/format.h>

#include "scenes/recorded_scene.h"
#include "scenes/scene_reader.h"
#include "viewer/simulation/played_recording.h"
#include "viewer/simulation/stepped_world.h"

namespace drystone::viewer {
namespace {

std::unique_ptr<Source> openRecording(const std::string& path, MessageLog& log) {
  auto recording = std::make_unique<PlayedRecording>(path, log);
  const SourceState state = recording->state();
  log.info(
      fmt::format("opened recording {}: steps {} to {}", path, state.firstStep, state.lastStep));
  return recording;
}

}  // namespace

std::unique_ptr<Source> openScene(const Scene& scene, const SolverRegistry& registry,
                                  MessageLog& log) {
  auto world = std::make_unique<SteppedWorld>(scene, registry, log);
  log.info(fmt::format("opened scene '{}': {} bodies, {} joints, solver {}", scene.name,
                       scene.bodies.size(), scene.joints.size(), scene.settings.solver.name));
  for (const std::string& warning : scene.warnings) log.warning(warning);
  return world;
}

std::unique_ptr<Source> openSource(const std::string& path, const SolverRegistry& registry,
                                   MessageLog& log) {
  if (isRecording(path)) return openRecording(path, log);
  Scene scene = readScene(path, {.registry = &registry});
  if (scene.name.empty()) scene.name = path;
  return openScene(scene, registry, log);
}

}  // namespace drystone::viewer
