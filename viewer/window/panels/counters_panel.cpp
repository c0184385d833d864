#include <fmt/format.h>
#include <imgui.h>

#include <optional>
#include <string>

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

/// Of a figure that has a tolerance, whether it meets it.
std::optional<bool> withinTolerance(const StepFigure& one, const StepReport& report) {
  using Member = StepFigure::Member;
  if (one.member == Member(&StepReport::naturalMap)) return report.solvesWithin;
  if (one.member == Member(&StepReport::jointError)) return report.jointsWithin();
  if (one.member == Member(&StepReport::overlapError)) return report.overlapsWithin();
  return std::nullopt;
}

void drawFigure(const StepFigure& one, const StepReport& report) {
  const Real value = one.valueIn(report);
  std::string text = one.isCount() ? fmt::format("{:.0f}", value) : shortNumber(value);
  if (*one.unit != 0) text += fmt::format(" {}", one.unit);
  std::string help = fmt::format("{}: {}", one.help, one.ruleText());
  if (const std::optional<bool> isWithin = withinTolerance(one, report)) {
    help += "; green: within the tolerance";
    figure(one.words().c_str(), text, *isWithin ? kTextGood : kTextBad, help.c_str());
  } else {
    figure(one.words().c_str(), text, help.c_str());
  }
}

void drawCounters(AppState& app) {
  const StepReport& report = app.frame->report;
  const char* whyNot =
      app.frame->isReportDamaged ? "damaged in the recording" : "no step was done yet";
  if (!beginFigures("counters")) return;
  figure("bodies", fmt::format("{}", app.frame->snapshot.bodies.size()));
  if (report.joints > 0) figure("joints", fmt::format("{}", report.joints));
  if (app.frame->hasReport()) {
    figure("solves", statusText(report));
    for (const StepFigure& one : kStepFigures) drawFigure(one, report);
    figure("step takes", fmt::format("{:.2f} ms", report.times.step));
  } else {
    for (const char* name : {"solves", "step takes"}) unknownFigure(name, whyNot);
    for (const StepFigure& one : kStepFigures) unknownFigure(one.words().c_str(), whyNot);
  }
  figure("pictures", fmt::format("{:.0f} /s", app.picturesPerSecond));
  endFigures();
}

}  // namespace

Section countersSection() { return {"counters", "Counters", false, true, &drawCounters}; }

}  // namespace drystone::viewer
