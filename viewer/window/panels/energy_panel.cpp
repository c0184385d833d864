#include <fmt/format.h>
#include <imgui.h>

#include <array>
#include <cmath>
#include <vector>

#include "viewer/window/app_state.h"
#include "viewer/window/panels/section.h"
#include "viewer/window/plot.h"
#include "viewer/window/style.h"
#include "viewer/window/widgets.h"

namespace drystone::viewer {
namespace {

void drawEnergy(AppState& app) {
  std::array<PlotLine, 3> lines = {{{"kinetic", seriesColor(0), {}, {}, false},
                                    {"potential", seriesColor(1), {}, {}, false},
                                    {"sum", seriesColor(2), {}, {}, false}}};
  PlotLine error{"|ledger error|", seriesColor(3), {}, {}, false};
  const StepHistory& history = app.history;
  for (std::size_t i = 0; i < history.size(); ++i) {
    const StepSample& sample = history[i];
    const EnergyLedger& energy = sample.energy;
    const double values[] = {energy.kinetic, energy.potential, energy.kinetic + energy.potential};
    for (std::size_t k = 0; k < 3; ++k) {
      lines[k].x.push_back(static_cast<double>(sample.step));
      lines[k].y.push_back(values[k]);
    }
    error.x.push_back(static_cast<double>(sample.step));
    error.y.push_back(std::abs(energy.ledgerError));
  }
  plot({.id = "energies", .xLabel = "step", .unit = "J"}, lines);
  plot({.id = "error", .xLabel = "step", .unit = "J", .height = 80, .logY = true}, {&error, 1});
  if (app.status.recording) dimText("What flowed where is not recorded.");
  if (!app.frame->hasReport()) return;
  const EnergyLedger& now = app.frame->report.energy;
  if (!beginFigures("flows")) return;
  for (const EnergyFlow& flow : kEnergyFlows) {
    if (now.*flow.value == 0) continue;
    figure(flow.name, shortNumber(now.*flow.value) + " J",
           "energy that came in by it in this step");
  }
  figure("ledger error", shortNumber(now.ledgerError) + " J",
         "what the flows of the velocity update leave unexplained: round-off");
  endFigures();
}

}  // namespace

Section energySection() { return {"energy", "Energy", false, false, &drawEnergy}; }

}  // namespace drystone::viewer
