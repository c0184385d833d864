#include <fmt/format.h>

#include <array>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/input_error.h"
#include "engine/recording/recording.h"
#include "scenes/scene_reader.h"

namespace drystone {
namespace {

using Json = nlohmann::json;

/// `key=value` of a `--set`, unless it is for the solver.
void addOverride(const std::string& keyValue, std::vector<ParameterOverride>& overrides) {
  const std::size_t equals = keyValue.find('=');
  const std::string key = keyValue.substr(0, equals);
  if (equals == std::string::npos) throw InputError("'" + keyValue + "' has no value");
  if (!solverSetting(key)) overrides.push_back({key, keyValue.substr(equals + 1)});
}

Scene readChanged(const SceneSource& source, const Json& commandLine) {
  std::vector<ParameterOverride> overrides;
  if (commandLine.contains("set")) {
    for (const Json& one : commandLine["set"]) addOverride(one.get<std::string>(), overrides);
  }
  if (commandLine.contains("seed")) {
    for (ParameterOverride& seed : seedOverrides(source, commandLine["seed"].get<std::int64_t>())) {
      overrides.push_back(std::move(seed));
    }
  }
  if (commandLine.contains("integrator")) {
    overrides.push_back({"world.integrator", commandLine["integrator"].get<std::string>()});
  }
  Scene scene = readScene(source, {.overrides = overrides});
  if (commandLine.contains("dt")) scene.settings.timestep = commandLine["dt"].get<Real>();
  if (commandLine.contains("friction")) {
    const auto friction = frictionModelFromName(commandLine["friction"].get<std::string>());
    if (!friction) throw InputError("the friction model is unknown");
    scene.settings.friction = *friction;
  }
  return scene;
}

}  // namespace

bool isRecording(const std::string& path) {
  constexpr std::array<char, 8> kHdf5 = {'\x89', 'H', 'D', 'F', '\r', '\n', '\x1a', '\n'};
  std::array<char, 8> start{};
  std::ifstream(path, std::ios::binary).read(start.data(), start.size());
  return start == kHdf5 || path.ends_with(".h5") || path.ends_with(".hdf5");
}

SceneSource recordedSource(const RecordingInfo& info) {
  if (info.sceneText.empty()) {
    throw InputError("the recording holds no scene, and nothing can be drawn or run without one");
  }
  SceneSource source{.text = info.sceneText, .label = info.sceneLabel};
  for (const RecordedFile& file : info.files) source.attachments.push_back({file.name, file.text});
  return source;
}

Scene readRecordedScene(const RecordingInfo& info) {
  try {
    Scene scene = readChanged(recordedSource(info), Json::parse(info.commandLine));
    if (scene.name.empty()) scene.name = info.scene;
    return scene;
  } catch (const Json::exception& error) {
    throw InputError(fmt::format("/run/command_line is damaged: {}", error.what()));
  }
}

}  // namespace drystone
