#pragma once

#include <span>
#include <vector>

#include "engine/step/rows.h"
#include "engine/step/step_report.h"

namespace drystone {

/// ½ uᵀ M u of all dynamic bodies at their present poses [J].
Real kineticEnergy(const BodyStore& bodies, std::span<const Vec6> velocity);

/// The velocity update's part of the ledger (M.14) over h, at the pose of detection, after the new
/// velocities are set: Δ(½ uᵀ M u) = ½ (u⁺ + u)ᵀ (h f + Jᵀ λ), by source. The forces f are those in
/// u*, of a body that waits at a touch until then only. `turnedInertia`: what a half step of the
/// poses added before [J]. `parts` is work space. The sums have the same bits for any `threads`.
void accountEnergy(const BodyStore& bodies, const Islands& islands, const ConstraintRows& rows,
                   const StepMotion& motion, Real h, Real turnedInertia, int threads,
                   std::vector<EnergyLedger>& parts, EnergyLedger& ledger);

/// The pose update's part: potential, and the kinetic energy that turned inertia changed.
void finishEnergy(const BodyStore& bodies, const Vec3& gravity, EnergyLedger& ledger);

/// After the projection: what it changed of the potential, and of the kinetic energy by turning.
void accountProjection(const BodyStore& bodies, const Vec3& gravity, EnergyLedger& ledger);

/// Adds the ledger of inner step number `index` to that of the step. Changes of kinetic energy add
/// up too, without those by turned inertia between them, so that the sum still closes.
void noteEnergy(const EnergyLedger& part, int index, EnergyLedger& total);

}  // namespace drystone
