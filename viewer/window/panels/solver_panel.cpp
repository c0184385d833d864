#include <fmt/format.h>
#include <imgui.h>

#include <string>

#include "viewer/window/app_state.h"
#include "viewer/window/panels/section.h"
#include "viewer/window/panels/solver_settings.h"
#include "viewer/window/style.h"
#include "viewer/window/widgets.h"

namespace drystone::viewer {
namespace {

constexpr NumberRange kTolerances = {
    .low = 1e-12, .high = 1, .usual = SolveOptions().tolerance, .unit = "m/s"};

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
    dimText(std::string(traits.source));
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
    SolveOptions& options = choice_.options;
    label("judged tolerance", "natural map of a step that counts as solved [m/s]");
    ImGui::PushID("tolerance");
    bool changed = numberField(options.tolerance, kTolerances) != NumberEdit::kNone;
    ImGui::PopID();
    label("where it is missed", "keep the answer, try the second solver, or end the run");
    const char* policies[] = {"keep the best", "second solver", "stop"};
    int policy = static_cast<int>(options.policy);
    if (ImGui::Combo("##policy", &policy, policies, 3)) {
      options.policy = static_cast<FailurePolicy>(policy);
      if (options.policy == FailurePolicy::kFallback && choice_.fallback.empty()) {
        choice_.fallback = firstOther(app);
      }
      changed = true;
    }
    if (options.policy == FailurePolicy::kFallback) changed = drawFallback(app) || changed;
    ImGui::EndTable();
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
