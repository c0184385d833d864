#include "apps/support/run_setup.h"

#include <fmt/format.h>

#include "apps/support/command_line.h"
#include "apps/support/json_values.h"
#include "apps/support/log.h"
#include "apps/support/program.h"
#include "core/input_error.h"
#include "engine/recording/recording.h"
#include "engine/world/world.h"
#include "scenes/recorded_world.h"

namespace drystone::cli {
namespace {

/// The one list of what a recording keeps of the command line: calls `option(key, field)` for each.
template <class Options, class Visit>
void visitOptions(Options& options, Visit&& option) {
  option("solver", options.solver);
  option("fallback", options.fallback);
  option("preset", options.preset);
  option("friction", options.friction);
  option("integrator", options.integrator);
  option("set", options.sets);
  option("dt", options.timestep);
  option("threads", options.threads);
  option("seed", options.seed);
  option("restore", options.restore);
}

template <class T>
void store(Json& json, const char* key, const std::optional<T>& value) {
  if (value) json[key] = *value;
}
void store(Json& json, const char* key, bool value) {
  if (value) json[key] = value;
}
template <class T>
void store(Json& json, const char* key, const T& value) {
  if (!value.empty()) json[key] = value;
}
template <class T>
void load(const Json& json, const char* key, std::optional<T>& value) {
  if (json.contains(key)) value = json[key].get<T>();
}
template <class T>
void load(const Json& json, const char* key, T& value) {
  if (json.contains(key)) value = json[key].get<T>();
}

std::string settingsText(const Scene& scene, const SolverRegistry& registry) {
  const WorldSettings& settings = scene.settings;
  const SolverChoice& choice = settings.solver;
  const Json json = {
      {"integrator", integratorName(settings.integrator)},
      {"friction", frictionModelName(settings.friction)},
      {"dt", settings.timestep},
      {"threads", settings.threads},
      {"solver", choice.name},
      {"settings", settingsToJson(effectiveSettings(registry, choice.name, choice.settings))},
      {"fallback", choice.fallback},
      {"tolerance_m_s", choice.budget.tolerance},
      {"max_iterations",
       choice.budget.iterations.value_or(registry.traits(choice.name).iterations)},
      {"parameters", parameterValues(scene.parameters)}};
  return jsonText(json);
}

}  // namespace

RecordingInfo recordingInfo(const SceneSource& source, const Scene& scene,
                            const SimulationOptions& options, const SolverRegistry& registry) {
  RecordingInfo info;
  info.version = versionText();
  info.build = buildText();
  info.scene = scene.name;
  info.sceneLabel = source.label;
  info.sceneText = source.text;
  for (const SceneFile& file : scene.attachments) info.files.push_back({file.name, file.text});
  Json commandLine = Json::object();
  visitOptions(options,
               [&](const char* key, const auto& field) { store(commandLine, key, field); });
  info.commandLine = jsonText(commandLine);
  info.settings = settingsText(scene, registry);
  info.solvers = registry.names();
  for (const SceneJoint& joint : scene.joints) {
    info.joints.push_back({joint.definition.name, joint.bodyA, joint.bodyB,
                           static_cast<int>(joint.definition.geometry)});
  }
  info.every = scene.output.every;
  return info;
}

SimulationOptions recordedOptions(const RecordingInfo& info, const std::string& file) {
  SimulationOptions options;
  options.scene = info.sceneLabel;
  try {
    const Json json = Json::parse(info.commandLine);
    visitOptions(options, [&](const char* key, auto& field) { load(json, key, field); });
  } catch (const Json::exception& error) {
    throw InputError(fmt::format("{}: /run/command_line is damaged: {}", file, error.what()));
  }
  return options;
}

void warnOfBuild(const RecordingInfo& info, const std::string& file) {
  if (info.version == versionText() && info.build == buildText()) return;
  logWarning(fmt::format(
      "{}: recorded by drystone {} ({}), this is {} ({}): the bits may differ for that alone", file,
      info.version, info.build, versionText(), buildText()));
}

void warnOfRecording(const Recording& recording, const std::string& file) {
  if (!recording.complete()) {
    logWarning(
        fmt::format("{}: is not complete, its program was killed or still runs, or an error ended "
                    "it; it holds {}",
                    file, counted(recording.stepCount(), "step")));
  }
}

void requireSameBodies(const Recording& recording, const World& world, const std::string& file) {
  if (std::ssize(world.bodies()) == std::ssize(recording.bodies())) return;
  throw InputError(fmt::format("{}: the scene in it makes {}, and {} were recorded", file,
                               counted(std::ssize(world.bodies()), "body", "bodies"),
                               recording.bodies().size()));
}

}  // namespace drystone::cli
