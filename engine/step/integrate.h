#pragma once

#include <vector>

#include "engine/model/body_store.h"
#include "engine/model/world_settings.h"
#include "engine/step/step_data.h"

namespace drystone {

/// Gives kinematic bodies the velocity that their motion prescribes at `time` [s].
void setPrescribedVelocities(BodyStore& bodies, Real time);

/// u* of every body (M.1): gravity, applied loads and the gyroscopic term. [body slots]
void freeMotion(const BodyStore& bodies, const WorldSettings& settings,
                std::vector<Vec6>& freeVelocity);

/// Moves one body by a displacement: of the centre of mass [m], and a rotation vector [rad], world
/// axes. Updates M⁻¹.
void displaceBody(BodyStore& bodies, int body, const Vec6& displacement);

/// Moves every body by `duration` [s] with its present velocity (M.2): the rotation by the
/// exponential map, renormalised. Updates M⁻¹.
void advancePoses(BodyStore& bodies, Real duration, int threads);

/// u⁺ = u* + M⁻¹ Jᵀ λ (M.7), written to the bodies' velocities.
void applyImpulses(BodyStore& bodies, const StepData& data, int threads);

}  // namespace drystone
