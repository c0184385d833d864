#include "viewer/window/number_field.h"

#include <fmt/format.h>
#include <imgui.h>

#include <cmath>
#include <string>

#include "viewer/window/slider_scale.h"
#include "viewer/window/widgets.h"

namespace drystone::viewer {

NumberEdit numberField(Real& value, const NumberRange& range) {
  const SliderScale scale(range.low, range.high, range.usual, range.whole);
  auto position = static_cast<float>(scale.position(value));
  std::string text = settingNumber(value);
  if (!range.unit.empty() && text != "none" && range.unit.find(' ') == std::string_view::npos) {
    text += " " + std::string(range.unit);
  }
  NumberEdit edit = NumberEdit::kNone;
  ImGui::SetNextItemWidth(-1);
  if (ImGui::SliderFloat("##value", &position, 0, 1, text.c_str(), ImGuiSliderFlags_NoInput)) {
    value = scale.value(position);
    edit = NumberEdit::kMoving;
  }
  if (ImGui::IsItemDeactivatedAfterEdit()) edit = NumberEdit::kDone;
  tooltip("Right click: type a value, or go back to the default");
  if (!ImGui::BeginPopupContextItem("exact")) return edit;
  double typed = value;
  ImGui::SetNextItemWidth(9 * ImGui::GetFontSize());
  if (ImGui::InputDouble("##typed", &typed, 0, 0, "%.9g", ImGuiInputTextFlags_EnterReturnsTrue) &&
      typed >= range.low && typed <= range.high && (!range.whole || typed == std::round(typed))) {
    value = typed;
    edit = NumberEdit::kDone;
    ImGui::CloseCurrentPopup();
  }
  if (ImGui::Selectable(fmt::format("default: {}", settingNumber(range.usual)).c_str())) {
    value = range.usual;
    edit = NumberEdit::kDone;
  }
  ImGui::EndPopup();
  return edit;
}

}  // namespace drystone::viewer
