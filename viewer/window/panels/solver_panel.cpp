#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "engine/model/solver_presets.h"
#include "viewer/window/app_state.h"
#include "viewer/window/panels/section.h"
#include "viewer/window/style.h"
#include "viewer/window/widgets.h"

namespace drystone::viewer {
namespace {

Real numberOf(const SettingValue& value) {
  if (const auto* real = std::get_if<Real>(&value)) return *real;
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<Real>(*integer);
  return 0;
}

/// Draws each field in a row of a table of two columns.
class SettingWidgets : public SettingVisitor {
 public:
  explicit SettingWidgets(const std::vector<SettingDescription>& defaults) : defaults_(defaults) {}

  void real(const SettingInfo& info, Real& value, Real low, Real high) override {
    const SettingDescription& byDefault = row(info);
    number(info, value, low, high, numberOf(byDefault.value), false);
    ImGui::PopID();
  }
  void integer(const SettingInfo& info, int& value, int low, int high) override {
    const SettingDescription& byDefault = row(info);
    Real real = value;
    number(info, real, low, high, numberOf(byDefault.value), true);
    value = static_cast<int>(real);
    ImGui::PopID();
  }
  void boolean(const SettingInfo& info, bool& value) override {
    row(info);
    changed = ImGui::Checkbox("##value", &value) || changed;
    ImGui::PopID();
  }
  void choice(const SettingInfo& info, int& value,
              std::span<const std::string_view> names) override {
    row(info);
    ImGui::SetNextItemWidth(-1);
    if (ImGui::BeginCombo("##value", std::string(names[static_cast<std::size_t>(value)]).c_str())) {
      for (int i = 0; i < static_cast<int>(names.size()); ++i) {
        const std::string name(names[static_cast<std::size_t>(i)]);
        if (!ImGui::Selectable(name.c_str(), i == value)) continue;
        changed = changed || i != value;
        value = i;
      }
      ImGui::EndCombo();
    }
    ImGui::PopID();
  }

  bool changed = false;

 private:
  /// Name in the left column; the field goes into the right one. Leaves an id to be popped.
  const SettingDescription& row(const SettingInfo& info) {
    const std::string name(info.name);
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::PushID(name.c_str());
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(name.c_str());
    const SettingDescription& byDefault = defaults_[next_++];
    tooltip(fmt::format("{}\n{}\n{}{}", name, info.help, byDefault.range,
                        info.unit.empty() ? "" : fmt::format(" [{}]", info.unit)));
    ImGui::TableNextColumn();
    return byDefault;
  }

  void number(const SettingInfo& info, Real& value, Real low, Real high, Real usual, bool whole) {
    const Real before = value;
    numberField(value,
                {.low = low, .high = high, .usual = usual, .whole = whole, .unit = info.unit});
    changed = changed || value != before;
  }

  const std::vector<SettingDescription>& defaults_;
  std::size_t next_ = 0;  ///< fields come in the order of the description
};

/// The settings of a solver as sliders, boxes and lists, made from what it lists of itself.
class SolverSettingsEditor {
 public:
  /// Shows the settings of the choice and changes them there. True: something was changed.
  bool draw(const SolverRegistry& registry, SolverChoice& choice);

 private:
  std::unique_ptr<ContactSolver> solver_;  ///< holds the values that are edited
  std::vector<SettingDescription> defaults_;
};

bool SolverSettingsEditor::draw(const SolverRegistry& registry, SolverChoice& choice) {
  solver_ = registry.create(choice.name, choice.settings);
  defaults_ = describeSettings(*registry.create(choice.name));
  SettingWidgets widgets(defaults_);
  if (!ImGui::BeginTable("settings", 2)) return false;
  ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthStretch, 1.15f);
  ImGui::TableSetupColumn("value", ImGuiTableColumnFlags_WidthStretch, 1);
  solver_->visitSettings(widgets);
  ImGui::EndTable();
  if (!widgets.changed) return false;
  choice.settings.clear();
  const std::vector<SettingDescription> now = describeSettings(*solver_);
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (now[i].value != defaults_[i].value) choice.settings.push_back({now[i].name, now[i].value});
  }
  return true;
}

constexpr NumberRange kTolerances = {
    .low = 1e-12, .high = 1, .usual = Budget().tolerance, .unit = "m/s"};

constexpr Real kMostIterations = 1e6;
constexpr NumberRange kStepTimes = {
    .low = 0.01, .high = kUnlimited, .usual = kUnlimited, .unit = "ms"};

class SolverPanel {
 public:
  void draw(AppState& app) {
    if (app.status.recording) {
      dimText(fmt::format("Recorded with {}.", app.frame->solver));
      return;
    }
    choice_ = app.solver;
    bool changed = drawPicker(app);
    const SolverTraits& traits = app.registry.traits(choice_.name);
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(std::string(traits.summary).c_str());
    ImGui::PopTextWrapPos();
    if (traits.source != "own") dimText(std::string(traits.source));
    dimText(fmt::format("Friction model of the scene: {}", frictionModelName(app.frame->friction)));
    ImGui::Separator();
    changed = drawOptions(app) || changed;
    ImGui::Separator();
    changed = editor_.draw(app.registry, choice_) || changed;
    if (changed) app.setSolver(choice_);
  }

 private:
  bool drawPicker(AppState& app) {
    ImGui::SetNextItemWidth(-1);
    if (!ImGui::BeginCombo("##solver", choice_.name.c_str(), ImGuiComboFlags_HeightLarge)) {
      return false;
    }
    bool changed = false;
    for (const std::string& name : app.registry.names()) {
      const std::string reason = app.whyUnsuitable(name);
      ImGui::BeginDisabled(!reason.empty());
      if (ImGui::Selectable(name.c_str(), name == choice_.name)) {
        choice_ = app.choiceOf(name);
        changed = true;
      }
      ImGui::EndDisabled();
      tooltip(reason.empty() ? std::string(app.registry.traits(name).summary)
                             : name + ": " + reason);
      if (!reason.empty()) {
        ImGui::SameLine();
        ImGui::TextDisabled("%s", reason.c_str());
      }
    }
    ImGui::EndCombo();
    return changed;
  }

  /// What the driver does around the solver.
  bool drawOptions(AppState& app) {
    if (!ImGui::BeginTable("options", 2)) return false;
    ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthStretch, 1.15f);
    ImGui::TableSetupColumn("value", ImGuiTableColumnFlags_WidthStretch, 1);
    bool changed = drawPreset(app);
    changed = drawBudget(app) || changed;
    label("where it is missed", "keep the answer, try the second solver, or end the run");
    const char* policies[] = {"keep the best", "second solver", "stop"};
    int policy = static_cast<int>(choice_.policy);
    if (ImGui::Combo("##policy", &policy, policies, 3)) {
      choice_.policy = static_cast<FailurePolicy>(policy);
      if (choice_.policy == FailurePolicy::kFallback && choice_.fallback.empty()) {
        choice_.fallback = firstOther(app);
      }
      changed = true;
    }
    if (choice_.policy == FailurePolicy::kFallback) changed = drawFallback(app) || changed;
    ImGui::EndTable();
    return changed;
  }

  bool drawPreset(const AppState& app) {
    const Real timestep = app.frame->scene->timestep;
    const SolverPreset* present = presetOf(choice_, timestep);
    label("preset", "tolerance and limits by one word");
    const std::string shown(present == nullptr ? "own values" : present->name);
    if (!ImGui::BeginCombo("##preset", shown.c_str())) return false;
    bool changed = false;
    for (const SolverPreset& preset : kSolverPresets) {
      if (ImGui::Selectable(std::string(preset.name).c_str(), &preset == present)) {
        applyPreset(preset, timestep, choice_);
        changed = true;
      }
      tooltip(std::string(preset.summary));
    }
    ImGui::EndCombo();
    return changed;
  }

  bool drawBudget(const AppState& app) {
    Budget& budget = choice_.budget;
    label("judged tolerance", "natural map of a step that counts as solved [m/s]");
    ImGui::PushID("tolerance");
    bool changed = numberField(budget.tolerance, kTolerances) != NumberEdit::kNone;
    ImGui::PopID();
    label("time of a step",
          "most time of all solves of a step; results then depend on the machine");
    Real stepMs = std::min(1e3 * choice_.stepSeconds, kUnlimited);
    ImGui::PushID("budget");
    if (numberField(stepMs, kStepTimes) != NumberEdit::kNone) {
      choice_.stepSeconds = stepMs < kUnlimited ? stepMs / 1e3 : kUnlimited;
      changed = true;
    }
    ImGui::PopID();
    label("most iterations", "sweeps, steps, pivots or rounds of a solve, as the solver counts");
    const int usual = app.registry.traits(choice_.name).iterations;
    Real most = budget.iterations.value_or(usual);
    ImGui::PushID("iterations");
    const NumberRange range{.high = kMostIterations, .usual = Real(usual), .whole = true};
    if (numberField(most, range) != NumberEdit::kNone) {
      budget.iterations = static_cast<int>(most);
      changed = true;
    }
    ImGui::PopID();
    return changed;
  }

  static void label(const char* text, const char* help) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(text);
    tooltip(help);
    ImGui::TableNextColumn();
    ImGui::SetNextItemWidth(-1);
  }

  std::string firstOther(const AppState& app) const {
    for (const std::string& name : app.registry.names()) {
      if (name != choice_.name && app.whyUnsuitable(name).empty()) return name;
    }
    return "";
  }

  bool drawFallback(AppState& app) {
    label("second solver", "runs where the first misses the tolerance or fails");
    if (!ImGui::BeginCombo("##fallback", choice_.fallback.c_str())) return false;
    bool changed = false;
    for (const std::string& name : app.registry.names()) {
      if (name == choice_.name || !app.whyUnsuitable(name).empty()) continue;
      if (!ImGui::Selectable(name.c_str(), name == choice_.fallback)) continue;
      choice_.fallback = name;
      changed = true;
    }
    ImGui::EndCombo();
    return changed;
  }

  SolverChoice choice_;  // as it is shown, and changed
  SolverSettingsEditor editor_;
};

}  // namespace

Section solverSection() {
  // Sections are copied, editors are not.
  return {"solver", "Solver", true, true,
          [panel = std::make_shared<SolverPanel>()](AppState& app) { panel->draw(app); }};
}

}  // namespace drystone::viewer
