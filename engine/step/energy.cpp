#include "engine/step/energy.h"

namespace drystone {
namespace {

/// Work of gravity, loads and the gyroscopic term on the mean velocity.
void accountForces(const WorldParts& world, const StepData& data, EnergyLedger& ledger) {
  const BodyStore& bodies = world.bodies;
  const Real h = world.settings.substep();
  for (int i = 0; i < bodies.slots(); ++i) {
    if (!bodies.isDynamic(i)) continue;
    const Vec6 mean = 0.5 * (bodies.velocity[i] + data.oldVelocity[i]);
    Vec6 external = h * bodies.load[i];
    external.head<3>() += h * bodies.mass[i] * world.settings.gravity;
    const Vec3 turn = data.freeVelocity[i].tail<3>() - data.oldVelocity[i].tail<3>();
    Vec3 gyroscopic = bodies.angularMomentum(i, turn) - external.tail<3>();
    if (world.settings.geometricStiffness) {
      // u* was shortened for the added inertia: (I + ΔI) u* = I (u + …).
      gyroscopic += data.addedInertia[i] * data.freeVelocity[i].tail<3>();
      const Vec3 impulse = -data.addedInertia[i] * bodies.velocity[i].tail<3>();
      ledger.geometric += mean.tail<3>().dot(impulse);
    }
    ledger.external += mean.dot(external);
    ledger.gyroscopic += mean.tail<3>().dot(gyroscopic);
  }
}

/// Work of one block's impulses on the mean velocity of its dynamic bodies, row by row.
void accountBlock(const StepData& data, int k, const Vec6& meanA, const Vec6& meanB,
                  EnergyLedger& ledger) {
  const ConstraintRows& rows = data.rows;
  const ProblemBlock& block = rows.blocks[k];
  const int first = rows.firstRow[k];
  for (int i = 0; i < block.rows; ++i) {
    const int row = first + i;
    const Real lambda = rows.lambda[row];
    const Real work = lambda * (rows.jacobianA[row].dot(meanA) + rows.jacobianB[row].dot(meanB));
    if (block.law == BlockLaw::kRows) {
      ledger.joints += work;
    } else if (i > 0) {
      const Real restitution = -0.5 * lambda * rows.restitutionTerm[row];
      ledger.restitution += restitution;
      ledger.friction += work - restitution;
    } else {
      // A solved contact leaves with J u⁺ = -(restitution + stabilisation + C λ): half of each is
      // its share of the mean velocity.
      const Real restitution = -0.5 * lambda * rows.restitutionTerm[row];
      const Real stabilisation =
          -0.5 * lambda * (rows.stabilizationTerm[row] + rows.compliance[row] * lambda);
      ledger.restitution += restitution;
      ledger.stabilisation += stabilisation;
      ledger.normal += work - restitution - stabilisation;
    }
  }
}

/// Of gravity, zero at the origin [J].
Real potentialEnergy(const WorldParts& world) {
  const BodyStore& bodies = world.bodies;
  Real energy = 0;
  for (int i = 0; i < bodies.slots(); ++i) {
    if (bodies.isDynamic(i)) {
      energy -= bodies.mass[i] * world.settings.gravity.dot(bodies.position[i]);
    }
  }
  return energy;
}

}  // namespace

Real kineticEnergy(const BodyStore& bodies, std::span<const Vec6> velocity) {
  Real energy = 0;
  for (int i = 0; i < bodies.slots(); ++i) {
    if (bodies.isDynamic(i)) energy += bodies.kineticEnergy(i, velocity[i]);
  }
  return energy;
}

void accountEnergy(const WorldParts& world, const StepData& data, Real kineticStart,
                   EnergyLedger& ledger) {
  const BodyStore& bodies = world.bodies;
  const Islands& islands = data.islands;
  ledger.kineticBefore = kineticEnergy(bodies, data.oldVelocity);
  ledger.kineticAfter = kineticEnergy(bodies, bodies.velocity);
  ledger.turnedInertia = ledger.kineticBefore - kineticStart;
  accountForces(world, data, ledger);
  for (int island = 0; island < islands.count(); ++island) {
    const int* slot = islands.bodies.data() + islands.bodyStart[island];
    const auto mean = [&](int local) -> Vec6 {
      if (local < 0) return Vec6::Zero();
      return 0.5 * (bodies.velocity[slot[local]] + data.oldVelocity[slot[local]]);
    };
    for (int k = islands.blockStart[island]; k < islands.blockStart[island + 1]; ++k) {
      const ProblemBlock& block = data.rows.blocks[k];
      accountBlock(data, k, mean(block.bodyA), mean(block.bodyB), ledger);
    }
  }
  ledger.ledgerError =
      ledger.kineticAfter - ledger.kineticBefore -
      (ledger.external + ledger.gyroscopic + ledger.geometric + ledger.joints + ledger.normal +
       ledger.friction + ledger.restitution + ledger.stabilisation);
}

void finishEnergy(const WorldParts& world, EnergyLedger& ledger) {
  ledger.kinetic = kineticEnergy(world.bodies, world.bodies.velocity);
  ledger.turnedInertia += ledger.kinetic - ledger.kineticAfter;
  ledger.potential = potentialEnergy(world);
}

void accountProjection(const WorldParts& world, EnergyLedger& ledger) {
  const Real kinetic = kineticEnergy(world.bodies, world.bodies.velocity);
  const Real potential = potentialEnergy(world);
  ledger.projection = potential - ledger.potential;
  ledger.turnedInertia += kinetic - ledger.kinetic;
  ledger.kinetic = kinetic;
  ledger.potential = potential;
}

void addEnergy(const EnergyLedger& part, EnergyLedger& total) {
  total.kineticAfter += part.kineticAfter - part.kineticBefore;
  for (const EnergyFlow& flow : kEnergyFlows) total.*flow.value += part.*flow.value;
  total.ledgerError += part.ledgerError;
  total.kinetic = part.kinetic;
  total.potential = part.potential;
}

}  // namespace drystone
