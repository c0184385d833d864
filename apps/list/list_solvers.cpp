#include "apps/list/lists.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <vector>

#include "apps/support/command_line.h"
#include "apps/support/json_values.h"
#include "apps/support/table.h"
#include "scenes/scene_reader.h"

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
  std::vector<std::string> missing;
  for (int i = 0; i < kFrictionModelCount; ++i) {
    const auto model = static_cast<FrictionModel>(i);
    if (!traits.supports(model)) missing.emplace_back(frictionModelName(model));
  }
  if (missing.empty()) return "all";
  return missing.size() == 1 ? "all but " + missing[0] : joined(modelNames(traits));
}

std::string formsText(const SolverTraits& traits) {
  std::vector<std::string> forms;
  if (traits.takesBodyForm) forms.emplace_back("body");
  if (traits.takesAssembledForm) forms.emplace_back("assembled");
  return joined(forms);
}

std::string yesNo(bool value) { return value ? "yes" : "no"; }

/// Something to say of a solver: a column where a table has many, a row where it has one.
struct Fact {
  const char* title;
  std::string (*text)(const SolverTraits& traits);
};

using Traits = const SolverTraits&;
constexpr Fact kWhen = {"when to take it", [](Traits t) { return std::string(t.whenToTake); }};
constexpr Fact kSummary = {"what it is", [](Traits t) { return std::string(t.summary); }};
constexpr Fact kSource = {"source", [](Traits t) { return std::string(t.source); }};
constexpr Fact kModels = {"friction models", modelsText};
constexpr Fact kForms = {"problem forms", formsText};
constexpr Fact kJointRows = {"joint rows", [](Traits t) { return yesNo(t.handlesRows); }};
constexpr Fact kIterations = {"most iterations, by default",
                              [](Traits t) { return fmt::format("{}", t.iterations); }};
constexpr Fact kLaw = {
    "friction law", [](Traits t) { return std::string(t.relaxesFriction ? "relaxed" : "exact"); }};
constexpr Fact kEnd = {
    "ends at", [](Traits t) { return std::string(t.endsAtRoundOff ? "round-off" : "tolerance"); }};
constexpr Fact kDeterministic = {"deterministic", [](Traits t) { return yesNo(t.deterministic); }};
constexpr Fact kParallel = {"parallel", [](Traits t) { return yesNo(t.parallel); }};

/// All solvers of a shelf, a row each; the first fact says as well where one cannot run here.
std::string shelf(const SolverRegistry& registry, bool isMain, const std::vector<Fact>& facts) {
  std::vector<Table::Column> columns = {{"solver"}};
  for (const Fact& fact : facts) columns.push_back({fact.title});
  Table table(columns);
  for (const std::string& name : registry.names()) {
    const SolverTraits& traits = registry.traits(name);
    if (traits.isOnMainShelf() != isMain) continue;
    std::vector<std::string> row = {fmt::format("`{}`", traits.name)};
    for (const Fact& fact : facts) row.push_back(fact.text(traits));
    const std::string_view reason = traits.unavailable();
    if (!reason.empty()) row[1] += fmt::format(" (not here: {})", reason);
    table.addRow(row);
  }
  // Several facts are asked for whole.
  return table.markdownForReaders(facts.size() > 1);
}

std::string settingsTable(const SolverRegistry& registry, const std::string& name) {
  const std::vector<SettingDescription> settings = effectiveSettings(registry, name, {});
  if (settings.empty()) {
    return fmt::format("no settings besides the budget: {}\n", fmt::join(kBudgetKeys, ", "));
  }
  Table table({{"setting"}, {"default"}, {"unit"}, {"range"}, {"what it is"}});
  for (const SettingDescription& setting : settings) {
    table.addRow({fmt::format("`{}`", setting.name), settingText(setting.value), setting.unit,
                  setting.range, setting.help});
  }
  return table.markdown();
}

std::string details(const SolverRegistry& registry, const std::string& name) {
  const SolverTraits& traits = registry.traits(name);
  std::vector<Fact> facts = {kSummary};
  if (traits.isOnMainShelf()) facts.push_back(kWhen);
  facts.insert(facts.end(), {kSource, kModels, kForms, kJointRows, kIterations, kLaw, kEnd,
                             kDeterministic, kParallel});
  Table table({{"solver"}, {name}});
  for (const Fact& fact : facts) table.addRow({fact.title, fact.text(traits)});
  const std::string_view reason = traits.unavailable();
  table.addRow({"can run here", reason.empty() ? "yes" : fmt::format("no: {}", reason)});
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
          {"max_iterations", traits.iterations},
          {"friction_law", kLaw.text(traits)},
          {"ends_at", kEnd.text(traits)},
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
    // On a terminal the columns that choose one.
    if (!options.isLong && isatty(STDOUT_FILENO) != 0) {
      return options.reference ? shelf(registry, false, {kSummary})
                               : shelf(registry, true, {kWhen});
    }
    return options.reference
               ? shelf(registry, false,
                       {kSummary, kModels, kJointRows, kLaw, kEnd, kParallel, kSource})
               : shelf(registry, true, {kWhen, kSummary, kModels, kLaw, kEnd, kParallel});
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
