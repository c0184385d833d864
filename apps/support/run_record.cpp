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

/// Keeps the worst of a figure.
void note(std::int64_t step, Real value, WorstError& worst) {
  if (isBelow(worst.value, value)) worst = {.step = step, .value = value};
}

void nameBodies(const World& world, const BodyPair& bodies, auto& worst) {
  worst.bodyA = bodyText(world, bodies.bodyA);
  worst.bodyB = bodyText(world, bodies.bodyB);
}

}  // namespace

double StageSamples::threads() const { return StageTime{wall.sum(), busy}.threads(); }

RunRecord::RunRecord(const World& world) : potentialStart(gravityPotential(world)) {}

void RunRecord::addStep(const World& world) {
  addReport(world.lastReport(), world.settings().timestep);
  addNames(world, world.lastReport());
  failure = world.observe().failure();
}

void RunRecord::addReport(const StepReport& report, Real timestep) {
  ++steps;
  simulated = static_cast<Real>(steps) * timestep;
  for (std::size_t i = 0; i < kStepFigures.size(); ++i) {
    const StepFigure& figure = kStepFigures[i];
    if (report.worst.exists() || !figure.isOfSolves) figures[i].add(figure.valueIn(report));
  }
  for (std::size_t i = 0; i < kParts.size(); ++i) times[i].add(report.times.*kParts[i].time);
  const StageTimes& of = report.times;
  otherTime.add(std::max(0.0, of.step - of.collision - of.rows - of.solve - of.integrate));
  for (std::size_t i = 0; i < stages.size(); ++i) {
    stages[i].wall.add(report.times.stages[i].wall);
    stages[i].busy += report.times.stages[i].busy;
  }
  if (report.worst.exists()) addSolves(report);
  addMisses(report);
  addEnergy(report);
}

void RunRecord::addSolves(const StepReport& report) {
  for (std::size_t i = 0; i < status.size(); ++i) status[i] += report.status[i];
  fallbacks += report.fallbacks;
  stepsTimeLimited += report.timeLimited > 0 ? 1 : 0;
  if (report.naturalMap == 0) return;  // no block is worse than another
  if (worst.step == 0 || isBelow(worst.naturalMap, report.naturalMap)) {
    worst = {.step = report.step,
             .island = report.worst.island,
             .isAtContact = report.worst.isAtContact,
             .bodyA = {},
             .bodyB = {},
             .naturalMap = report.naturalMap,
             .status = std::string(solveStatusName(report.worst.result.solver.status))};
  }
}

void RunRecord::addMisses(const StepReport& report) {
  solvesMissed += report.solvesWithin ? 0 : 1;
  jointsMissed += report.jointsWithin() ? 0 : 1;
  overlapsMissed += report.overlapsWithin() ? 0 : 1;
  note(report.step, report.overlapError, worstOverlap);
  note(report.step, report.jointError, worstJoint);
  stepsForgiven += report.overlapForgiven > 0 ? 1 : 0;
  note(report.step, report.overlapForgiven, worstForgiven);
  joints = report.joints;
  jointTolerance = report.jointTolerance;
  overlapTolerance = report.overlapTolerance;
  if (report.withinTolerance) return;
  ++stepsMissed;
  if (!firstMissed) firstMissed = report.step;
}

/// Of what was worst so far in this step.
void RunRecord::addNames(const World& world, const StepReport& report) {
  if (report.hasDiverged()) diverged = bodyText(world, report.diverged);
  if (worst.step == report.step) {
    nameBodies(world, {report.worst.bodyA, report.worst.bodyB}, worst);
  }
  if (worstOverlap.step == report.step) nameBodies(world, report.worstOverlap, worstOverlap);
  if (worstForgiven.step == report.step) nameBodies(world, report.worstForgiven, worstForgiven);
  if (worstJoint.step != report.step) return;
  nameBodies(world, report.worstJointBodies, worstJoint);
  worstJoint.joint = world.joint(report.worstJoint).name();
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
