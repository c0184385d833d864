#include "viewer/simulation/open_source.h"

#include <fmt/format.h>

#include <array>
#include <fstream>

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

/// By the first bytes of the file, and by its name where it is empty or not there.
bool isRecording(const std::string& path) {
  constexpr std::array<char, 8> kHdf5 = {'\x89', 'H', 'D', 'F', '\r', '\n', '\x1a', '\n'};
  std::array<char, 8> start{};
  std::ifstream(path, std::ios::binary).read(start.data(), start.size());
  return start == kHdf5 || path.ends_with(".h5") || path.ends_with(".hdf5");
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
