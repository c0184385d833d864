#pragma once

#include "engine/step/world_parts.h"

namespace drystone {

/// Fills `data.contacts` with this step's contacts between bodies of which one at least is dynamic,
/// sorted by (colliderA, colliderB, feature), each with its pair's material and tangents.
void detectContacts(WorldParts& world, StepData& data);

}  // namespace drystone
