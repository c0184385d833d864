#include "viewer/window/interface.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "viewer/window/actions.h"
#include "viewer/window/widgets.h"

namespace drystone::viewer {

SideBars Interface::bars(const AppState& app) {
  return sideBarsOf(app.layout, ImGui::GetIO().DisplaySize.x, app.scale);
}

void Interface::place(AppState& app) const {
  const ImVec2 window = ImGui::GetIO().DisplaySize;
  const SideBars side = bars(app);
  const float foot = app.layout.panels ? TransportBar::height(app) : 0;
  app.view = {side.left, 0, std::max(window.x - side.left - side.right, 1.0f),
              std::max(window.y - foot, 1.0f)};
}

/// The button that makes a strip of the bar, or a bar of the strip.
void Interface::drawFold(AppState& app, bool isLeft, bool isFolded) {
  // It points to where the edge goes.
  const ImGuiDir way = isLeft == isFolded ? ImGuiDir_Right : ImGuiDir_Left;
  if (isFolded) ImGui::SetCursorPosX((ImGui::GetWindowWidth() - ImGui::GetFrameHeight()) / 2);
  ImGui::PushStyleColor(ImGuiCol_Button, ImVec4(0, 0, 0, 0));
  if (ImGui::ArrowButton("fold", way)) {
    perform(isLeft ? ActionId::kFoldLeft : ActionId::kFoldRight, app);
  }
  ImGui::PopStyleColor();
  tooltip(fmt::format("{} this bar ({})", isFolded ? "open" : "fold", isLeft ? "1" : "2"));
  if (isFolded) return;
  ImGui::SameLine();
  dimText(isLeft ? "scene and solver" : "figures");
}

namespace {

/// Scrolls to the header that was just drawn, unless it is in the upper half of its bar.
void bringIntoView() {
  const float top = ImGui::GetItemRectMin().y - ImGui::GetWindowPos().y;
  if (top < 0 || top > 0.5f * ImGui::GetWindowHeight()) ImGui::SetScrollHereY(0);
}

}  // namespace

void Interface::drawSideBar(AppState& app, bool isLeft) {
  const ImVec2 window = ImGui::GetIO().DisplaySize;
  const SideBars side = bars(app);
  const float width = isLeft ? side.left : side.right;
  if (width == 0) return;
  const float height = window.y - TransportBar::height(app);
  ImGui::SetNextWindowPos({isLeft ? 0 : window.x - width, 0});
  ImGui::SetNextWindowSize({width, height});
  const bool isFolded = isLeft ? side.isLeftFolded : side.isRightFolded;
  if (!isFolded) {
    ImGui::SetNextWindowSizeConstraints({side.leastWidth, height},
                                        {isLeft ? side.mostLeft : side.mostRight, height});
  }
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::Begin(isLeft ? "left" : "right", nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoCollapse |
                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNav |
                   (isFolded ? ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoScrollbar : 0));
  ImGui::PopStyleVar();
  drawFold(app, isLeft, isFolded);
  if (isFolded) {
    ImGui::End();
    return;
  }
  if (ImGui::GetWindowWidth() != width) {
    // An edge is dragged: both stay as they are seen, but for that.
    app.layout.left = side.left / app.scale;
    if (!side.isOne) app.layout.right = side.right / app.scale;
    (isLeft ? app.layout.left : app.layout.right) = ImGui::GetWindowWidth() / app.scale;
  }
  for (const Section& section : sections_) {
    if (!side.isOne && section.isLeft != isLeft) continue;
    const bool wasOpen = app.layout.isOpen(section.key, section.open);
    ImGui::SetNextItemOpen(wasOpen);
    ImGui::PushFont(app.bold);
    const bool isOpen = ImGui::CollapsingHeader(section.title);
    ImGui::PopFont();
    if (isOpen != wasOpen) app.layout.open[section.key] = isOpen;
    if (!isOpen) continue;
    if (app.comeIntoView == section.key) {
      bringIntoView();
      app.comeIntoView.clear();
    }
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
