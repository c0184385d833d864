#include "apps/support/run_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "apps/support/table.h"
#include "core/wording.h"

namespace drystone::cli {
namespace {

constexpr int kLabel = 14;

/// A count, or a quantile of counts, to the nearest whole number.
std::string whole(double count) { return fmt::format("{:.0f}", count); }

/// `MISSED in 3 of 30 steps`, or that none missed.
std::string missedText(std::int64_t missed, std::int64_t steps) {
  return missed > 0 ? fmt::format("MISSED in {} of {}", missed, counted(steps, "step"))
                    : "met in every step";
}

/// How far it was off, when, and between whom, where that is known.
std::string errorText(const WorstError& worst) {
  const std::string text = fmt::format("worst {:.3g} m in step {}", worst.value, worst.step);
  if (worst.bodyA.empty()) return text;
  return text + fmt::format(", {} - {}", worst.bodyA, worst.bodyB);
}

std::string heldText(const char* what, Real tolerance, std::int64_t missed, std::int64_t steps,
                     const WorstError& worst) {
  if (!std::isfinite(tolerance)) return fmt::format("{}: nothing that moves has a size", what);
  std::string text = fmt::format("{} {:.3g} m {}", what, tolerance, missedText(missed, steps));
  if (worst.step == 0) return text;
  text += "; " + errorText(worst);
  return worst.joint.empty() ? text : text + fmt::format(" (joint '{}')", worst.joint);
}

/// All tolerances together, then one by one; those of joints where there are any.
std::string tolerances(const RunRecord& record, std::optional<Real> tolerance) {
  std::string all = missedText(record.stepsMissed, record.steps);
  if (record.firstMissed) all += fmt::format(", first in step {}", *record.firstMissed);
  std::string text = summaryLine("Tolerance", all);
  const std::string residual =
      tolerance ? fmt::format("residual {:.3g} m/s", *tolerance) : "residual";
  text += summaryLine(
      "", fmt::format("{} {}", residual, missedText(record.solvesMissed, record.steps)));
  if (record.joints > 0) {
    text += summaryLine("", heldText("joints", record.jointTolerance, record.jointsMissed,
                                     record.steps, record.worstJoint));
  }
  text += summaryLine("", heldText("overlap", record.overlapTolerance, record.overlapsMissed,
                                   record.steps, record.worstOverlap));
  if (record.stepsForgiven == 0) return text;
  return text + summaryLine("", fmt::format("overlap FORGIVEN in {} of {}, of bodies that were "
                                            "placed in each other; {}",
                                            record.stepsForgiven, counted(record.steps, "step"),
                                            errorText(record.worstForgiven)));
}

}  // namespace

std::string summaryLine(const std::string& label, const std::string& text) {
  return padded(label, kLabel) + text + "\n";
}

std::string threeDigits(double value) { return fmt::format("{:.3g}", value); }

std::string rateText(double steps) {
  if (!(steps >= 1000) || steps > 1e15) return fmt::format("{:.4g} steps/s", steps);
  // Four digits, the rest zeros: more is noise of the clock.
  const double unit = std::pow(10, std::floor(std::log10(steps)) - 3);
  std::string text = fmt::format("{:.0f}", std::round(steps / unit) * unit);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
  return text + " steps/s";
}

std::string partTable(const RunRecord& record) {
  using enum Table::Align;
  Table table({{"Time per step [ms]"},
               {"mean", kRight},
               {"median", kRight},
               {"p99", kRight},
               {"max", kRight},
               {"share", kRight}});
  const double wholeStep = record.times[0].mean();
  const auto addRow = [&](const std::string& name, const Samples& times) {
    table.addRow({name, threeDigits(times.mean()), threeDigits(times.median()),
                  threeDigits(times.p99()), threeDigits(times.max()),
                  wholeStep > 0 ? fmt::format("{:.0f} %", 100 * times.mean() / wholeStep) : "-"});
  };
  for (std::size_t i = 0; i < kParts.size(); ++i) {
    const Samples& times = record.times[i];
    if (i > 0 && times.sum() == 0) continue;
    // Indented, as a part of the solve.
    const bool isAssembly = kParts[i].time == &StageTimes::assembly;
    addRow(isAssembly ? "  assembly (part of solve)" : fmt::format("  {}", kParts[i].name), times);
  }
  addRow("  other", record.otherTime);
  return table.plain(0);
}

std::string figureTable(const RunRecord& record) {
  using enum Table::Align;
  Table table({{"Figures of a step"},
               {"median", kRight},
               {"p99", kRight},
               {"max", kRight},
               {"end", kRight}});
  for (std::size_t i = 0; i < kStepFigures.size(); ++i) {
    const StepFigure& one = kStepFigures[i];
    const Samples& samples = record.figures[i];
    if (samples.max() == 0) continue;  // what is 0 throughout says nothing
    const auto text = one.isCount() ? whole : threeDigits;
    std::string name = "  " + one.words();
    if (*one.unit != 0) name += fmt::format(" [{}]", one.unit);
    table.addRow({name, text(samples.median()), text(samples.p99()), text(samples.max()),
                  text(samples.last())});
  }
  return table.plain(0);
}

std::string outcomeText(const RunRecord& record, std::optional<Real> tolerance) {
  std::int64_t solves = 0;
  std::string statuses, meanings;
  for (int i = 0; i < kSolveStatusCount; ++i) {
    const std::int64_t count = record.status[static_cast<std::size_t>(i)];
    solves += count;
    if (count == 0) continue;
    const auto status = static_cast<SolveStatus>(i);
    statuses +=
        fmt::format("{}{} {}", statuses.empty() ? "" : ", ", count, solveStatusName(status));
    if (status == SolveStatus::kConverged) continue;
    meanings +=
        summaryLine("", fmt::format("{}: {}", solveStatusName(status), solveStatusMeaning(status)));
  }
  std::string text =
      summaryLine("Islands", fmt::format("{} solved: {}; {} by the fallback", solves,
                                         statuses.empty() ? "none" : statuses, record.fallbacks)) +
      meanings;
  if (record.stepsTimeLimited > 0) {
    text += summaryLine("Time limit",
                        fmt::format("hit in {} of {}: the results depend on the machine",
                                    record.stepsTimeLimited, counted(record.steps, "step")));
  }
  text += tolerances(record, tolerance);
  const WorstStep& worst = record.worst;
  if (worst.island < 0) return text;
  const std::string place =
      worst.bodyA.empty() ? ""
                          : fmt::format(", {} {} - {}", worst.isAtContact ? "contact" : "joint",
                                        worst.bodyA, worst.bodyB);
  return text + summaryLine("Worst", fmt::format("step {}, island {}{}: natural map {:.3g} m/s, {}",
                                                 worst.step, worst.island, place, worst.naturalMap,
                                                 worst.status));
}

}  // namespace drystone::cli
