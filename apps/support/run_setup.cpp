#include "apps/support/run_setup.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "apps/support/command_line.h"
#include "apps/support/input_files.h"
#include "apps/support/json_values.h"
#include "apps/support/log.h"
#include "apps/support/program.h"
#include "apps/support/solver_registry.h"
#include "core/input_error.h"
#include "scenes/scene_library.h"
#include "scenes/scene_reader.h"

namespace drystone::cli {
namespace {

/// `--set` and its kin, sorted by who takes them.
struct Overrides {
  struct OfSolver {
    std::string typed;  ///< the key as the user wrote it, for messages
    SolverSetting setting;
  };
  std::vector<ParameterOverride> ofScene;
  std::vector<OfSolver> ofSolver;  ///< values as text

  /// True when there is a value for this place in the scene, or for this key of the budget.
  bool sets(std::string_view path) const {
    return std::any_of(ofScene.begin(), ofScene.end(), [path](const ParameterOverride& one) {
      return one.path == path || (isBudgetKey(path) && one.path == "solver." + std::string(path));
    });
  }
};

Overrides sortOverrides(const std::vector<std::string>& sets) {
  Overrides sorted;
  for (const std::string& text : sets) {
    const auto [key, value] = parseKeyValue(text, "--set");
    if (const std::optional<std::string> setting = solverSetting(key)) {
      sorted.ofSolver.push_back({key, {*setting, value}});
    } else {
      sorted.ofScene.push_back({key, value});
    }
  }
  return sorted;
}

Scene readWithOverrides(const SceneSource& scene, const SolverRegistry& registry,
                        const std::vector<ParameterOverride>& overrides, bool warns) {
  try {
    return readScene(scene, {.overrides = overrides, .registry = &registry, .warns = warns});
  } catch (const InputError& error) {
    if (overrides.empty()) throw;
    // A file that is right by itself makes this the command line's mistake; one that is wrong
    // already throws its own errors here.
    readScene(scene, {.overrides = {}, .registry = &registry});
    throw UsageError(error.what());
  }
}

/// Throws where nothing is random.
std::vector<ParameterOverride> seedOption(const SceneSource& scene, std::int64_t seed) {
  std::vector<ParameterOverride> overrides = seedOverrides(scene, seed);
  if (!overrides.empty()) return overrides;
  throw UsageError(
      fmt::format("--seed: nothing in scene '{}' is random (it has no random_fill)", scene.label));
}

/// The option, or the place in the scene file, that a key without a dot is likely meant for; empty:
/// none has the name.
std::string meantFor(const std::string& key, const std::string& value) {
  static const std::vector<std::string> kOptions = {
      "solver", "preset", "friction", "integrator", "dt", "threads", "seed", "steps", "time"};
  if (std::ranges::find(kOptions, key) != kOptions.end()) return fmt::format("--{} {}", key, value);
  const Json schema = Json::parse(sceneSchema());
  const Json keys = schema.at("$defs").at("world").value("properties", Json::object());
  return keys.contains(key) ? fmt::format("--set world.{}={}", key, value) : "";
}

/// Why a setting was refused. One that the solver lacks may be meant for the scene: says so.
std::string settingProblem(const SolverRegistry& registry, const Scene& scene,
                           const std::string& typed, const SolverSetting& setting,
                           const std::string& problem) {
  const std::string& solver = scene.settings.solver.name;
  const std::vector<SettingDescription> known = effectiveSettings(registry, solver, {});
  const bool isKnown =
      std::ranges::find(known, setting.name, &SettingDescription::name) != known.end();
  if (isKnown || typed.find('.') != std::string::npos) return problem;
  const bool isParameter =
      std::ranges::find(scene.parameters, typed, &SceneParameter::name) != scene.parameters.end();
  if (isParameter) {
    return fmt::format("{} has no such setting, but the scene such a parameter: --set scene.{}={}",
                       solver, typed, settingText(setting.value));
  }
  if (const std::string meant = meantFor(typed, settingText(setting.value)); !meant.empty()) {
    return fmt::format("{} has no such setting; write {}", solver, meant);
  }
  return problem +
         "\nhint: a key without a dot is a setting of the solver or its budget; places in the "
         "scene "
         "file have one (world.timestep), and parameters of the scene are scene.NAME";
}

/// Where the coefficient of friction of a scene is changed.
std::string frictionPlace(const Scene& scene, const std::string& value) {
  constexpr std::string_view kKey = "friction";
  if (std::ranges::find(scene.parameters, kKey, &SceneParameter::name) != scene.parameters.end()) {
    return fmt::format("--set scene.friction={}", value);
  }
  if (scene.materials.empty()) {
    return fmt::format("\"materials\": {{\"default\": {{\"friction\": {}}}}} in the scene file",
                       value);
  }
  std::vector<std::string> places;
  for (const SceneMaterial& material : scene.materials) {
    // A dot would end the key of --set.
    if (material.name.find('.') != std::string::npos) continue;
    places.push_back(fmt::format("--set materials.{}.friction={}", material.name, value));
  }
  return places.empty() ? "\"friction\" of a material in the scene file" : joined(places, " or ");
}

/// Of `--friction`. Who gives it a number means the coefficient, not the model.
FrictionModel frictionOption(const std::string& text, const Scene& scene) {
  double number = 0;
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, number);
  if (error != std::errc() || end != last) return chooseFrictionModel(text);
  throw UsageError(
      fmt::format("--friction takes a model, as cone, and not the coefficient '{}', which is set "
                  "with {}",
                  text, frictionPlace(scene, text)));
}

/// A scene's budget of sweeps must not go unnoticed with its solver.
void noteSettingsLeftOut(const SolverChoice& own, const std::string& solver) {
  std::vector<std::string> words;
  if (own.budget.iterations)
    words.push_back(fmt::format("max_iterations={}", *own.budget.iterations));
  for (const SolverSetting& setting : own.settings) {
    words.push_back(fmt::format("{}={}", setting.name, settingText(setting.value)));
  }
  if (words.empty()) return;
  logInfo(fmt::format(
      "--solver {} does not get the settings that the scene has for {}: {}; --set gives it its own",
      solver, own.name, joined(words)));
}

TwinUse twinUse(const SimulationOptions& options) {
  return options.fallback ? TwinUse::kWillDo : TwinUse::kOffered;
}

void applySolverOptions(const SimulationOptions& options, const Overrides& overrides,
                        const SolverRegistry& registry, Scene& scene) {
  SolverChoice& choice = scene.settings.solver;
  if (!options.solver.empty() && options.solver != choice.name) {
    requireSolver(registry, options.solver, twinUse(options));
    // What the scene says was written for its own solver; another one need not have it, or means
    // something else by it: as many sweeps are not as many pivots.
    SolverChoice ofScene = choice;
    choice.settings.clear();
    choice.budget = {.tolerance = choice.budget.tolerance};
    if (overrides.sets("max_iterations")) {
      std::swap(choice.budget.iterations, ofScene.budget.iterations);
    }
    if (overrides.sets("time_limit_s")) choice.budget.seconds = ofScene.budget.seconds;
    noteSettingsLeftOut(ofScene, options.solver);
    choice.name = options.solver;
  }
  for (const auto& [typed, setting] : overrides.ofSolver) {
    // The last word wins and stands alone, so that reports name a setting once.
    std::erase_if(choice.settings, [&name = setting.name](const SolverSetting& known) {
      return known.name == name;
    });
    choice.settings.push_back(setting);
    try {
      effectiveSettings(registry, choice.name, choice.settings);
    } catch (const InputError& error) {
      throw UsageError(fmt::format("--set {}: {}", typed,
                                   settingProblem(registry, scene, typed, setting, error.what())));
    }
  }
}

/// `--fallback` is for the solver alone: nothing would tell what ran in place of the fallback.
void requireFallback(const SolverRegistry& registry, const std::string& name) {
  const SolverTraits& traits = registry.traits(name);
  if (traits.unavailable().empty()) return;
  throw NoDeviceError(fmt::format(
      "the scene's fallback '{}' cannot run here: {}; name another in solver.fallback, as {}", name,
      traits.unavailable(), traits.cpuTwin.empty() ? traits.cpuNearest : traits.cpuTwin));
}

/// Throws unless the solver takes what the scene will give it. A fallback takes the rest.
void requireSuitableSolver(const SimulationOptions& options, const SolverRegistry& registry,
                           const Scene& scene) {
  const SolverChoice& choice = scene.settings.solver;
  requireSolver(registry, choice.name, twinUse(options));
  if (!choice.fallback.empty()) requireFallback(registry, choice.fallback);
  const SolverNeeds needs{.friction = scene.settings.friction,
                          .hasRows = !scene.joints.empty() && choice.fallback.empty(),
                          .isHere = false};
  const std::string obstacle = whyNot(registry.traits(choice.name), needs);
  if (obstacle.empty()) return;
  std::vector<std::string> others;
  for (const std::string& name : registry.names()) {
    if (whyNot(registry.traits(name), needs).empty()) others.push_back(name);
  }
  const std::string problem =
      fmt::format("solver '{}' {}; these do what the scene needs: {}", choice.name, obstacle,
                  others.empty() ? "none" : joined(others));
  if (options.solver.empty() && options.friction.empty()) throw InputError(problem);
  throw UsageError(problem);
}

}  // namespace

void requireSceneName(const std::string& scene) {
  std::error_code error;
  const bool isPath =
      scene.find('/') != std::string::npos || scene.ends_with(".json") || isRecording(scene);
  if (isPath || findLibraryScene(scene) != nullptr || std::filesystem::exists(scene, error)) return;
  throw UsageError(unknownSceneMessage(scene));
}

bool isSolverSetting(const std::string& keyValue) {
  constexpr std::string_view kPrefix = "solver.";
  const std::string key = parseKeyValue(keyValue, "--set").key;
  const std::string name = key.starts_with(kPrefix) ? key.substr(kPrefix.size()) : key;
  return solverSetting(key).has_value() || name == "max_iterations" || name == "time_limit_s";
}

SceneSource findScene(const SimulationOptions& options, const SolverRegistry& registry) {
  requireSceneName(options.scene);
  if (!options.solver.empty()) requireSolver(registry, options.solver, twinUse(options));
  requireFileKind(options.scene, FileKind::kScene);
  return drystone::findScene(options.scene);
}

ReadyScene readWithOptions(const SceneSource& source, const SimulationOptions& options,
                           const SolverRegistry& registry) {
  if (!options.solver.empty()) requireSolver(registry, options.solver, twinUse(options));
  Overrides overrides = sortOverrides(options.sets);
  if (options.seed) {
    // Read once for its errors, each with its place, before looking for seeds in it.
    readScene(source, {.overrides = {}, .registry = &registry});
    for (ParameterOverride& seed : seedOption(source, *options.seed)) {
      if (overrides.sets(seed.path)) {
        throw UsageError(fmt::format("--seed and --set {} exclude each other", seed.path));
      }
      overrides.ofScene.push_back(std::move(seed));
    }
  }
  // Places in the file like others, since what else the file says depends on them.
  if (!options.preset.empty()) {
    checkPreset(options.preset);
    overrides.ofScene.insert(overrides.ofScene.begin(), {"solver.preset", options.preset});
  }
  if (options.timestep) {
    overrides.ofScene.push_back({"world.timestep", fmt::format("{}", *options.timestep)});
  }
  if (!options.integrator.empty()) {
    chooseIntegrator(options.integrator);
    overrides.ofScene.push_back({"world.integrator", options.integrator});
  }
  ReadyScene scene{readWithOverrides(source, registry, overrides.ofScene, options.warns), {}};
  if (scene.name.empty()) scene.name = std::filesystem::path(source.label).stem().string();
  WorldSettings& settings = scene.settings;
  if (!options.friction.empty()) settings.friction = frictionOption(options.friction, scene);
  if (options.threads) settings.threads = *options.threads;
  applySolverOptions(options, overrides, registry, scene);
  if (options.fallback) {
    SolverChoice& choice = settings.solver;
    scene.replaced = replaceByCpuTwin(registry, choice);
    logReplacement(scene.replaced, choice.name);
  }
  return scene;
}

ReadyScene setUpScene(const SceneSource& source, const SimulationOptions& options,
                      const SolverRegistry& registry) {
  ReadyScene scene = readWithOptions(source, options, registry);
  requireSuitableSolver(options, registry, scene);
  return scene;
}

std::int64_t stepsToDo(const SimulationOptions& options, const Scene& scene) {
  if (options.steps) return *options.steps;
  if (!options.time) return scene.stepCount();
  const Real steps = *options.time / scene.settings.timestep;
  if (steps > static_cast<Real>(kMostSteps)) {
    throw UsageError(
        fmt::format("--time: {:g} s are {:.3g} steps of {:g} s; at most {:g} are possible",
                    *options.time, steps, scene.settings.timestep, static_cast<Real>(kMostSteps)));
  }
  // Rounded to the nearest, so that --time 1 with h = 1/60 gives 60 steps and not 61.
  return std::max<std::int64_t>(1, std::llround(steps));
}

}  // namespace drystone::cli
