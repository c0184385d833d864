#include "scenes/scene_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/json_text.h"

namespace drystone {

bool isBudgetKey(std::string_view key) {
  return std::find(kBudgetKeys.begin(), kBudgetKeys.end(), key) != kBudgetKeys.end();
}

std::optional<std::string> solverSetting(const std::string& key) {
  constexpr std::string_view kSolverPrefix = "solver.";
  constexpr std::string_view kSettingsPrefix = "solver.settings.";
  constexpr std::array<std::string_view, 5> kOwnKeys = {"name", "fallback", "policy", "condense",
                                                        "preset"};
  if (isBudgetKey(key)) return std::nullopt;
  if (key.find('.') == std::string::npos) return key;
  if (key.starts_with(kSettingsPrefix)) return key.substr(kSettingsPrefix.size());
  if (!key.starts_with(kSolverPrefix)) return std::nullopt;
  const std::string name = key.substr(kSolverPrefix.size());
  const bool isOwn = std::find(kOwnKeys.begin(), kOwnKeys.end(), name) != kOwnKeys.end();
  if (isOwn || isBudgetKey(name)) return std::nullopt;
  return name;
}

std::vector<ParameterOverride> seedOverrides(const SceneSource& scene, std::int64_t seed) {
  const auto file = nlohmann::json::parse(plainJson(scene.text));
  const std::string value = fmt::format("{}", seed);
  if (file.contains("parameters") && file["parameters"].contains("seed")) {
    return {{"scene.seed", value}};
  }
  std::vector<ParameterOverride> overrides;
  if (!file.contains("generators")) return overrides;
  for (std::size_t i = 0; i < file["generators"].size(); ++i) {
    if (file["generators"][i].value("type", "") != "random_fill") continue;
    overrides.push_back({fmt::format("generators.{}.seed", i), value});
  }
  return overrides;
}

}  // namespace drystone
