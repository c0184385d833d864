#pragma once

#include <cstdint>

#include "engine/model/world_parts.h"
#include "engine/observe/snapshot.h"

namespace drystone {

/// Copies poses, velocities and the last step's contacts with their impulses.
void takeSnapshot(const WorldParts& world, WorldSnapshot& out);

}  // namespace drystone
