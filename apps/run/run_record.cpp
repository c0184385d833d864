#include "apps/run/run_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace drystone::cli {
namespace {

/// Potential of gravity, zero at the origin, as EnergyLedger::potential [J].
Real gravityPotential(const World& world) {
  Real sum = 0;
  for (const BodyId body : world.bodies()) {
    if (world.kind(body) != BodyKind::kDynamic) continue;
    sum -= world.mass(body) * world.settings().gravity.dot(world.centerOfMass(body));
  }
  return sum;
}

std::string bodyText(const World& world, BodyId body) {
  if (!world.contains(body)) return "the ground";
  const std::string_view name = world.name(body);
  return name.empty() ? fmt::format("body {}", body.index) : fmt::format("'{}'", name);
}

}  // namespace

std::string describeWorstBlock(const World& world, const StepReport& report, int island) {
  const IslandReport& figures = report.islands[static_cast<std::size_t>(island)];
  if (figures.worstContact < 0) return "a joint";
  WorldSnapshot snapshot;
  world.snapshot(snapshot);
  const ContactSnapshot& contact =
      snapshot.contacts[static_cast<std::size_t>(figures.worstContact)];
  return fmt::format("contact {} - {}", bodyText(world, contact.bodyA),
                     bodyText(world, contact.bodyB));
}

RunRecord::RunRecord(const World& world) : potentialStart_(gravityPotential(world)) {}

void RunRecord::addStep(const World& world) {
  const StepReport& report = world.lastReport();
  ++steps;
  simulated = static_cast<Real>(steps) * world.settings().timestep;
  contacts.add(report.contacts);
  rows.add(report.rows);
  islands.add(static_cast<double>(report.islands.size()));
  if (report.contacts > 0) {
    warmStartedShare.add(static_cast<double>(report.warmStarted) / report.contacts);
  }
  for (std::size_t i = 0; i < kStages.size(); ++i) times[i].add(report.times.*kStages[i].time);
  for (const IslandReport& island : report.islands) {
    largestIslandRows = std::max(largestIslandRows, island.rows);
  }
  penetration.add(report.maxPenetration);
  jointDrift.add(report.maxJointDrift);
  jointTurn.add(report.maxJointTurn);
  maxSpeed = std::max(maxSpeed, report.maxSpeed, isBelow);
  if (report.rows > 0) addAccuracy(world, report);
  addEnergy(report);
}

void RunRecord::addAccuracy(const World& world, const StepReport& report) {
  naturalMap.add(report.naturalMap);
  relative.add(report.relative);
  energyError.add(report.energyError);
  coneExcess.add(report.coneExcess);
  relaxationError.add(report.relaxationError);
  iterations.add(report.iterations);
  pivots.add(report.pivots);
  factorizations.add(report.factorizations);
  for (std::size_t i = 0; i < status.size(); ++i) status[i] += report.status[i];
  fallbacks += report.fallbacks;
  stopped = stopped || report.failed;
  if (!report.withinTolerance) {
    ++stepsMissed;
    if (!firstMissed) firstMissed = report.step;
  }
  const bool isWorse = worst.island < 0 || isBelow(worst.naturalMap, report.naturalMap);
  if (isWorse && report.worstIsland >= 0) {
    const auto& island = report.islands[static_cast<std::size_t>(report.worstIsland)];
    worst = {report.step, report.worstIsland, describeWorstBlock(world, report, report.worstIsland),
             report.naturalMap, std::string(solveStatusName(island.result.solver.status))};
  }
}

void RunRecord::addEnergy(const StepReport& report) {
  const EnergyLedger& step = report.energy;
  if (steps == 1) energyStart = step.kineticBefore + potentialStart_;
  kineticEnd = step.kinetic;
  energyEnd = step.kinetic + step.potential;
  for (const EnergyFlow& flow : kEnergyFlows) ledger.*flow.value += step.*flow.value;
  ledgerErrorMax = std::max(ledgerErrorMax, std::abs(step.ledgerError), isBelow);
}

}  // namespace drystone::cli
