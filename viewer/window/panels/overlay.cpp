#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>

#include "viewer/window/app_state.h"
#include "viewer/window/panels/windows.h"
#include "viewer/window/plot_axis.h"
#include "viewer/window/style.h"
#include "viewer/window/widgets.h"

namespace drystone::viewer {
namespace {

constexpr std::chrono::seconds kNewsTime{5};

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

/// `wall   nsgs   cone`; the solver is left out where it is not known.
std::string titleOf(const ViewFrame& frame) {
  return fmt::format("{}   {}{}", frame.scene->name,
                     frame.solver.empty() ? "" : frame.solver + "   ",
                     frictionModelName(frame.friction));
}

/// Returns the height of the next line.
float drawHeading(const AppState& app) {
  const float font = ImGui::GetFontSize();
  const ImU32 text = ImGui::GetColorU32(ImGuiCol_Text);
  const float x = app.view.x + 0.9f * font;
  float y = app.view.y + 0.7f * font;
  plate({x, y}, titleOf(*app.frame), text);
  y += 1.6f * font;
  const std::string solved = solvedText(*app.frame);
  if (!solved.empty()) {
    const bool isGood = app.frame->hasReport() && app.frame->report.withinTolerance;
    plate({x, y}, solved, ImGui::ColorConvertFloat4ToU32(isGood ? kTextGood : kTextBad));
    y += 1.6f * font;
  }
  if (app.recordingVideo) {
    plate({x, y}, "recording video (V ends it)", ImGui::ColorConvertFloat4ToU32(kTextBad));
    y += 1.6f * font;
  }
  return y;
}

/// Below the heading: the lower corners are those of the axes and the legends.
void drawNews(const AppState& app, float y) {
  if (!isNewsShown(app)) return;
  const LogLine& line = app.log.back();
  const float font = ImGui::GetFontSize();
  std::string text = line.text.substr(0, line.text.find('\n'));
  const auto fits = static_cast<std::size_t>(std::max(8.0f, app.view.width / (0.58f * font)));
  if (text.size() > fits) text = text.substr(0, fits - 3) + "...";
  plate({app.view.x + 0.9f * font, y}, text,
        line.kind == LogLine::Kind::kInfo ? ImGui::GetColorU32(ImGuiCol_Text)
                                          : ImGui::ColorConvertFloat4ToU32(kTextBad));
}

}  // namespace

std::string solvedText(const ViewFrame& frame) {
  if (!frame.isStepDone) return "";
  if (frame.isReportDamaged)
    return fmt::format("solved to {} m/s: damaged in the recording", kNotKnown);
  const StepReport& report = frame.report;
  std::string text = fmt::format("solved to {} m/s", shortNumber(report.naturalMap));
  if (!report.jointsWithin())
    text += fmt::format(", joints off by {} m", shortNumber(report.jointError));
  if (!report.overlapsWithin())
    text += fmt::format(", overlap {} m", shortNumber(report.overlapError));
  return report.withinTolerance ? text : text + ", misses the tolerance";
}

bool isNewsShown(const AppState& app) {
  return !app.log.empty() && std::chrono::steady_clock::now() - app.newestLogTime <= kNewsTime;
}

void drawOverlay(AppState& app) { drawNews(app, drawHeading(app)); }

}  // namespace drystone::viewer
