#include "viewer/window/panels/solver_settings.h"

#include <fmt/format.h>
#include <imgui.h>

#include <string>

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

}  // namespace

bool SolverSettingsEditor::draw(const SolverRegistry& registry, SolverChoice& choice) {
  solver_ = registry.create(choice.name);
  defaults_ = describeSettings(*solver_);
  for (const SolverSetting& setting : choice.settings) {
    applySetting(*solver_, setting.name, setting.value);
  }
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

}  // namespace drystone::viewer
