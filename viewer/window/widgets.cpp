#include "viewer/window/widgets.h"

#include <cmath>
#include <string>

#include <fmt/format.h>
#include <imgui.h>

#include "viewer/window/slider_scale.h"
#include "viewer/window/style.h"

namespace drystone::viewer {

bool beginFigures(const char* id, float valueShare) {
  // Columns that follow their texts are a picture late, and cut what just came.
  if (!ImGui::BeginTable(id, 2, ImGuiTableFlags_RowBg)) return false;
  ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthStretch, 1 - valueShare);
  ImGui::TableSetupColumn("value", ImGuiTableColumnFlags_WidthStretch, valueShare);
  return true;
}

void figure(const char* name, const std::string& value, const char* help) {
  figure(name, value, ImGui::GetStyleColorVec4(ImGuiCol_Text), help);
}

void figure(const char* name, const std::string& value, const ImVec4& color, const char* help) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(name);
  if (*help != 0) tooltip(help);
  ImGui::TableNextColumn();
  ImGui::PushStyleColor(ImGuiCol_Text, color);
  ImGui::TextUnformatted(value.c_str());
  ImGui::PopStyleColor();
  if (*help != 0) tooltip(help);
}

void unknownFigure(const char* name, const char* why) { figure(name, kNotKnown, kTextDim, why); }

void endFigures() { ImGui::EndTable(); }

void dimText(const std::string& text) {
  ImGui::PushStyleColor(ImGuiCol_Text, kTextDim);
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
}

void tooltip(const std::string& text) {
  if (!ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled) || text.empty()) return;
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(24 * ImGui::GetFontSize());
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

void tooltipAbove(const std::string& text) {
  if (!ImGui::IsItemHovered()) return;
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  const float foot = low.y - 0.5f * ImGui::GetFontSize();
  // Into the window from either end of the row.
  if (low.x + high.x > ImGui::GetIO().DisplaySize.x) {
    ImGui::SetNextWindowPos({high.x, foot}, ImGuiCond_Always, {1, 1});
  } else {
    ImGui::SetNextWindowPos({low.x, foot}, ImGuiCond_Always, {0, 1});
  }
  tooltip(text);
}

float iconButtonSide() { return 1.9f * ImGui::GetFontSize(); }

bool iconButton(const char* id, Icon icon, const char* help) {
  const float side = iconButtonSide();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::PushID(id);
  const bool pressed = ImGui::Button("##icon", {side, side});
  ImGui::PopID();
  tooltip(help);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImU32 color = ImGui::GetColorU32(ImGuiCol_Text);
  const ImVec2 middle(at.x + side / 2, at.y + side / 2);
  const float r = 0.22f * side;
  // Triangles to the right (sign 1) or left, with a bar before or behind them.
  const auto triangle = [&](float x, float sign) {
    const ImVec2 a(x - sign * 0.8f * r, middle.y - r), b(x + sign * r, middle.y);
    const ImVec2 c(x - sign * 0.8f * r, middle.y + r);
    if (sign > 0) {
      draw.AddTriangleFilled(a, b, c, color);
    } else {
      draw.AddTriangleFilled(a, c, b, color);
    }
  };
  const auto bar = [&](float x, float width) {
    draw.AddRectFilled({x - width / 2, middle.y - r}, {x + width / 2, middle.y + r}, color);
  };
  switch (icon) {
    case Icon::kPlay:
      triangle(middle.x, 1);
      break;
    case Icon::kPause:
      bar(middle.x - 0.55f * r, 0.6f * r);
      bar(middle.x + 0.55f * r, 0.6f * r);
      break;
    case Icon::kNext:
      triangle(middle.x - 0.2f * r, 1);
      bar(middle.x + 1.1f * r, 0.4f * r);
      break;
    case Icon::kPrevious:
      triangle(middle.x + 0.2f * r, -1);
      bar(middle.x - 1.1f * r, 0.4f * r);
      break;
    case Icon::kStart:
      triangle(middle.x - 0.35f * r, -1);
      triangle(middle.x + 1.15f * r, -1);
      bar(middle.x - 1.6f * r, 0.4f * r);
      break;
  }
  return pressed;
}

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
