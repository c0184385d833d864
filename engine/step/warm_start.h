#pragma once

#include "engine/model/world_settings.h"
#include "engine/step/step_data.h"
#include "engine/step/step_report.h"

namespace drystone {

/// Starts every row from the impulse that its contact, found by colliders and feature key, or its
/// joint's row of the same key had in the step before, scaled by the ratio of the timesteps. New
/// contacts start from zero with unknown row states. Also gives the `box` friction model its λ̄_n:
/// the normal impulse of the step before, 0 for a new contact, which is thus frictionless for one
/// step.
void matchWarmStarts(const WorldSettings& settings, StepData& data, StepReport& report);

/// Keeps the impulses and row states of this step for the next.
void storeWarmStarts(StepData& data, Real timestep);

/// Forgets what belongs to a collider, before its index is used again.
void forgetWarmStarts(StepData& data, int collider);

/// Drops the last step's contacts and island of a body that is removed, so that no observer sees
/// them on the next body in its slot.
void forgetContacts(StepData& data, int body);

}  // namespace drystone
