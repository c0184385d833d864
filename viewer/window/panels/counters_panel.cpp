#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <string>

#include "core/wording.h"
#include "viewer/window/app_state.h"
#include "viewer/window/panels/section.h"
#include "viewer/window/plot_axis.h"
#include "viewer/window/style.h"
#include "viewer/window/widgets.h"

namespace drystone::viewer {
namespace {

/// How the islands' solves ended: `3 converged, 1 stalled`.
std::string statusText(const StepReport& report) {
  std::string text;
  for (int i = 0; i < kSolveStatusCount; ++i) {
    const int count = report.status[static_cast<std::size_t>(i)];
    if (count == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : "\n", count,
                        solveStatusName(static_cast<SolveStatus>(i)));
  }
  return text.empty() ? "nothing to solve" : text;
}

/// Reports of recordings leave bodies and islands out, and before the first step there is none.
int islandCount(const WorldSnapshot& snapshot) {
  int count = 0;
  for (const BodySnapshot& body : snapshot.bodies) count = std::max(count, body.island + 1);
  return count;
}

constexpr const char* kNotRecorded = "not recorded";

/// What the last step says of its solves.
void drawSolves(const StepReport& report) {
  figure("judged residual", shortNumber(report.naturalMap) + " m/s",
         report.withinTolerance ? kTextGood : kTextBad,
         "natural map, the largest of all contacts and joints; green: within the tolerance");
  figure("solves", statusText(report));
  figure("iterations", fmt::format("{}", report.iterations),
         "sweeps or pivoting rounds of the island with the most");
  if (report.fallbacks > 0) {
    figure("second solver", counted(report.fallbacks, "island"), kTextBad);
  }
}

void drawStep(const StepReport& report) {
  figure("warm started", counted(report.warmStarted, "contact"));
  figure("deepest overlap", shortNumber(report.maxPenetration) + " m");
  if (report.joints > 0) figure("joint drift", shortNumber(report.maxJointDrift) + " m");
  figure("fastest body", shortNumber(report.maxSpeed) + " m/s");
  figure("step takes", fmt::format("{:.2f} ms", report.times.step));
}

void drawCounters(AppState& app) {
  const StepReport& report = app.frame->report;
  const WorldSnapshot& snapshot = app.frame->snapshot;
  const bool isDone = app.frame->hasReport();
  const char* whyNot =
      app.frame->isReportDamaged ? "damaged in the recording" : "no step was done yet";
  if (!beginFigures("counters")) return;
  if (isDone) {
    drawSolves(report);
  } else {
    for (const char* name : {"judged residual", "solves", "iterations"}) {
      unknownFigure(name, whyNot);
    }
  }
  figure("bodies", fmt::format("{}", snapshot.bodies.size()));
  if (report.joints > 0) figure("joints", fmt::format("{}", report.joints));
  if (isDone) {
    figure("contacts", fmt::format("{}", report.contacts));
    figure("rows", fmt::format("{}", report.rows), "of constraints, over all islands");
    figure("islands", fmt::format("{}", islandCount(snapshot)));
  } else {
    for (const char* name : {"contacts", "rows", "islands"}) unknownFigure(name, whyNot);
  }
  if (app.status.recording) {
    unknownFigure("bodies asleep", kNotRecorded);
  } else if (report.asleepBodies > 0) {
    figure("bodies asleep",
           fmt::format("{} in {}", report.asleepBodies, counted(report.asleepIslands, "island")));
  }
  if (isDone) {
    drawStep(report);
  } else {
    for (const char* name : {"warm started", "deepest overlap", "fastest body", "step takes"}) {
      unknownFigure(name, whyNot);
    }
  }
  figure("pictures", fmt::format("{:.0f} /s", app.picturesPerSecond));
  endFigures();
}

}  // namespace

Section countersSection() { return {"counters", "Counters", false, true, &drawCounters}; }

}  // namespace drystone::viewer
