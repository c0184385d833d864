#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <vector>

#include "core/wording.h"
#include "viewer/window/app_state.h"
#include "viewer/window/panels/section.h"
#include "viewer/window/plot.h"
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
  const SolverReport& solver = largest->result.solver;
  dimText(fmt::format("Largest island: {}, {}, {}", counted(largest->rows, "row"),
                      counted(solver.iterations, "iteration"), solveStatusName(solver.status)));
  if (app.frame->convergence.empty()) {
    const SolveReason reason = largest->result.reason;
    dimText(reason == SolveReason::kTrivial ? "Solved without the solver: no impulse is needed."
            : reason == SolveReason::kWarmStart
                ? "Solved without the solver: the impulses of the last step still hold."
                : fmt::format("{} keeps no residual by iteration.", app.frame->solver));
    return;
  }
  const PlotLine line = convergenceLine(app.frame->convergence);
  plot({.id = "iterations", .xLabel = "iteration", .height = 110, .logY = true}, {&line, 1});
}

void drawConvergence(AppState& app) {
  drawIterations(app);
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
