#pragma once

#include <span>
#include <vector>

#include "engine/step/rows.h"
#include "engine/step/step_report.h"

namespace drystone {

/// How sums over bodies are shared. They have the same bits for any number of threads.
struct EnergyWork {
  int threads;
  std::vector<EnergyLedger>& parts;  ///< work space
};

/// ½ uᵀ M u of all dynamic bodies at their present poses [J].
Real kineticEnergy(const BodyStore& bodies, std::span<const Vec6> velocity, const EnergyWork& work);

/// The velocity update's part of the ledger (M.14) over h, at the pose of detection, after the new
/// velocities are set: Δ(½ uᵀ M u) = ½ (u⁺ + u)ᵀ (h f + Jᵀ λ), by source. The forces f are those in
/// u*, of a body that waits at a touch until then only. `turnedInertia`: what a half step of the
/// poses added before [J].
void accountEnergy(const BodyStore& bodies, const Islands& islands, const ConstraintRows& rows,
                   const StepMotion& motion, Real h, Real turnedInertia, const EnergyWork& work,
                   EnergyLedger& ledger);

/// The pose update's part: potential, and the kinetic energy that turned inertia changed.
void finishEnergy(const BodyStore& bodies, const Vec3& gravity, const EnergyWork& work,
                  EnergyLedger& ledger);

/// After the projection: what it changed of the potential, and of the kinetic energy by turning.
void accountProjection(const BodyStore& bodies, const Vec3& gravity, const EnergyWork& work,
                       EnergyLedger& ledger);

/// Adds the ledger of inner step number `index` to that of the step. Changes of kinetic energy add
/// up too, without those by turned inertia between them, so that the sum still closes.
void noteEnergy(const EnergyLedger& part, int index, EnergyLedger& total);

}  // namespace drystone
