#include "apps/support/solver_registry.h"

#include <algorithm>

#include <fmt/format.h>

#include "apps/support/command_line.h"
#include "apps/support/log.h"
#include "gpu/gpu_solvers.h"
#include "solvers/default_registry.h"

namespace drystone::cli {

SolverRegistry makeRegistry() {
  SolverRegistry registry = makeDefaultRegistry();
  gpu::addGpuSolvers(registry);
  return registry;
}

namespace {

const SettingDescription* find(const std::vector<SettingDescription>& settings,
                               std::string_view name) {
  const auto found =
      std::find_if(settings.begin(), settings.end(),
                   [name](const SettingDescription& one) { return one.name == name; });
  return found == settings.end() ? nullptr : &*found;
}

/// Settings of `from` that `to` has too with another value.
std::vector<SolverSetting> sharedSettings(ContactSolver& from, ContactSolver& to) {
  const std::vector<SettingDescription> known = describeSettings(to);
  std::vector<SolverSetting> shared;
  for (const SettingDescription& setting : describeSettings(from)) {
    const SettingDescription* own = find(known, setting.name);
    if (own != nullptr && settingText(own->value) != settingText(setting.value)) {
      shared.push_back({setting.name, setting.value});
    }
  }
  return shared;
}

}  // namespace

ReplacedSolver replaceByCpuTwin(const SolverRegistry& registry, SolverChoice& choice) {
  if (!registry.contains(choice.name)) return {};
  const SolverTraits& traits = registry.traits(choice.name);
  if (traits.unavailable().empty() || traits.cpuTwin.empty()) return {};
  ReplacedSolver replaced{choice.name, std::string(traits.unavailable()), {}};
  const std::unique_ptr<ContactSolver> asked = registry.create(choice.name, choice.settings);
  const std::unique_ptr<ContactSolver> twin = registry.create(traits.cpuTwin);
  const std::vector<SettingDescription> known = describeSettings(*twin);
  for (const SolverSetting& setting : choice.settings) {
    if (find(known, setting.name) == nullptr) replaced.leftOut.push_back(setting);
  }
  choice.settings = sharedSettings(*asked, *twin);
  choice.name = traits.cpuTwin;
  choice.condensation = Condensation::kNever;  // a device gets problems as they are
  return replaced;
}

std::string ReplacedSolver::text(std::string_view twin) const {
  const std::string instead = fmt::format("in place of {}: {}", name, reason);
  std::vector<std::string> words;
  for (const SolverSetting& setting : leftOut) {
    words.push_back(fmt::format("{}={}", setting.name, settingText(setting.value)));
  }
  if (words.empty()) return instead;
  return fmt::format("{}; without {}: {} has no such setting", instead, joined(words), twin);
}

void logReplacement(const ReplacedSolver& replaced, std::string_view twin) {
  if (replaced.name.empty()) return;
  logInfo(fmt::format("--fallback: {} runs {}", twin, replaced.text(twin)));
}

void copySharedSettings(ContactSolver& from, ContactSolver& to) {
  for (const SolverSetting& setting : sharedSettings(from, to)) {
    applySetting(to, setting.name, setting.value);
  }
}

}  // namespace drystone::cli
