#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "viewer/window/app_state.h"
#include "viewer/window/panels/section.h"
#include "viewer/window/plot.h"
#include "viewer/window/style.h"
#include "viewer/window/widgets.h"

namespace drystone::viewer {
namespace {

using Figure = double (*)(const StepSample&);

/// A large part of the step.
struct Part {
  const char* name;
  Figure time;  ///< [ms]
};

// Solve counts without its assembly, and the rest is what no stage has measured.
constexpr std::array<Part, 6> kParts = {{
    {"collision", [](const StepSample& s) { return s.times.collision; }},
    {"rows", [](const StepSample& s) { return s.times.rows; }},
    {"assembly", [](const StepSample& s) { return s.times.assembly; }},
    {"solve", [](const StepSample& s) { return std::max(0.0, s.times.solve - s.times.assembly); }},
    {"integrate", [](const StepSample& s) { return s.times.integrate; }},
    {"other",
     [](const StepSample& s) {
       return std::max(0.0, s.times.step - s.times.collision - s.times.rows - s.times.solve -
                                s.times.integrate);
     }},
}};
// Those that a recording holds; `rest` has the others in it.
constexpr std::array<Part, 3> kRecordedParts = {{
    {"collision", [](const StepSample& s) { return s.times.collision; }},
    {"solve, assembly", [](const StepSample& s) { return s.times.solve; }},
    {"rest",
     [](const StepSample& s) {
       return std::max(0.0, s.times.step - s.times.collision - s.times.solve);
     }},
}};
constexpr Figure kWhole = [](const StepSample& s) { return s.times.step; };

/// Dashes where there is no step yet. `help` shows under the mouse.
template <class Time>
void tableRow(const char* name, ImU32 color, const StepHistory& history, Time time,
              const char* help = nullptr) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  const float font = ImGui::GetFontSize();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (color != 0) {
    ImGui::GetWindowDrawList()->AddRectFilled({at.x, at.y + 0.25f * font},
                                              {at.x + 0.7f * font, at.y + 0.85f * font}, color, 2);
    ImGui::Dummy({0.7f * font, font});
    ImGui::SameLine(0, 0.35f * font);
  }
  ImGui::TextUnformatted(name);
  if (help != nullptr) tooltip(help);
  const Spread spread = spreadOf(history, time);
  for (const double value : {spread.now, spread.mean, spread.most}) {
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(history.empty() ? kNotKnown : fmt::format("{:.2f}", value).c_str());
  }
}

/// The stages in their order, and how many threads were at work in each over the steps shown.
void drawStages(const StepHistory& history) {
  if (!ImGui::BeginTable("stages", 5, ImGuiTableFlags_RowBg)) return;
  ImGui::TableSetupColumn("stage", ImGuiTableColumnFlags_WidthStretch, 1.6f);
  for (const char* name : {"now", "mean", "most", "threads"}) {
    ImGui::TableSetupColumn(name, ImGuiTableColumnFlags_WidthStretch, 1);
  }
  ImGui::TableHeadersRow();
  for (std::size_t k = 0; k < kStepStages.size(); ++k) {
    const auto timeOf = [k](const StepSample& sample) { return sample.times.stages[k].wall; };
    tableRow(kStepStages[k].words().c_str(), 0, history, timeOf, kStepStages[k].help);
    StageTime sum;
    for (std::size_t i = 0; i < history.size(); ++i) {
      sum.wall += history[i].times.stages[k].wall;
      sum.busy += history[i].times.stages[k].busy;
    }
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(history.empty() ? kNotKnown
                                           : fmt::format("{:.2f}", sum.threads()).c_str());
  }
  ImGui::EndTable();
}

void drawProfiler(AppState& app) {
  const StepHistory& history = app.history;
  const std::span<const Part> parts =
      app.status.recording ? std::span<const Part>(kRecordedParts) : kParts;
  std::vector<PlotLine> areas;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    PlotLine area{parts[k].name, seriesColor(k), {}, {}, false};
    for (std::size_t i = 0; i < history.size(); ++i) {
      area.x.push_back(static_cast<double>(history[i].step));
      area.y.push_back(parts[k].time(history[i]));
    }
    areas.push_back(std::move(area));
  }
  plot({.id = "stages", .xLabel = "step", .unit = "ms", .stacked = true, .legend = false}, areas);
  if (!ImGui::BeginTable("times", 4, ImGuiTableFlags_RowBg)) return;
  ImGui::TableSetupColumn("ms", ImGuiTableColumnFlags_WidthStretch, 1.6f);
  for (const char* name : {"now", "mean", "most"}) {
    ImGui::TableSetupColumn(name, ImGuiTableColumnFlags_WidthStretch, 1);
  }
  ImGui::TableHeadersRow();
  for (std::size_t k = 0; k < parts.size(); ++k) {
    tableRow(parts[k].name, seriesColor(k), history, parts[k].time);
  }
  tableRow("whole step", 0, history, kWhole);
  ImGui::EndTable();
  if (!app.status.recording) drawStages(history);
}

}  // namespace

Section profilerSection() { return {"profiler", "Profiler", false, true, &drawProfiler}; }

}  // namespace drystone::viewer
