#include "apps/support/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "apps/support/option_checks.h"
#include "apps/support/program.h"
#include "core/wording.h"
#include "engine/model/solver_presets.h"

namespace drystone::cli {

KeyValue parseKeyValue(const std::string& text, const std::string& option) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw UsageError(fmt::format("{} needs key=value, got '{}'", option, text));
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

int chooseName(const std::string& what, const std::string& name,
               std::span<const std::string> names) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    throw UsageError(fmt::format("there is no {} '{}'; {}", what, name, didYouMean(name, names)));
  }
  return static_cast<int>(found - names.begin());
}

FrictionModel chooseFrictionModel(const std::string& name) {
  std::vector<std::string> names;
  for (int i = 0; i < kFrictionModelCount; ++i) {
    names.emplace_back(frictionModelName(static_cast<FrictionModel>(i)));
  }
  return static_cast<FrictionModel>(chooseName("friction model", name, names));
}

void checkPreset(const std::string& name) {
  std::vector<std::string> names;
  for (const SolverPreset& preset : kSolverPresets) names.emplace_back(preset.name);
  chooseName("preset", name, names);
}

Integrator chooseIntegrator(const std::string& name) {
  constexpr std::array kAll = {Integrator::kSemiImplicitEuler, Integrator::kMoreau};
  std::vector<std::string> names;
  for (const Integrator integrator : kAll) names.emplace_back(integratorName(integrator));
  return kAll[static_cast<std::size_t>(chooseName("integrator", name, names))];
}

std::string whyNotHere(const SolverTraits& traits, TwinUse use) {
  const std::string reason(traits.unavailable());
  const bool hasTwin = !traits.cpuTwin.empty();
  if (reason.empty() || (use == TwinUse::kWillDo && hasTwin)) return "";
  if (use == TwinUse::kNone) {
    return fmt::format("{}; take {}", reason, hasTwin ? traits.cpuTwin : traits.cpuNearest);
  }
  if (hasTwin) return fmt::format("{}; --fallback runs {} in its place", reason, traits.cpuTwin);
  return fmt::format("{}; it has no CPU twin that --fallback could run: take {}", reason,
                     traits.cpuNearest);
}

void requireSolver(const SolverRegistry& registry, const std::string& name, TwinUse use) {
  chooseName("solver", name, registry.names());
  const std::string reason = whyNotHere(registry.traits(name), use);
  if (reason.empty()) return;
  throw NoDeviceError(fmt::format("solver '{}' cannot run here: {}", name, reason));
}

std::vector<SettingDescription> effectiveSettings(const SolverRegistry& registry,
                                                  const std::string& solver,
                                                  std::span<const SolverSetting> settings) {
  return describeSettings(*registry.create(solver, settings));
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

std::string joined(std::span<const std::string> words, std::string_view separator) {
  return fmt::format("{}", fmt::join(words, separator));
}

std::string settingText(const SettingValue& value) {
  if (const auto* real = std::get_if<Real>(&value); real && *real >= kUnlimited) return "none";
  return std::visit([](const auto& alternative) { return fmt::format("{}", alternative); }, value);
}

void addSceneOptions(CLI::App& app, SimulationOptions& options) {
  app.add_option("--solver", options.solver, "Contact solver (`drystone list solvers`)")
      ->type_name("NAME")
      ->transform(notEmpty());
  app.add_flag("--fallback", options.fallback,
               "Where the solver needs a device that is not here, run its CPU twin");
  app.add_option(
         "--set", options.sets,
         "Change a value, repeatable: the budget (tolerance=1e-8, budget_ms=5), a setting of the "
         "solver (relaxation=0.9), a parameter of the scene (scene.NAME=2), a place in the scene "
         "file (world.timestep=0.001)")
      ->type_name("KEY=VALUE")
      ->transform(notEmpty())
      ->allow_extra_args(false);
  app.add_option("--preset", options.preset,
                 "Tolerance and limits: exact, robust or realtime; --set wins over it")
      ->type_name("NAME")
      ->transform(notEmpty());
  app.add_option("--friction", options.friction,
                 "Friction model: none, box, pyramid, diamond, cone, contensou or rolling")
      ->type_name("MODEL")
      ->transform(notEmpty());
  app.add_option("--integrator", options.integrator, "semi_implicit_euler or moreau")
      ->type_name("NAME")
      ->transform(notEmpty());
  app.add_option("--dt", options.timestep, "Timestep [s]")
      ->type_name("S")
      ->transform(realNumber(kLeastTime, kLongestTimestep, "s"));
  app.add_option("--threads", options.threads, "Threads; the result does not depend on them")
      ->type_name("N")
      ->transform(wholeNumber(1, kMostThreads));
  app.add_option("--seed", options.seed, "Seed of the scene's random fill")
      ->type_name("N")
      ->transform(wholeNumber(0));
}

}  // namespace drystone::cli
