#pragma once

#include <cstdint>

#include "engine/model/world_parts.h"
#include "engine/observe/snapshot.h"

namespace drystone {

/// Copies poses, velocities, bounding boxes, and the last step's contacts and joints with what they
/// transmit. Allocates nothing once `out` has the capacity.
void takeSnapshot(const WorldParts& world, WorldSnapshot& out);

}  // namespace drystone
