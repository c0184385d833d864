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
void sumRanges(int count, const EnergyWork& work, EnergyLedger& ledger, Account&& account) {
  std::vector<EnergyLedger>& parts = work.parts;
  parts.assign(static_cast<std::size_t>((count + kSummedPerRange - 1) / kSummedPerRange), {});
  parallelRanges(count, kSummedPerRange, work.threads, [&](int begin, int end) {
    // A copy of its own, which no array of rows can alias: its sums stay in registers.
    EnergyLedger sums;
    account(begin, end, sums);
    parts[static_cast<std::size_t>(begin / kSummedPerRange)] = sums;
  });
  for (const EnergyLedger& part : parts) {
    for (const EnergyFlow& flow : kEnergyFlows) ledger.*flow.value += part.*flow.value;
    ledger.kineticBefore += part.kineticBefore;
    ledger.kineticAfter += part.kineticAfter;
    ledger.kinetic += part.kinetic;
    ledger.potential += part.potential;
  }
}

/// The same with `account(body, part)` for the bodies that count.
template <class Account>
void sumBodies(const BodyStore& bodies, const EnergyWork& work, EnergyLedger& ledger,
               Account&& account) {
  const std::span<const int> active = bodies.active();
  sumRanges(static_cast<int>(active.size()), work, ledger,
            [&](int begin, int end, EnergyLedger& sums) {
              for (const int i : active.subspan(begin, end - begin)) {
                if (isCounted(bodies, i)) account(i, sums);
              }
            });
}

/// Work of gravity, loads, damping and the gyroscopic term on the mean velocity of one body.
void accountForces(const BodyStore& bodies, int i, const StepMotion& motion, Real h,
                   EnergyLedger& ledger) {
  const Vec6 mean = 0.5 * (bodies.velocity[i] + motion.old[i]);
  Vec6 change = motion.free[i] - motion.old[i];
  if (!motion.foreign.empty()) change -= motion.foreign[i];
  if (!motion.attracted.empty()) change -= motion.attracted[i];
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

/// Kinetic energy at the present velocities, and that of gravity, zero at the origin [J].
void sumEnergies(const BodyStore& bodies, const Vec3& gravity, const EnergyWork& work,
                 EnergyLedger& ledger) {
  ledger.kinetic = 0;
  ledger.potential = -gravity.dot(bodies.momentAsleep());
  sumBodies(bodies, work, ledger, [&](int i, EnergyLedger& sums) {
    sums.kinetic += bodies.kineticEnergy(i, bodies.velocity[i]);
    sums.potential -= bodies.gravityScale[i] * bodies.mass[i] * gravity.dot(bodies.position[i]);
  });
}

}  // namespace

Real kineticEnergy(const BodyStore& bodies, std::span<const Vec6> velocity,
                   const EnergyWork& work) {
  EnergyLedger ledger;
  sumBodies(bodies, work, ledger, [&](int i, EnergyLedger& sums) {
    sums.kinetic += bodies.kineticEnergy(i, velocity[i]);
  });
  return ledger.kinetic;
}

void accountEnergy(const BodyStore& bodies, const Islands& islands, const ConstraintRows& rows,
                   const StepMotion& motion, Real h, Real turnedInertia, const EnergyWork& work,
                   EnergyLedger& ledger) {
  ledger.turnedInertia = turnedInertia;
  sumBodies(bodies, work, ledger, [&](int i, EnergyLedger& sums) {
    sums.kineticBefore += bodies.kineticEnergy(i, motion.old[i]);
    sums.kineticAfter += bodies.kineticEnergy(i, bodies.velocity[i]);
    accountForces(bodies, i, motion, h, sums);
  });
  sumRanges(static_cast<int>(rows.blocks.size()), work, ledger,
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

void finishEnergy(const BodyStore& bodies, const Vec3& gravity, const EnergyWork& work,
                  EnergyLedger& ledger) {
  sumEnergies(bodies, gravity, work, ledger);
  ledger.turnedInertia += ledger.kinetic - ledger.kineticAfter;
}

void accountProjection(const BodyStore& bodies, const Vec3& gravity, const EnergyWork& work,
                       EnergyLedger& ledger) {
  const Real kinetic = ledger.kinetic, potential = ledger.potential;
  sumEnergies(bodies, gravity, work, ledger);
  ledger.projection = ledger.potential - potential;
  ledger.turnedInertia += ledger.kinetic - kinetic;
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
