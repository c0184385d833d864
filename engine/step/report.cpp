#include "engine/step/report.h"

#include <algorithm>
#include <utility>

namespace drystone {
namespace {

void addWork(const SolveResult& result, StepReport& report) {
  report.pivots += result.solver.pivots;
  report.factorizations += result.solver.factorizations;
  report.timeLimited += result.solver.metTimeLimit ? 1 : 0;
  report.times.assembly += result.solver.assemblyMs;
}

void addResult(const SolveResult& result, StepReport& report) {
  const JudgeReport& judge = result.judge;
  report.naturalMap = std::max(report.naturalMap, judge.naturalMap);
  report.largestB = std::max(report.largestB, judge.largestB);
  report.relative = std::max(report.relative, judge.relative);
  report.energyError = std::max(report.energyError, judge.energyMax);
  report.coneExcess = std::max(report.coneExcess, judge.coneExcess);
  report.relaxationError = std::max(report.relaxationError, result.solver.relaxationError);
  report.iterations = std::max(report.iterations, result.solver.iterations);
  addWork(result, report);
  report.fallbacks += result.usedFallback ? 1 : 0;
  ++report.status[static_cast<int>(result.solver.status)];
  report.solvesWithin = report.solvesWithin && result.withinTolerance;
}

/// A name of files in words.
std::string wordsOf(std::string name) {
  std::ranges::replace(name, '_', ' ');
  return name;
}

}  // namespace

std::string_view awakeReasonName(AwakeReason reason) {
  switch (reason) {
    case AwakeReason::kNone:
      return "none";
    case AwakeReason::kDisabled:
      return "disabled";
    case AwakeReason::kAppliedLoad:
      return "applied load";
    case AwakeReason::kMotor:
      return "motor";
    case AwakeReason::kMovingNeighbour:
      return "moving neighbour";
    case AwakeReason::kTooFast:
      return "too fast";
    case AwakeReason::kNotLongEnough:
      return "not long enough";
    case AwakeReason::kMissedTolerance:
      return "missed tolerance";
  }
  return "";
}

std::string StepFigure::words() const { return wordsOf(name); }

std::string StageInfo::words() const { return wordsOf(name); }

std::string StepFigure::ruleText() const {
  const std::string text = rule == FigureRule::kLargest ? "largest"
                           : rule == FigureRule::kSum   ? "sum"
                                                        : "at the end";
  return isOfSolves ? text + " of the solves" : text;
}

void beginReport(StepReport& report) {
  // Everything anew but the capacity of the lists.
  std::vector<IslandReport> islands = std::move(report.islands);
  std::vector<int> broken = std::move(report.brokenJoints);
  report = StepReport{};
  islands.clear();
  broken.clear();
  report.islands = std::move(islands);
  report.brokenJoints = std::move(broken);
}

void addGivenUp(const IslandReport& island, StepReport& report) {
  addWork(island.result, report);
  report.repeatedSolves += island.repeatedSolves;
}

bool areSettled(const StepReport& report) {
  const Real most = std::min(report.jointTolerance, report.overlapTolerance) / 2;
  return std::none_of(report.islands.begin(), report.islands.end(), [&](const auto& island) {
    return island.result.withinTolerance && island.unsettled > most;
  });
}

void addIslands(int substep, const BodyStore& bodies, const Islands& islands,
                std::span<const StepJointBlock> joints, std::span<const StepContact> contacts,
                StepReport& report) {
  for (int island = 0; island < islands.count(); ++island) {
    const SolveResult& result = report.islands[island].result;
    addResult(result, report);
    report.repeatedSolves += report.islands[island].repeatedSolves;
    report.unsettled = std::max(report.unsettled, report.islands[island].unsettled);
    WorstSolve& worst = report.worst;
    if (worst.exists() && result.judge.naturalMap <= worst.result.judge.naturalMap) continue;
    worst = {.substep = substep, .island = island, .result = result};
    if (result.judge.worstBlock < 0) continue;
    const BlockSource source =
        islands.sources[islands.blockStart[island] + result.judge.worstBlock];
    const auto [a, b] = bodiesOf(source, joints, contacts);
    worst.isAtContact = source.isContact();
    worst.bodyA = bodies.idOf(a);
    worst.bodyB = bodies.idOf(b);
  }
}

void finishReport(const BodyStore& bodies, const JointStore& joints, int contacts, int rows,
                  FailurePolicy policy, StepReport& report) {
  report.bodies = bodies.slots() - static_cast<int>(bodies.freeSlots.size());
  for (const int i : bodies.active()) {
    report.maxSpeed = std::max(report.maxSpeed, bodies.velocity[i].head<3>().norm());
  }
  for (const Joint& joint : joints) report.joints += joint.active() ? 1 : 0;
  std::sort(report.brokenJoints.begin(), report.brokenJoints.end());  // inner steps each add theirs
  report.contacts = contacts;
  report.rows = rows;
  report.islandCount = static_cast<int>(report.islands.size());
  for (const IslandReport& island : report.islands) {
    report.largestIslandRows = std::max(report.largestIslandRows, island.rows);
  }
  report.withinTolerance = report.solvesWithin && report.jointsWithin() &&
                           report.overlapsWithin() && !report.hasDiverged();
  report.failed =
      report.hasDiverged() || (!report.withinTolerance && policy == FailurePolicy::kStop);
}

}  // namespace drystone
