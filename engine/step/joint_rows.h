#pragma once

#include "engine/model/world_parts.h"

namespace drystone {

/// Fills blocks and rows of all joints. Ball joint: three bilateral rows along the world axes, w =
/// v of B's anchor relative to A's, stabilised (M.8).
void jointRows(const WorldParts& world, StepData& data);

/// Distance between the two anchors of a ball joint at the present poses, world axes [m].
Vec3 ballJointError(const BodyStore& bodies, const BallJoint& joint);

}  // namespace drystone
