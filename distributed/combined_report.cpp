// The report of a step from those of all processes: figures by their rules, energies added up.
#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "distributed/distributed_world.h"

namespace drystone {
namespace {

/// Numbers of the last inner step are those of all processes together, but for what is the largest
/// of something.
bool isLargest(const StepFigure& figure) {
  return figure.rule == FigureRule::kLargest ||
         figure.name == std::string_view("largest_island_rows") ||
         figure.name == std::string_view("max_speed");
}

void setFigure(const StepFigure& figure, Real value, StepReport& report) {
  std::visit(
      [&](auto member) {
        report.*member = static_cast<std::remove_reference_t<decltype(report.*member)>>(value);
      },
      figure.member);
}

/// Energies that are no flows.
constexpr std::array kEnergySums = {&EnergyLedger::kineticBefore, &EnergyLedger::kineticAfter,
                                    &EnergyLedger::kinetic, &EnergyLedger::potential};

}  // namespace

void DistributedWorld::combineReports() {
  const StepReport& own = world_.lastReport();
  const BodyStore& bodies = parts_.bodies;
  std::vector<Real> sums, largest, scratch;
  for (const StepFigure& figure : kStepFigures) {
    (isLargest(figure) ? largest : sums).push_back(figure.valueIn(own));
  }
  for (const auto energy : kEnergySums) sums.push_back(own.energy.*energy);
  for (const EnergyFlow& flow : kEnergyFlows) sums.push_back(own.energy.*flow.value);
  for (const int count : own.status) sums.push_back(count);
  Vec3 momentum = Vec3::Zero();
  Real ghosts = 0;
  const std::vector<int> owned = share_.owned(bodies);
  for (const int slot : owned) momentum += bodies.mass[slot] * bodies.velocity[slot].head<3>();
  for (const std::vector<int>& held : ghosts_.held) ghosts += static_cast<Real>(held.size());
  const auto isGhost = [&](int slot) { return slot >= 0 && bodies.isGhost[slot] != 0; };
  const auto borderContacts = std::ranges::count_if(
      parts_.data.contacts,
      [&](const StepContact& contact) { return isGhost(contact.bodyA) || isGhost(contact.bodyB); });
  const Real bodyCount = static_cast<Real>(owned.size());
  for (const Real number :
       {momentum.x(), momentum.y(), momentum.z(), ghosts, static_cast<Real>(borderContacts),
        static_cast<Real>(islands_.last().sharedBodies), bodyCount,
        static_cast<Real>(islands_.last().rows), static_cast<Real>(figures_.migrated),
        static_cast<Real>(figures_.traffic.messages), static_cast<Real>(figures_.traffic.bytes),
        static_cast<Real>(own.joints)}) {
    sums.push_back(number);
  }
  const int diverged = own.hasDiverged() ? share_.globalOf[own.diverged.index] : -1;
  for (const Real number :
       {bodyCount, -bodyCount, own.solvesWithin ? 0.0 : 1.0, own.withinTolerance ? 0.0 : 1.0,
        own.failed ? 1.0 : 0.0, own.worst.exists() ? 1.0 : 0.0, static_cast<Real>(diverged)}) {
    largest.push_back(number);
  }
  addUp(processes_, sums, scratch);
  takeLargest(processes_, largest, scratch);

  const Real* sum = sums.data();
  const Real* most = largest.data();
  report_ = {};
  for (const StepFigure& figure : kStepFigures) {
    setFigure(figure, *(isLargest(figure) ? most : sum)++, report_);
  }
  EnergyLedger& energy = report_.energy;
  for (const auto member : kEnergySums) energy.*member = *sum++;
  for (const EnergyFlow& flow : kEnergyFlows) energy.*flow.value = *sum++;
  energy.ledgerError =
      energy.kineticAfter - energy.kineticBefore -
      (energy.external + energy.damping + energy.gyroscopic + energy.geometric + energy.joints +
       energy.normal + energy.friction + energy.restitution + energy.stabilisation);
  for (int& count : report_.status) count = static_cast<int>(*sum++);
  const auto nextCount = [&] { return static_cast<std::int64_t>(*sum++); };
  for (int axis = 0; axis < 3; ++axis) figures_.momentum[axis] = *sum++;
  figures_.ghosts = nextCount();
  figures_.borderContacts = nextCount();
  figures_.sharedBodies = nextCount();
  // Each process has what does not move freely; it counts once.
  const std::int64_t others =
      own.bodies - static_cast<std::int64_t>(bodyCount) - static_cast<std::int64_t>(ghosts);
  report_.bodies = static_cast<int>(nextCount() + others);
  figures_.sharedRows = nextCount();
  figures_.migrated = nextCount();
  figures_.traffic.messages = nextCount();
  figures_.traffic.bytes = nextCount();
  report_.joints = static_cast<int>(nextCount());
  figures_.sharedIterations = islands_.last().solver.iterations;
  figures_.ownBodiesMost = static_cast<std::int64_t>(most[0]);
  figures_.ownBodiesLeast = static_cast<std::int64_t>(-most[1]);
  report_.solvesWithin = most[2] == 0;
  report_.withinTolerance = most[3] == 0;
  report_.failed = most[4] != 0;
  if (most[5] != 0) {
    report_.worst.substep = 0;
    report_.worst.island = 0;
    report_.worst.result.judge.naturalMap = report_.naturalMap;
  }
  report_.diverged.index = static_cast<int>(most[6]);
  report_.step = own.step;
  report_.time = own.time;
  report_.times = own.times;
  report_.jointTolerance = own.jointTolerance;
  report_.overlapTolerance = own.overlapTolerance;
}

}  // namespace drystone
