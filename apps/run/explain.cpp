#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "apps/run/run_output.h"
#include "apps/support/command_line.h"
#include "apps/support/table.h"
#include "engine/step/step_report.h"

namespace drystone::cli {
namespace {

constexpr std::size_t kMostIslands = 20;

std::string triedText(const SolveResult& result) {
  if (!wasSolved(result.reason)) return "nothing";
  const std::vector<std::string> tries = triedLines(result);
  if (!tries.empty()) return joined(tries, "; ");
  return fmt::format("one method: {} after {}", solveStatusName(result.solver.status),
                     counted(result.solver.iterations, "iteration"));
}

/// Of the islands, what left most first.
std::vector<const IslandReport*> worstFirst(std::span<const IslandReport> islands) {
  std::vector<const IslandReport*> sorted;
  for (const IslandReport& island : islands) sorted.push_back(&island);
  std::ranges::stable_sort(sorted, std::ranges::greater{},
                           [](const IslandReport* one) { return one->result.judge.naturalMap; });
  return sorted;
}

std::string_view meaningOf(SolveReason reason) {
  switch (reason) {
    case SolveReason::kAsked:
      return "the answer is that of the solver asked for";
    case SolveReason::kTrivial:
      return "no impulse is needed, so no solver ran";
    case SolveReason::kFallbackTolerance:
      return "the solver asked for missed the tolerance, and the second one left less";
    case SolveReason::kFallbackFailed:
      return "the solver asked for failed, and the answer is that of the second one";
    case SolveReason::kFallbackWorse:
      return "the second solver was tried and left no less than the one asked for";
    case SolveReason::kDiscarded:
      return "no solver had an answer to use, so the impulses are 0";
    case SolveReason::kWarmStart:
      return "the impulses of the step before still hold, so no solver ran";
    case SolveReason::kSoft:
      return "the island went through soft steps, so no solver ran";
  }
  return "";
}

/// A line for each column or word of the table that does not speak for itself.
std::string legend(std::span<const IslandReport* const> islands, const WorldSettings& settings) {
  Table table({{"word"}, {"meaning"}});
  table.addRow({"residual", fmt::format("what the answer leaves, the natural map as judged (M.11 "
                                        "in docs/theory/judge.md); up to {:g} m/s "
                                        "counts as solved",
                                        settings.solver.budget.tolerance)});
  const auto any = [&](auto holds) {
    return std::ranges::any_of(islands, [&](const IslandReport* one) { return holds(*one); });
  };
  table.addRow({"eliminated",
                "rows of joints that are computed from the others: the method did not get them"});
  if (any([](const IslandReport& one) { return one.repeatedSolves > 0; })) {
    table.addRow({"solves",
                  "more than one where joints turn far and had to be held at the end of "
                  "the step; the time is that of all, what was tried of the one taken"});
  }
  if (any([](const IslandReport& one) { return !one.result.solver.factor.empty(); })) {
    table.addRow({"factor", "how the matrix of the last of its linear systems was factored"});
  }
  table.addRow({"taken as", "why the answer is what it is:"});
  for (int i = 0; i <= static_cast<int>(SolveReason::kSoft); ++i) {
    const auto reason = static_cast<SolveReason>(i);
    if (!any([&](const IslandReport& one) { return one.result.reason == reason; })) continue;
    table.addRow({std::string(solveReasonName(reason)), std::string(meaningOf(reason))});
  }
  return table.plain(2);
}

}  // namespace

std::string explainStep(const World& world) {
  const StepReport& report = world.lastReport();
  const std::vector<const IslandReport*> islands = worstFirst(report.islands);
  const std::size_t shown = std::min(islands.size(), kMostIslands);
  if (shown == 0) return fmt::format("Step {}: there was nothing to solve\n", report.step);
  using enum Table::Align;
  Table table({{"bodies", kRight},
               {"contacts", kRight},
               {"rows", kRight},
               {"eliminated", kRight},
               {"residual [m/s]", kRight},
               {"solves", kRight},
               {"time [ms]", kRight},
               {"factor", kLeft},
               {"taken as", kLeft},
               {"what was tried", kLeft}});
  for (std::size_t i = 0; i < shown; ++i) {
    const IslandReport& island = *islands[i];
    const SolveResult& result = island.result;
    const int solves = wasSolved(result.reason) ? 1 + island.repeatedSolves : 0;
    table.addRow({std::to_string(island.bodies), std::to_string(island.contacts),
                  std::to_string(island.rows), std::to_string(result.solver.eliminatedRows),
                  fmt::format("{:.2g}", result.judge.naturalMap), std::to_string(solves),
                  fmt::format("{:.3g}", result.solver.timeMs),
                  result.solver.factor.empty() ? "-" : std::string(result.solver.factor),
                  std::string(solveReasonName(result.reason)), triedText(result)});
  }
  const bool isOne = islands.size() == 1;
  std::string text = fmt::format(
      "Step {}: how {} solved{}{}\n", report.step,
      isOne ? "its island was" : fmt::format("each of its {} islands was", islands.size()),
      world.settings().substeps > 1 ? " in its last inner step" : "",
      isOne ? "" : ", the worst first");
  text += table.plain(2);
  if (shown < islands.size()) {
    text +=
        fmt::format("  and {} that left less\n",
                    counted(std::ssize(islands) - static_cast<std::ptrdiff_t>(shown), "island"));
  }
  return text + "\n" + legend({islands.data(), shown}, world.settings());
}

}  // namespace drystone::cli
