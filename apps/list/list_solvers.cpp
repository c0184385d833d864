#include "apps/list/lists.h"

#include <fmt/format.h>

#include <vector>

#include "apps/support/command_line.h"
#include "apps/support/json_values.h"
#include "apps/support/table.h"

namespace drystone::cli {
namespace {

std::vector<std::string> modelNames(const SolverTraits& traits) {
  std::vector<std::string> names;
  for (const FrictionModel model : traits.frictionModels) {
    names.emplace_back(frictionModelName(model));
  }
  return names;
}

std::string modelsText(const SolverTraits& traits) {
  return traits.frictionModels.size() == kFrictionModelCount ? "all six"
                                                             : joined(modelNames(traits));
}

std::string yesNo(bool value) { return value ? "yes" : "no"; }

std::string availability(const SolverTraits& traits) {
  return traits.unavailable().empty() ? "yes" : fmt::format("no: {}", traits.unavailable());
}

std::string nameText(const SolverTraits& traits) { return fmt::format("`{}`", traits.name); }

std::string notHere(const SolverTraits& traits) {
  return traits.unavailable().empty() ? "" : fmt::format(" (not here: {})", traits.unavailable());
}

std::string mainShelf(const SolverRegistry& registry) {
  Table table({{"solver"},
               {"when to take it"},
               {"what it is"},
               {"friction models"},
               {"exact"},
               {"parallel"}});
  for (const std::string& name : registry.names()) {
    const SolverTraits& traits = registry.traits(name);
    if (!traits.isOnMainShelf()) continue;
    table.addRow({nameText(traits), std::string(traits.whenToTake) + notHere(traits),
                  std::string(traits.summary), modelsText(traits), yesNo(traits.exact),
                  yesNo(traits.parallel)});
  }
  return table.markdown();
}

std::string referenceShelf(const SolverRegistry& registry) {
  Table table({{"solver"},
               {"what it is"},
               {"friction models"},
               {"joint rows"},
               {"exact"},
               {"parallel"},
               {"source"}});
  for (const std::string& name : registry.names()) {
    const SolverTraits& traits = registry.traits(name);
    if (traits.isOnMainShelf()) continue;
    table.addRow({nameText(traits), std::string(traits.summary) + notHere(traits),
                  modelsText(traits), yesNo(traits.handlesRows), yesNo(traits.exact),
                  yesNo(traits.parallel), std::string(traits.source)});
  }
  return table.markdown();
}

std::string settingsTable(const SolverRegistry& registry, const std::string& name) {
  Table table({{"setting"}, {"default"}, {"unit"}, {"range"}, {"what it is"}});
  for (const SettingDescription& setting : effectiveSettings(registry, name, {})) {
    table.addRow({fmt::format("`{}`", setting.name), settingText(setting.value), setting.unit,
                  setting.range, setting.help});
  }
  return table.markdown();
}

std::string details(const SolverRegistry& registry, const std::string& name) {
  const SolverTraits& traits = registry.traits(name);
  std::vector<std::string> forms;
  if (traits.takesBodyForm) forms.emplace_back("body");
  if (traits.takesAssembledForm) forms.emplace_back("assembled");
  Table table({{"solver"}, {name}});
  table.addRow({"what it is", std::string(traits.summary)});
  if (traits.isOnMainShelf()) table.addRow({"when to take it", std::string(traits.whenToTake)});
  table.addRow({"source", std::string(traits.source)});
  table.addRow({"friction models", modelsText(traits)});
  table.addRow({"problem forms", joined(forms)});
  table.addRow({"joint rows", yesNo(traits.handlesRows)});
  table.addRow({"exact", yesNo(traits.exact)});
  table.addRow({"deterministic", yesNo(traits.deterministic)});
  table.addRow({"parallel", yesNo(traits.parallel)});
  table.addRow({"can run here", availability(traits)});
  return table.markdown() + "\n" + settingsTable(registry, name);
}

Json solverJson(const SolverRegistry& registry, const std::string& name) {
  const SolverTraits& traits = registry.traits(name);
  Json settings = Json::array();
  for (const SettingDescription& setting : effectiveSettings(registry, name, {})) {
    settings.push_back({{"name", setting.name},
                        {"default", settingToJson(setting.value)},
                        {"unit", setting.unit},
                        {"range", setting.range},
                        {"help", setting.help}});
  }
  return {{"name", name},
          {"summary", traits.summary},
          {"shelf", traits.isOnMainShelf() ? "main" : "reference"},
          {"when_to_take", traits.whenToTake},
          {"source", traits.source},
          {"friction_models", modelNames(traits)},
          {"joint_rows", traits.handlesRows},
          {"body_form", traits.takesBodyForm},
          {"assembled_form", traits.takesAssembledForm},
          {"exact", traits.exact},
          {"deterministic", traits.deterministic},
          {"parallel", traits.parallel},
          {"available", traits.unavailable().empty()},
          {"reason", traits.unavailable()},
          {"settings", settings}};
}

}  // namespace

std::string solverList(const SolverRegistry& registry, const std::string& name,
                       const SolverListOptions& options) {
  if (!name.empty()) chooseName("solver", name, registry.names());
  if (options.json) {
    Json array = Json::array();
    for (const std::string& one : registry.names()) {
      if (name.empty() || name == one) array.push_back(solverJson(registry, one));
    }
    return jsonText(array);
  }
  if (!name.empty()) return details(registry, name);
  if (!options.settings) {
    return options.reference ? referenceShelf(registry) : mainShelf(registry);
  }
  std::string text;
  for (const std::string& one : registry.names()) {
    if (options.reference && registry.traits(one).isOnMainShelf()) continue;
    text +=
        fmt::format("{}`{}`\n\n{}", text.empty() ? "" : "\n", one, settingsTable(registry, one));
  }
  return text;
}

}  // namespace drystone::cli
