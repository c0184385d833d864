#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <string>

#include "viewer/app/app_state.h"
#include "viewer/app/panels/windows.h"
#include "viewer/app/plot.h"
#include "viewer/app/style.h"
#include "viewer/app/widgets.h"

namespace drystone::viewer {
namespace {

/// Iterative solvers draw a line, exact ones a point: their one answer.
PlotLine lineOf(const RaceEntry& entry, std::size_t index, bool byTime) {
  PlotLine line{entry.solver.name, seriesColor(index), {}, {}, true};
  for (const RacePoint& point : entry.points) {
    // Answers without any residual stand at round-off, where the axis ends.
    line.x.push_back(byTime ? std::max(point.timeMs, 1e-3) : std::max(point.iterations, 1));
    line.y.push_back(std::max(point.naturalMap, 1e-17));
  }
  return line;
}

std::string outcome(const RaceEntry& entry) {
  if (!entry.note.empty()) return entry.note;
  if (!entry.finished) return "runs ...";
  return std::string(solveStatusName(entry.status));
}

}  // namespace

void RaceWindow::start(AppState& app, const std::vector<std::string>& solvers) {
  chosen_ = solvers;
  // The present solver runs as it is set, the others with their defaults.
  std::vector<SolverChoice> entries;
  for (const std::string& name : chosen_) entries.push_back(app.choiceOf(name));
  if (!app.status.paused) app.send(Pause{});
  app.startRace(std::move(entries));
}

/// With the settings that it was raced with, and the tolerance and policy of now.
void RaceWindow::continueWith(AppState& app, const RaceEntry& entry) {
  SolverChoice choice = app.solver;
  choice.name = entry.solver.name;
  choice.settings = entry.solver.settings;
  app.setSolver(choice);
}

void RaceWindow::drawPicker(AppState& app) {
  if (chosen_.empty()) {
    for (const char* name : {"bpp-auto", "sor-prox", "jacobi-prox", "nsgs"}) {
      if (app.registry.contains(name) && app.whyUnsuitable(name).empty())
        chosen_.emplace_back(name);
    }
  }
  ImGui::BeginChild("solvers", {0, -ImGui::GetFrameHeightWithSpacing()}, true);
  for (const std::string& name : app.registry.names()) {
    const std::string reason = app.whyUnsuitable(name);
    const auto at = std::ranges::find(chosen_, name);
    bool isChosen = at != chosen_.end() && reason.empty();
    ImGui::BeginDisabled(!reason.empty());
    if (ImGui::Checkbox(name.c_str(), &isChosen)) {
      if (isChosen) {
        chosen_.push_back(name);
      } else {
        chosen_.erase(at);
      }
    }
    ImGui::EndDisabled();
    tooltip(reason.empty() ? std::string(app.registry.traits(name).summary) : reason);
  }
  ImGui::EndChild();
  const bool running = app.race && !app.race->finished;
  if (running) {
    if (ImGui::Button("Cancel", {-1, 0})) app.send(CancelRace{});
    return;
  }
  std::vector<std::string> able = chosen_;
  std::erase_if(able, [&](const std::string& name) { return !app.whyUnsuitable(name).empty(); });
  ImGui::BeginDisabled(able.empty() || app.status.recording);
  if (ImGui::Button("Start", {-1, 0})) start(app, able);
  ImGui::EndDisabled();
  tooltip(app.status.recording ? "a recording has no problems to solve" : "");
}

void RaceWindow::drawResult(AppState& app, const RaceResult& race) {
  if (ImGui::BeginTable("plots", 2)) {
    PlotLook look{.height = 210, .logX = true, .logY = true, .legend = false};
    for (const bool overTime : {false, true}) {
      std::vector<PlotLine> lines;
      for (std::size_t i = 0; i < race.entries.size(); ++i) {
        lines.push_back(lineOf(race.entries[i], i, overTime));
      }
      look.id = overTime ? "by time" : "by iteration";
      look.xLabel = overTime ? "ms" : "iteration";
      look.unit = overTime ? "m/s, by time [ms]" : "m/s, by iteration";
      ImGui::TableNextColumn();
      plot(look, lines);
    }
    ImGui::EndTable();
  }
  if (!ImGui::BeginTable(
          "results", 6,
          ImGuiTableFlags_RowBg | ImGuiTableFlags_ScrollY | ImGuiTableFlags_SizingStretchProp,
          {0, -1})) {
    return;
  }
  ImGui::TableSetupScrollFreeze(0, 1);
  for (const char* name : {"solver", "residual [m/s]", "iterations", "time [ms]", "end", ""}) {
    ImGui::TableSetupColumn(name);
  }
  ImGui::TableHeadersRow();
  for (std::size_t i = 0; i < race.entries.size(); ++i) {
    const RaceEntry& entry = race.entries[i];
    ImGui::PushID(static_cast<int>(i));
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    const float font = ImGui::GetFontSize();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::GetWindowDrawList()->AddRectFilled(
        {at.x, at.y + 0.3f * font}, {at.x + 0.7f * font, at.y + 0.9f * font}, seriesColor(i), 2);
    ImGui::Dummy({0.7f * font, font});
    ImGui::SameLine(0, 0.4f * font);
    ImGui::TextUnformatted(entry.solver.name.c_str());
    const bool any = !entry.points.empty();
    ImGui::TableNextColumn();
    if (any) ImGui::TextUnformatted(shortNumber(entry.points.back().naturalMap).c_str());
    ImGui::TableNextColumn();
    if (any) ImGui::Text("%d", entry.points.back().iterations);
    ImGui::TableNextColumn();
    if (any) ImGui::TextUnformatted(shortNumber(entry.points.back().timeMs).c_str());
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(outcome(entry).c_str());
    ImGui::TableNextColumn();
    if (any && ImGui::SmallButton("continue with")) continueWith(app, entry);
    ImGui::PopID();
  }
  ImGui::EndTable();
}

void RaceWindow::draw(AppState& app) {
  if (!app.raceOpen) return;
  const ImVec2 window = ImGui::GetIO().DisplaySize;
  const float s = app.scale;
  ImGui::SetNextWindowSize(
      {std::min(820 * s, window.x - 20 * s), std::min(440 * s, window.y - 80 * s)},
      ImGuiCond_FirstUseEver);
  ImGui::SetNextWindowPos({window.x / 2, window.y / 2}, ImGuiCond_FirstUseEver, {0.5f, 0.5f});
  if (ImGui::Begin("Solver race", &app.raceOpen, ImGuiWindowFlags_NoCollapse)) {
    ImGui::BeginChild("left", {190 * s, 0});
    drawPicker(app);
    ImGui::EndChild();
    ImGui::SameLine();
    ImGui::BeginChild("right");
    if (app.race) {
      dimText(fmt::format("Step {}, largest of {} islands: {} rows. Residual as judged (M.11).",
                          app.race->step, app.race->islands, app.race->rows));
      drawResult(app, *app.race);
    } else {
      dimText(
          "Freezes the problem of the largest island of this step and runs the chosen solvers on "
          "it, "
          "each from the same start. The judge measures every answer, so that the lines can be "
          "compared.");
    }
    ImGui::EndChild();
  }
  ImGui::End();
}

}  // namespace drystone::viewer
