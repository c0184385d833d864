#pragma once

#include "engine/step/world_parts.h"

namespace drystone {

/// Lets the two bodies of a joint collide unless an active joint between them says otherwise. To be
/// called when the joint comes, goes or breaks.
void updateConnectedCollision(WorldParts& world, const Joint& joint);

}  // namespace drystone
