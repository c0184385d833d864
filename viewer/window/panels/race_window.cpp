#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <string>

#include "core/wording.h"
#include "viewer/window/app_state.h"
#include "viewer/window/panels/windows.h"
#include "viewer/window/plot.h"
#include "viewer/window/style.h"
#include "viewer/window/widgets.h"

namespace drystone::viewer {
namespace {

constexpr float kPicker = 190;        // width [points]
constexpr float kNarrow = 700;        // windows below have the list above the results [points]
constexpr float kNarrowHeight = 210;  // of the list there [points]
// Columns of the results, in heights of the font.
constexpr float kName = 9.5f, kNumber = 5.5f, kResidual = 7, kButton = 7.5f;

std::string outcome(const RaceEntry& entry) {
  if (!entry.note.empty()) return entry.note;
  if (!entry.finished) return "runs ...";
  if (entry.status == SolveStatus::kTimeLimit) return "time was up";
  return std::string(solveStatusName(entry.status));
}

/// Why there can be no race now; empty: there can.
std::string whyNoRace(const AppState& app, const std::vector<std::string>& solvers) {
  if (app.status.recording) return "A recording has no problems to solve.";
  if (!app.frame->isStepDone) return "No step was done yet: step once, then race.";
  if (app.frame->report.contacts == 0 && app.frame->report.joints == 0) {
    return "Nothing touches in this step.";
  }
  return solvers.empty() ? "Choose a solver." : "";
}

/// Whether the start of a race is the answer already: nobody has a way to show.
bool startHolds(const RaceResult& race) {
  return !race.entries.empty() && std::ranges::all_of(race.entries, [](const RaceEntry& entry) {
    return entry.finished && entry.points.size() == 1 && entry.points.front().iterations <= 1 &&
           entry.points.front().naturalMap <= entry.solver.budget.tolerance;
  });
}

}  // namespace

void RaceWindow::start(AppState& app, const std::vector<std::string>& solvers) {
  chosen_ = solvers;
  // The present solver runs as it is set, the others with their defaults.
  std::vector<SolverChoice> entries;
  for (const std::string& name : chosen_) entries.push_back(app.choiceOf(name));
  if (!app.status.paused) app.send(Pause{});
  app.startRace(std::move(entries), fromZero_);
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
    for (const char* name : {"auto", "sor-prox", "jacobi-prox", "nsgs"}) {
      if (app.registry.contains(name) && app.whyUnsuitable(name).empty())
        chosen_.emplace_back(name);
    }
  }
  std::vector<std::string> able = chosen_;
  std::erase_if(able, [&](const std::string& name) { return !app.whyUnsuitable(name).empty(); });
  const std::string reason = whyNoRace(app, able);
  const float width = ImGui::GetContentRegionAvail().x;
  const float why = reason.empty() ? 0
                                   : ImGui::CalcTextSize(reason.c_str(), nullptr, false, width).y +
                                         ImGui::GetStyle().ItemSpacing.y;
  ImGui::BeginChild("solvers", {0, -2 * ImGui::GetFrameHeightWithSpacing() - why}, true);
  for (const std::string& name : app.registry.names()) {
    const std::string unsuitable = app.whyUnsuitable(name);
    const auto at = std::ranges::find(chosen_, name);
    bool isChosen = at != chosen_.end() && unsuitable.empty();
    ImGui::BeginDisabled(!unsuitable.empty());
    if (ImGui::Checkbox(name.c_str(), &isChosen)) {
      if (isChosen) {
        chosen_.push_back(name);
      } else {
        chosen_.erase(at);
      }
    }
    ImGui::EndDisabled();
    tooltip(unsuitable.empty() ? std::string(app.registry.traits(name).summary) : unsuitable);
  }
  ImGui::EndChild();
  ImGui::Checkbox("from zero", &fromZero_);
  tooltip("without the warm start of the step, which leaves a scene at rest nothing to do");
  const bool running = app.race && !app.race->finished;
  if (running) {
    if (ImGui::Button("Cancel", {-1, 0})) app.send(CancelRace{});
    return;
  }
  ImGui::BeginDisabled(!reason.empty());
  if (ImGui::Button("Start", {-1, 0})) start(app, able);
  ImGui::EndDisabled();
  if (!reason.empty()) dimText(reason);
}

void RaceWindow::drawPlots(const RaceResult& race) {
  if (!ImGui::BeginTable("plots", 2)) return;
  PlotLook look{.height = 210, .logX = true, .logY = true, .legend = false};
  for (const bool overTime : {false, true}) {
    std::vector<PlotLine> lines;
    for (std::size_t i = 0; i < race.entries.size(); ++i) {
      lines.push_back(raceLine(race.entries[i], seriesColor(i), overTime));
    }
    look.id = overTime ? "by time" : "by iteration";
    look.xLabel = overTime ? "ms" : "iteration";
    look.unit = overTime ? "m/s, by time [ms]" : "m/s, by iteration";
    ImGui::TableNextColumn();
    plot(look, lines);
  }
  ImGui::EndTable();
}

void RaceWindow::drawResult(AppState& app, const RaceResult& race) {
  drawPlots(race);
  if (!race.fromZero && startHolds(race)) {
    dimText(
        "The warm start of the step is the answer already, as in a scene at rest: all end at once. "
        "Race from zero, or in a step that brings something new.");
  }
  if (!ImGui::BeginTable(
          "results", 6,
          ImGuiTableFlags_RowBg | ImGuiTableFlags_ScrollY | ImGuiTableFlags_NoSavedSettings,
          {0, -1})) {
    return;
  }
  ImGui::TableSetupScrollFreeze(0, 1);
  const auto fixed = [](const char* name, float width) {
    ImGui::TableSetupColumn(name, ImGuiTableColumnFlags_WidthFixed, width * ImGui::GetFontSize());
  };
  fixed("solver", kName);
  fixed("residual [m/s]", kResidual);
  fixed("iterations", kNumber);
  fixed("time [ms]", kNumber);
  // What is longer breaks into lines.
  ImGui::TableSetupColumn("end", ImGuiTableColumnFlags_WidthStretch);
  fixed("", kButton);
  ImGui::TableHeadersRow();
  for (std::size_t i = 0; i < race.entries.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    drawEntry(app, race.entries[i], seriesColor(i));
    ImGui::PopID();
  }
  ImGui::EndTable();
}

void RaceWindow::drawEntry(AppState& app, const RaceEntry& entry, ImU32 color) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  const float font = ImGui::GetFontSize();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddRectFilled({at.x, at.y + 0.3f * font},
                                            {at.x + 0.7f * font, at.y + 0.9f * font}, color, 2);
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
  ImGui::TextWrapped("%s", outcome(entry).c_str());
  ImGui::TableNextColumn();
  if (any && ImGui::SmallButton("continue with")) continueWith(app, entry);
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
    const bool isNarrow = window.x < kNarrow * s;
    ImGui::BeginChild("left", isNarrow ? ImVec2(0, kNarrowHeight * s) : ImVec2(kPicker * s, 0));
    drawPicker(app);
    ImGui::EndChild();
    if (!isNarrow) ImGui::SameLine();
    ImGui::BeginChild("right");
    if (app.race) {
      dimText(fmt::format(
          "Step {}, largest of {}: {}, {}. At most {:g} s a solve, {:g} s a solver. Residual as "
          "judged (M.11).",
          app.race->step, counted(app.race->islands, "island"), counted(app.race->rows, "row"),
          app.race->fromZero ? "from zero" : "from the warm start of the step",
          RaceResult::kTimePerSolve, RaceResult::kTimePerSolver));
      drawResult(app, *app.race);
    } else {
      dimText(
          "Freezes the problem of the largest island of this step and runs the chosen solvers on "
          "it, each from the same start. The judge measures every answer, so that the lines can be "
          "compared.");
    }
    ImGui::EndChild();
  }
  ImGui::End();
}

}  // namespace drystone::viewer
