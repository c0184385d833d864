#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <utility>

#include "viewer/app/app_state.h"
#include "viewer/app/panels/windows.h"
#include "viewer/app/plot_axis.h"
#include "viewer/app/style.h"
#include "viewer/scene/color_map.h"
#include "viewer/scene/draw_contacts.h"
#include "viewer/scene/palette.h"

namespace drystone::viewer {
namespace {

constexpr std::chrono::seconds kNewsTime{5};

ImU32 packed(const Color& color) {
  return ImGui::ColorConvertFloat4ToU32({color.red, color.green, color.blue, 1});
}

/// Text on a plate that keeps it readable on any scene.
void plate(const ImVec2& at, const std::string& text, ImU32 color) {
  ImDrawList& draw = *ImGui::GetBackgroundDrawList();
  const ImVec2 size = ImGui::CalcTextSize(text.c_str());
  const float pad = 0.35f * ImGui::GetFontSize();
  draw.AddRectFilled({at.x - pad, at.y - 0.6f * pad},
                     {at.x + size.x + pad, at.y + size.y + 0.6f * pad},
                     IM_COL32(255, 255, 255, 205), pad);
  draw.AddText(at, color, text.c_str());
}

void drawHeading(const AppState& app) {
  const float font = ImGui::GetFontSize();
  const StepReport& report = app.frame->report;
  const ImU32 text = ImGui::GetColorU32(ImGuiCol_Text);
  const float x = app.view.x + 0.9f * font;
  float y = app.view.y + 0.7f * font;
  plate({x, y},
        fmt::format("{}   {}   {}", app.frame->scene->name, app.frame->solver,
                    frictionModelName(app.frame->friction)),
        text);
  y += 1.6f * font;
  if (app.frame->isStepDone) {
    plate({x, y},
          fmt::format("solved to {} m/s{}", shortNumber(report.naturalMap),
                      report.withinTolerance ? "" : ", misses the tolerance"),
          ImGui::ColorConvertFloat4ToU32(report.withinTolerance ? kTextGood : kTextBad));
    y += 1.6f * font;
  }
  if (app.recordingVideo) {
    plate({x, y}, "recording video (V ends it)", ImGui::ColorConvertFloat4ToU32(kTextBad));
  }
}

void drawNews(const AppState& app) {
  if (!isNewsShown(app)) return;
  const LogLine& line = app.log.back();
  const float font = ImGui::GetFontSize();
  std::string text = line.text.substr(0, line.text.find('\n'));
  const auto fits = static_cast<std::size_t>(std::max(8.0f, app.view.width / (0.58f * font)));
  if (text.size() > fits) text = text.substr(0, fits - 3) + "...";
  plate({app.view.x + 0.9f * font, app.view.y + app.view.height - 1.9f * font}, text,
        line.kind == LogLine::Kind::kInfo ? ImGui::GetColorU32(ImGuiCol_Text)
                                          : ImGui::ColorConvertFloat4ToU32(kTextBad));
}

/// A color map with its decades, with the foot at `bottom`. Returns its top.
float drawMapLegend(const AppState& app, ColorMap map, const char* title, const PlotAxis& axis,
                    float bottom) {
  ImDrawList& draw = *ImGui::GetBackgroundDrawList();
  const float font = ImGui::GetFontSize();
  const float width = 13 * font, height = 0.8f * font;
  const ImVec2 at(app.view.x + app.view.width - width - 1.6f * font, bottom - 2.5f * font);
  draw.AddRectFilled({at.x - font, at.y - 1.5f * font}, {at.x + width + font, bottom},
                     IM_COL32(255, 255, 255, 205), 0.35f * font);
  const ImU32 text = ImGui::GetColorU32(ImGuiCol_Text);
  draw.AddText({at.x, at.y - 1.3f * font}, text, title);
  constexpr int kParts = 64;
  for (int i = 0; i < kParts; ++i) {
    const float x = at.x + width * static_cast<float>(i) / kParts;
    draw.AddRectFilled({x, at.y}, {x + width / kParts + 1, at.y + height},
                       packed(mapColor(map, (i + 0.5) / kParts)));
  }
  for (const PlotTick& tick : plotTicks(axis, 4)) {
    const float x = at.x + width * static_cast<float>(axis.position(tick.value));
    const float label = ImGui::CalcTextSize(tick.label.c_str()).x;
    draw.AddLine({x, at.y + height}, {x, at.y + height + 0.25f * font}, text);
    draw.AddText({std::clamp(x - label / 2, at.x - 0.8f * font, at.x + width + 0.8f * font - label),
                  at.y + height + 0.3f * font},
                 text, tick.label.c_str());
  }
  return at.y - 1.5f * font;
}

/// The four states of a contact with their colors, as the color map above.
float drawStateLegend(const AppState& app, float bottom) {
  constexpr std::pair<ContactState, const char*> kStates[] = {
      {ContactState::kStick, "sticks"},
      {ContactState::kSlip, "slips"},
      {ContactState::kOpen, "open"},
      {ContactState::kViolating, "outside the cone"}};
  ImDrawList& draw = *ImGui::GetBackgroundDrawList();
  const float font = ImGui::GetFontSize();
  const ImVec2 size(10.5f * font, 5.6f * font);
  const ImVec2 at(app.view.x + app.view.width - size.x - 0.6f * font, bottom - size.y);
  draw.AddRectFilled(at, {at.x + size.x, at.y + size.y}, IM_COL32(255, 255, 255, 205),
                     0.35f * font);
  float y = at.y + 0.4f * font;
  for (const auto& [state, name] : kStates) {
    draw.AddCircleFilled({at.x + 0.8f * font, y + 0.5f * font}, 0.35f * font,
                         packed(stateColor(state)));
    draw.AddText({at.x + 1.6f * font, y}, ImGui::GetColorU32(ImGuiCol_Text), name);
    y += 1.25f * font;
  }
  return at.y;
}

}  // namespace

bool isNewsShown(const AppState& app) {
  return !app.log.empty() && std::chrono::steady_clock::now() - app.newestLogTime <= kNewsTime;
}

void drawOverlay(AppState& app) {
  drawHeading(app);
  drawNews(app);
  const DrawOptions options = app.drawn();
  const bool contactsShown =
      options.contactPoints || options.contactNormals || options.impulses || options.cones;
  const float gap = 0.6f * ImGui::GetFontSize();
  float bottom = app.view.y + app.view.height - gap;
  if (contactsShown && options.contacts == ContactColoring::kResidual) {
    bottom = drawMapLegend(app, ColorMap::kViridis, "contact residual [m/s]",
                           {options.residualLow, options.residualHigh, true}, bottom) -
             gap;
  }
  if (contactsShown && options.contacts == ContactColoring::kState) {
    bottom = drawStateLegend(app, bottom) - gap;
  }
  if (options.bodies == BodyColoring::kSpeed) {
    drawMapLegend(app, ColorMap::kCividis, "speed [m/s]",
                  {options.speedLow, options.speedHigh, true}, bottom);
  }
}

}  // namespace drystone::viewer
