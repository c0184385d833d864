#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apps/support/run_setup.h"
#include "core/wording.h"
#include "engine/model/world_settings.h"
#include "solvers/driver/registry.h"

namespace CLI {
class App;
}

namespace drystone::cli {

/// A `key=value` of the command line.
struct KeyValue {
  std::string key;
  std::string value;
};

/// Splits at the first '='; throws UsageError, naming the option, when there is none or no key.
KeyValue parseKeyValue(const std::string& text, const std::string& option);

/// The index of `name` in `names`, or a UsageError that lists the near ones; `what` says what the
/// names are: "friction model".
int chooseName(const std::string& what, const std::string& name,
               std::span<const std::string> names);

FrictionModel chooseFrictionModel(const std::string& name);
Integrator chooseIntegrator(const std::string& name);
/// Throws UsageError with near names for a preset that there is not.
void checkPreset(const std::string& name);

/// Whether a command lets the CPU twin run in the place of a solver that cannot run here.
enum class TwinUse {
  kWillDo,   ///< `--fallback` was given
  kOffered,  ///< it would have to be
  kNone,     ///< the command has no such option, or what was asked for excludes it
};

/// Why a solver cannot run here, and what can in its place; empty: it can, or its CPU twin will do
/// and there is one.
std::string whyNotHere(const SolverTraits& traits, TwinUse use);

/// Throws UsageError with near names unless the registry has the solver, and NoDeviceError when it
/// cannot run here; not so where its CPU twin is to take its place.
void requireSolver(const SolverRegistry& registry, const std::string& name,
                   TwinUse use = TwinUse::kNone);

/// All settings of a solver, in the order that the solver lists them, after `settings` were applied
/// in order. Throws InputError, with near names, for one that it does not take.
std::vector<SettingDescription> effectiveSettings(const SolverRegistry& registry,
                                                  const std::string& solver,
                                                  std::span<const SolverSetting> settings);

/// The parts of a text between separators, empty ones included.
std::vector<std::string> split(const std::string& text, char separator);

/// The words with the separator between them.
std::string joined(std::span<const std::string> words, std::string_view separator = ", ");

/// Text of a setting's value: `true`, `12`, `1e-06`, `natural_map`.
std::string settingText(const SettingValue& value);

constexpr Real kLeastTime = 1e-15;       // [s] as the scene file has it
constexpr Real kLongestTimestep = 1000;  // [s] as the scene file has it

/// The options that say how a scene is simulated, but not for how long.
void addSceneOptions(CLI::App& app, SimulationOptions& options);

}  // namespace drystone::cli
