#include <imgui.h>

#include "viewer/window/app_state.h"
#include "viewer/window/panels/section.h"
#include "viewer/window/style.h"

namespace drystone::viewer {
namespace {

void drawLog(AppState& app) {
  ImGui::BeginChild("lines", {0, 7 * ImGui::GetTextLineHeightWithSpacing()}, true);
  const bool atEnd = ImGui::GetScrollY() >= ImGui::GetScrollMaxY();
  ImGui::PushTextWrapPos(0);
  for (const LogLine& line : app.log) {
    const bool isInfo = line.kind == LogLine::Kind::kInfo;
    ImGui::PushStyleColor(ImGuiCol_Text,
                          isInfo ? ImGui::GetStyleColorVec4(ImGuiCol_Text) : kTextBad);
    ImGui::TextUnformatted(line.text.c_str());
    ImGui::PopStyleColor();
  }
  ImGui::PopTextWrapPos();
  if (atEnd) ImGui::SetScrollHereY(1);
  ImGui::EndChild();
}

}  // namespace

Section logSection() { return {"log", "Log", true, false, &drawLog}; }

}  // namespace drystone::viewer
