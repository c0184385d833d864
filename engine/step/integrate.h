#pragma once

#include <span>
#include <vector>

#include "engine/model/body_store.h"
#include "engine/model/world_settings.h"
#include "engine/step/rows.h"

namespace drystone {

/// Gives kinematic bodies the velocity that their motion prescribes at `time` [s].
void setPrescribedVelocities(Real time, BodyStore& bodies);

/// u* of every body after h [s] (M.1): gravity, applied loads and the gyroscopic term.
void freeMotion(const BodyStore& bodies, const WorldSettings& settings, Real h,
                std::vector<Vec6>& freeVelocity);

/// Moves one body by a displacement: of the centre of mass [m], and a rotation vector [rad], world
/// axes. Updates M⁻¹.
void displaceBody(int body, const Vec6& displacement, BodyStore& bodies);

/// Moves every body by `duration` [s] with its present velocity (M.2): the rotation by the
/// exponential map, renormalised. Updates M⁻¹.
void advancePoses(Real duration, int threads, BodyStore& bodies);

/// u⁺ = u* + M⁻¹ Jᵀ λ (M.7), written to the bodies' velocities.
void applyImpulses(const Islands& islands, const ConstraintRows& rows,
                   std::span<const Vec6> freeVelocity, int threads, BodyStore& bodies);

}  // namespace drystone
