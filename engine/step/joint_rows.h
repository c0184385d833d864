#pragma once

#include "engine/step/world_parts.h"

namespace drystone {

/// Lists the rows of all active joints at the present poses, in blocks of at most kMaxBlockRows of
/// one joint: locks first, then per coordinate limit, spring, motor and friction. Sets the errors
/// and angles of Joint. `world.time` is the start of the step.
void listJointRows(WorldParts& world, StepData& data);

/// Writes the listed rows to their places: b = J u* + bias (M.8).
void jointRows(const WorldParts& world, StepData& data);

/// Starts the joints' impulses of a step anew; those that sleep keep theirs.
void forgetJointImpulses(WorldParts& world);

/// Adds each joint's impulse of an inner step at the poses of detection, and breaks the joints that
/// bore more than they can.
void finishJoints(WorldParts& world, const StepData& data, StepReport& report);

}  // namespace drystone
