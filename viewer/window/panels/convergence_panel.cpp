#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/wording.h"
#include "viewer/window/app_state.h"
#include "viewer/window/panels/section.h"
#include "viewer/window/panels/windows.h"
#include "viewer/window/plot.h"
#include "viewer/window/plot_axis.h"
#include "viewer/window/style.h"
#include "viewer/window/widgets.h"

namespace drystone::viewer {
namespace {

void drawIterations(const AppState& app) {
  const StepReport& report = app.frame->report;
  if (app.status.recording) {
    dimText("Islands and their residuals by iteration are not recorded.");
    return;
  }
  if (!app.frame->isStepDone) {
    dimText("No step was done yet.");
    return;
  }
  const auto largest = std::ranges::max_element(report.islands, {}, &IslandReport::rows);
  if (largest == report.islands.end()) {
    dimText("No islands in this step.");
    return;
  }
  const SolveResult& result = largest->result;
  dimText(fmt::format("Largest island: {}, {}, {}", counted(largest->rows, "row"),
                      counted(result.solver.iterations, "iteration"),
                      solveStatusName(result.solver.status)));
  if (app.frame->convergence.empty()) {
    dimText(wasSolved(result.reason)
                ? fmt::format("{} keeps no residual by iteration.", app.frame->solver)
                : triedLines(result).front());
    return;
  }
  const PlotLine line = convergenceLine(app.frame->convergence);
  plot({.id = "iterations", .xLabel = "iteration", .height = 110, .logY = true}, {&line, 1});
}

/// What was tried on the island that the residual of the step is of.
void drawWorst(const AppState& app) {
  const WorstSolve& worst = app.frame->report.worst;
  if (app.status.recording || !app.frame->isStepDone || !worst.exists()) return;
  if (!wasSolved(worst.result.reason)) return;
  const std::vector<std::string> lines = triedLines(worst.result);
  if (lines.empty()) return;
  dimText(fmt::format("Worst island: {}, {} m/s left", worst.island,
                      shortNumber(worst.result.judge.naturalMap)));
  for (const std::string& line : lines) dimText(line);
}

void drawConvergence(AppState& app) {
  drawIterations(app);
  drawWorst(app);
  PlotLine judged{"judged residual by step", seriesColor(3), {}, {}, false};
  for (std::size_t i = 0; i < app.history.size(); ++i) {
    judged.x.push_back(static_cast<double>(app.history[i].step));
    judged.y.push_back(app.history[i].naturalMap);
  }
  PlotLook look{.id = "judged", .xLabel = "step", .unit = "m/s", .height = 90, .logY = true};
  if (!app.status.recording) look.mark = app.status.solver.budget.tolerance;
  plot(look, {&judged, 1});
}

}  // namespace

Section convergenceSection() {
  return {"convergence", "Convergence", false, true, &drawConvergence};
}

}  // namespace drystone::viewer
