#pragma once

#include <cstdint>

#include "engine/observe/snapshot.h"
#include "engine/step/world_parts.h"

namespace drystone {

/// Copies poses, velocities, bounding boxes, and the last step's contacts and joints with what they
/// transmit. Allocates nothing once `out` has the capacity.
void takeSnapshot(const WorldParts& world, WorldSnapshot& out);

}  // namespace drystone
