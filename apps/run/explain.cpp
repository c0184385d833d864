#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "apps/run/run_output.h"
#include "apps/support/command_line.h"
#include "apps/support/table.h"

namespace drystone::cli {
namespace {

constexpr std::size_t kMostIslands = 20;

/// "pivots: stalled, 2e-05 m/s after 2000; staggered: converged, 3e-07 m/s after 12".
std::string doorsText(const SolverReport& report) {
  std::vector<std::string> doors;
  for (int i = 0; i < report.doorCount; ++i) {
    const SolverReport::Door& door = report.doors[static_cast<std::size_t>(i)];
    doors.push_back(fmt::format("{}: {}, {:.2g} m/s after {}", door.name,
                                solveStatusName(door.status), door.naturalMap, door.iterations));
  }
  if (doors.empty()) return std::string(solveStatusName(report.status));
  return joined(doors, "; ");
}

}  // namespace

std::string explainStep(const StepReport& report) {
  std::vector<const IslandReport*> islands;
  for (const IslandReport& island : report.islands) islands.push_back(&island);
  std::ranges::stable_sort(islands, std::ranges::greater{},
                           [](const IslandReport* one) { return one->result.judge.naturalMap; });
  using enum Table::Align;
  Table table({{"bodies", kRight},
               {"contacts", kRight},
               {"rows", kRight},
               {"eliminated", kRight},
               {"nat.map m/s", kRight},
               {"time ms", kRight},
               {"factor", kLeft},
               {"taken as", kLeft},
               {"what was tried", kLeft}});
  const std::size_t shown = std::min(islands.size(), kMostIslands);
  for (std::size_t i = 0; i < shown; ++i) {
    const IslandReport& island = *islands[i];
    const SolveResult& result = island.result;
    table.addRow({std::to_string(island.bodies), std::to_string(island.contacts),
                  std::to_string(island.rows), std::to_string(result.solver.eliminatedRows),
                  fmt::format("{:.2g}", result.judge.naturalMap),
                  fmt::format("{:.3g}", result.solver.timeMs),
                  result.solver.factor.empty() ? "-" : std::string(result.solver.factor),
                  std::string(solveReasonName(result.reason)),
                  wasSolved(result.reason) ? doorsText(result.solver) : "nothing"});
  }
  std::string text =
      fmt::format("Step {}: {}\n", report.step, counted(std::ssize(report.islands), "island"));
  if (shown > 0) text += table.plain(2);
  if (shown < islands.size()) {
    text += fmt::format("  and {} that left less\n", islands.size() - shown);
  }
  return text;
}

}  // namespace drystone::cli
