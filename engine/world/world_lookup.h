#pragma once

#include "engine/model/joint_coordinates.h"
#include "engine/step/world_parts.h"

namespace drystone {

// From handles to what they name, or InputError.

/// Throws when the handle is stale.
int slotOf(const BodyStore& bodies, BodyId body);

/// Throws when the joint is not there; one that broke is.
Joint& jointOf(WorldParts& world, JointId joint);

/// Throws when the joint is not there or has no such coordinate.
JointCoordinate coordinateOf(WorldParts& world, JointId id, int coordinate);

}  // namespace drystone
