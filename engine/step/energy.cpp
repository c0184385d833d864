#include "engine/step/energy.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "core/parallel.h"

namespace drystone {
namespace {

/// Whether a body counts in sums of energies: dynamic, and of this process.
bool isCounted(const BodyStore& bodies, int body) {
  return bodies.isDynamic(body) && bodies.isGhost[body] == 0;
}

/// Bodies, or blocks of rows, whose work is summed up by itself: some 10 µs, and as many for any
/// number of threads.
constexpr int kSummedPerRange = 256;

/// Adds what `account(begin, end, part)` finds in each range of `count` indices to the ledger, in
/// the order of the ranges.
template <class Account>
void sumRanges(int count, int threads, std::vector<EnergyLedger>& parts, EnergyLedger& ledger,
               Account&& account) {
  parts.assign(static_cast<std::size_t>((count + kSummedPerRange - 1) / kSummedPerRange), {});
  parallelRanges(count, kSummedPerRange, threads, [&](int begin, int end) {
    // A copy of its own, which no array of rows can alias: its sums stay in registers.
    EnergyLedger sums;
    account(begin, end, sums);
    parts[static_cast<std::size_t>(begin / kSummedPerRange)] = sums;
  });
  for (const EnergyLedger& part : parts) {
    for (const EnergyFlow& flow : kEnergyFlows) ledger.*flow.value += part.*flow.value;
  }
}

/// Work of gravity, loads, damping and the gyroscopic term on the mean velocity of one body.
void accountForces(const BodyStore& bodies, int i, const StepMotion& motion, Real h,
                   EnergyLedger& ledger) {
  const Vec6 mean = 0.5 * (bodies.velocity[i] + motion.old[i]);
  Vec6 change = motion.free[i] - motion.old[i];
  if (!motion.foreign.empty()) change -= motion.foreign[i];
  Vec6 external = h * motion.load[i];
  external.head<3>() = bodies.mass[i] * change.head<3>();
  Vec3 gyroscopic = bodies.angularMomentum(i, change.tail<3>()) - external.tail<3>();
  if (!motion.damped[i].isZero(0)) {
    Vec6 damping = bodies.mass[i] * motion.damped[i];
    damping.tail<3>() = bodies.angularMomentum(i, motion.damped[i].tail<3>());
    external.head<3>() -= damping.head<3>();
    gyroscopic -= damping.tail<3>();
    ledger.damping += mean.dot(damping);
  }
  if (!motion.addedInertia.empty()) {
    // u* was changed for the added inertia and its momentum p: (I + ΔI) u* = I (u + …) + p.
    const Vec3& kept = motion.addedMomentum[i];
    gyroscopic += motion.addedInertia[i] * motion.free[i].tail<3>() - kept;
    const Vec3 impulse = kept - motion.addedInertia[i] * bodies.velocity[i].tail<3>();
    ledger.geometric += mean.tail<3>().dot(impulse);
  }
  ledger.external += mean.dot(external);
  ledger.gyroscopic += mean.tail<3>().dot(gyroscopic);
}

/// Velocity along the rows of one block at the mean velocity of its dynamic bodies.
using BlockVelocity = std::array<Real, kMaxBlockRows>;

/// Adds the part of one of its bodies.
void addVelocity(const ConstraintRows& rows, int k, const std::vector<Vec6>& jacobian,
                 const Vec6& mean, BlockVelocity& velocity) {
  const int count = rows.blocks[k].rows;
  for (int i = 0; i < count; ++i) {
    velocity[i] += jacobian[rows.firstRow[k] + i].dot(mean);
  }
}

/// Work of one block's impulses, row by row.
void accountBlock(const ConstraintRows& rows, int k, const BlockVelocity& velocity,
                  EnergyLedger& ledger) {
  const ProblemBlock& block = rows.blocks[k];
  const int first = rows.firstRow[k];
  for (int i = 0; i < block.rows; ++i) {
    const int row = first + i;
    const Real lambda = rows.impulse(row);
    const Real work = lambda * velocity[i];
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
          -0.5 * rows.lambda[row] *
          (rows.stabilizationTerm[row] + rows.compliance[row] * rows.lambda[row]);
      ledger.restitution += restitution;
      ledger.stabilisation += stabilisation;
      ledger.normal += work - restitution - stabilisation;
    }
  }
}

/// Of gravity, zero at the origin [J].
Real potentialEnergy(const BodyStore& bodies, const Vec3& gravity) {
  Real energy = 0;
  energy -= gravity.dot(bodies.momentAsleep());
  for (const int i : bodies.active()) {
    if (isCounted(bodies, i)) {
      energy -= bodies.gravityScale[i] * bodies.mass[i] * gravity.dot(bodies.position[i]);
    }
  }
  return energy;
}

}  // namespace

Real kineticEnergy(const BodyStore& bodies, std::span<const Vec6> velocity) {
  Real energy = 0;
  for (const int i : bodies.active()) {
    if (isCounted(bodies, i)) energy += bodies.kineticEnergy(i, velocity[i]);
  }
  return energy;
}

void accountEnergy(const BodyStore& bodies, const Islands& islands, const ConstraintRows& rows,
                   const StepMotion& motion, Real h, Real turnedInertia, int threads,
                   std::vector<EnergyLedger>& parts, EnergyLedger& ledger) {
  ledger.kineticBefore = kineticEnergy(bodies, motion.old);
  ledger.kineticAfter = kineticEnergy(bodies, bodies.velocity);
  ledger.turnedInertia = turnedInertia;
  const std::span<const int> active = bodies.active();
  sumRanges(static_cast<int>(active.size()), threads, parts, ledger,
            [&](int begin, int end, EnergyLedger& sums) {
              for (const int i : active.subspan(begin, end - begin)) {
                if (isCounted(bodies, i)) accountForces(bodies, i, motion, h, sums);
              }
            });
  sumRanges(static_cast<int>(rows.blocks.size()), threads, parts, ledger,
            [&](int begin, int end, EnergyLedger& sums) {
              auto next = std::ranges::upper_bound(islands.blockStart, begin);
              for (int k = begin; k < end; ++k) {
                while (*next <= k) ++next;
                const auto island = static_cast<std::size_t>(next - islands.blockStart.begin() - 1);
                const int* slot = islands.bodies.data() + islands.bodyStart[island];
                BlockVelocity velocity{};
                const auto add = [&](int local, const std::vector<Vec6>& jacobian) {
                  if (local < 0) return;
                  const Vec6 mean = 0.5 * (bodies.velocity[slot[local]] + motion.old[slot[local]]);
                  addVelocity(rows, k, jacobian, mean, velocity);
                };
                add(rows.blocks[k].bodyA, rows.jacobianA);
                add(rows.blocks[k].bodyB, rows.jacobianB);
                accountBlock(rows, k, velocity, sums);
              }
            });
  ledger.ledgerError =
      ledger.kineticAfter - ledger.kineticBefore -
      (ledger.external + ledger.damping + ledger.gyroscopic + ledger.geometric + ledger.joints +
       ledger.normal + ledger.friction + ledger.restitution + ledger.stabilisation);
}

void finishEnergy(const BodyStore& bodies, const Vec3& gravity, EnergyLedger& ledger) {
  ledger.kinetic = kineticEnergy(bodies, bodies.velocity);
  ledger.turnedInertia += ledger.kinetic - ledger.kineticAfter;
  ledger.potential = potentialEnergy(bodies, gravity);
}

void accountProjection(const BodyStore& bodies, const Vec3& gravity, EnergyLedger& ledger) {
  const Real kinetic = kineticEnergy(bodies, bodies.velocity);
  const Real potential = potentialEnergy(bodies, gravity);
  ledger.projection = potential - ledger.potential;
  ledger.turnedInertia += kinetic - ledger.kinetic;
  ledger.kinetic = kinetic;
  ledger.potential = potential;
}

void noteEnergy(const EnergyLedger& part, int index, EnergyLedger& total) {
  if (index == 0) {
    total = part;
    return;
  }
  total.kineticAfter += part.kineticAfter - part.kineticBefore;
  for (const EnergyFlow& flow : kEnergyFlows) total.*flow.value += part.*flow.value;
  total.ledgerError += part.ledgerError;
  total.kinetic = part.kinetic;
  total.potential = part.potential;
}

}  // namespace drystone
