#include "viewer/app/interface.h"

#include <imgui.h>

#include <algorithm>

namespace drystone::viewer {
namespace {

constexpr float kLeastView = 240;                 // width that the bars leave to the scene [points]
constexpr float kLeastBar = 220, kMostBar = 600;  // [points]

struct Bars {
  float left = 0, right = 0, foot = 0;  ///< [pixels]
};

/// Bars that leave the scene no room are left out, the right one first.
Bars barsOf(const AppState& app) {
  Bars bars;
  if (!app.layout.panels) return bars;
  const float width = ImGui::GetIO().DisplaySize.x;
  bars.foot = TransportBar::height(app);
  const float left = app.layout.left * app.scale, right = app.layout.right * app.scale;
  const float room = width - kLeastView * app.scale;
  if (left <= room) bars.left = left;
  if (left + right <= room) bars.right = right;
  return bars;
}

}  // namespace

void Interface::place(AppState& app) const {
  const ImVec2 window = ImGui::GetIO().DisplaySize;
  const Bars bars = barsOf(app);
  app.view = {bars.left, 0, std::max(window.x - bars.left - bars.right, 1.0f),
              std::max(window.y - bars.foot, 1.0f)};
}

void Interface::drawSideBar(AppState& app, bool isLeft) {
  const ImVec2 window = ImGui::GetIO().DisplaySize;
  const Bars bars = barsOf(app);
  const float width = isLeft ? bars.left : bars.right;
  if (width == 0) return;
  const float height = window.y - bars.foot;
  ImGui::SetNextWindowPos({isLeft ? 0 : window.x - width, 0});
  ImGui::SetNextWindowSize({width, height}, ImGuiCond_Once);
  ImGui::SetNextWindowSizeConstraints({kLeastBar * app.scale, height},
                                      {kMostBar * app.scale, height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::Begin(isLeft ? "left" : "right", nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoCollapse |
                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNav);
  ImGui::PopStyleVar();
  (isLeft ? app.layout.left : app.layout.right) = ImGui::GetWindowWidth() / app.scale;
  for (const Section& section : sections_) {
    if (section.isLeft != isLeft) continue;
    const bool wasOpen = app.layout.isOpen(section.key, section.open);
    ImGui::SetNextItemOpen(wasOpen);
    ImGui::PushFont(app.bold);
    const bool isOpen = ImGui::CollapsingHeader(section.title);
    ImGui::PopFont();
    if (isOpen != wasOpen) app.layout.open[section.key] = isOpen;
    if (!isOpen) continue;
    ImGui::PushID(section.key);
    section.draw(app);
    ImGui::PopID();
    ImGui::Spacing();
  }
  ImGui::End();
}

void Interface::draw(AppState& app) {
  if (app.layout.panels) {
    drawSideBar(app, true);
    drawSideBar(app, false);
    transport_.draw(app);
    drawOverlay(app);
  }
  race_.draw(app);
  drawHelp(app);
  mouse_.update(app);
}

}  // namespace drystone::viewer
