#include "apps/support/run_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace drystone::cli {
namespace {

/// Potential of gravity, zero at the origin, as EnergyLedger::potential [J].
Real gravityPotential(const World& world) {
  Real sum = 0;
  for (const BodyId id : world.bodies()) {
    const ConstBodyHandle body = world.body(id);
    if (body.kind() != BodyKind::kDynamic) continue;
    sum -= body.mass() * world.settings().gravity.dot(body.centerOfMass());
  }
  return sum;
}

std::string bodyText(const World& world, BodyId body) {
  if (!world.contains(body)) return "the ground";
  const std::string_view name = world.body(body).name();
  return name.empty() ? fmt::format("body {}", body.index) : fmt::format("'{}'", name);
}

/// The worst block by the names of its bodies: "contact 'a' - 'b'".
std::string placeOf(const World& world, const WorstSolve& worst) {
  return fmt::format("{} {} - {}", worst.isAtContact ? "contact" : "joint",
                     bodyText(world, worst.bodyA), bodyText(world, worst.bodyB));
}

/// Keeps the worst of a figure with the bodies that it is of.
void note(const World& world, std::int64_t step, Real value, const BodyPair& bodies,
          WorstError& worst) {
  if (!isBelow(worst.value, value)) return;
  worst = {.step = step,
           .bodyA = bodyText(world, bodies.bodyA),
           .bodyB = bodyText(world, bodies.bodyB),
           .value = value};
}

}  // namespace

double StageSamples::threads() const { return StageTime{wall.sum(), busy}.threads(); }

RunRecord::RunRecord(const World& world) : potentialStart(gravityPotential(world)) {}

void RunRecord::addStep(const World& world) {
  const StepReport& report = world.lastReport();
  ++steps;
  simulated = static_cast<Real>(steps) * world.settings().timestep;
  for (std::size_t i = 0; i < kStepFigures.size(); ++i) {
    const StepFigure& figure = kStepFigures[i];
    if (report.worst.exists() || !figure.isOfSolves) figures[i].add(figure.valueIn(report));
  }
  for (std::size_t i = 0; i < kParts.size(); ++i) times[i].add(report.times.*kParts[i].time);
  for (std::size_t i = 0; i < stages.size(); ++i) {
    stages[i].wall.add(report.times.stages[i].wall);
    stages[i].busy += report.times.stages[i].busy;
  }
  if (report.worst.exists()) addSolves(world, report);
  addMisses(world, report);
  addEnergy(report);
}

void RunRecord::addSolves(const World& world, const StepReport& report) {
  for (std::size_t i = 0; i < status.size(); ++i) status[i] += report.status[i];
  fallbacks += report.fallbacks;
  stepsTimeLimited += report.timeLimited > 0 ? 1 : 0;
  if (report.naturalMap == 0) return;  // no block is worse than another
  if (worst.step == 0 || isBelow(worst.naturalMap, report.naturalMap)) {
    worst = {report.step, report.worst.island, placeOf(world, report.worst), report.naturalMap,
             std::string(solveStatusName(report.worst.result.solver.status))};
  }
}

void RunRecord::addMisses(const World& world, const StepReport& report) {
  failure = world.observe().failure();
  if (report.hasDiverged()) diverged = bodyText(world, report.diverged);
  solvesMissed += report.solvesWithin ? 0 : 1;
  jointsMissed += report.jointsWithin() ? 0 : 1;
  overlapsMissed += report.overlapsWithin() ? 0 : 1;
  note(world, report.step, report.overlapError, report.worstOverlap, worstOverlap);
  note(world, report.step, report.jointError, report.worstJointBodies, worstJoint);
  if (worstJoint.step == report.step) worstJoint.joint = world.joint(report.worstJoint).name();
  if (report.withinTolerance) return;
  ++stepsMissed;
  if (!firstMissed) firstMissed = report.step;
}

void RunRecord::addEnergy(const StepReport& report) {
  const EnergyLedger& step = report.energy;
  if (steps == 1) kineticStart = step.kineticBefore;
  kineticEnd = step.kinetic;
  potentialEnd = step.potential;
  for (const EnergyFlow& flow : kEnergyFlows) ledger.*flow.value += step.*flow.value;
  ledgerErrorMax = std::max(ledgerErrorMax, std::abs(step.ledgerError), isBelow);
}

}  // namespace drystone::cli
