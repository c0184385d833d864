#include "apps/cpu_twin.h"

#include <fmt/format.h>

#include <algorithm>

#include "apps/command_line.h"

namespace drystone::cli {
namespace {

/// Settings of `from` that `to` has too with another value.
std::vector<SolverSetting> sharedSettings(ContactSolver& from, ContactSolver& to) {
  const std::vector<SettingDescription> known = describeSettings(to);
  std::vector<SolverSetting> shared;
  for (const SettingDescription& setting : describeSettings(from)) {
    const auto own = std::find_if(known.begin(), known.end(), [&](const SettingDescription& one) {
      return one.name == setting.name && settingText(one.value) != settingText(setting.value);
    });
    if (own != known.end()) shared.push_back({setting.name, setting.value});
  }
  return shared;
}

}  // namespace

std::string replaceByCpuTwin(const SolverRegistry& registry, SolverChoice& choice) {
  if (!registry.contains(choice.name)) return "";
  const SolverTraits& traits = registry.traits(choice.name);
  if (traits.unavailable().empty() || traits.cpuTwin.empty()) return "";
  const std::unique_ptr<ContactSolver> asked = registry.create(choice.name);
  for (const SolverSetting& setting : choice.settings) {
    applySetting(*asked, setting.name, setting.value);
  }
  const std::unique_ptr<ContactSolver> twin = registry.create(traits.cpuTwin);
  choice.settings = sharedSettings(*asked, *twin);
  choice.standsFor = choice.name;
  choice.name = traits.cpuTwin;
  return fmt::format("--fallback: {} runs in place of {}: {}", choice.name, choice.standsFor,
                     traits.unavailable());
}

void copySharedSettings(ContactSolver& from, ContactSolver& to) {
  for (const SolverSetting& setting : sharedSettings(from, to)) {
    applySetting(to, setting.name, setting.value);
  }
}

}  // namespace drystone::cli
