#pragma once

#include "scenes/reading/scene_context.h"

namespace drystone {

/// Reads the joints that a gear couples from `joint_a` and `joint_b`, and reports those that no
/// gear can couple.
void readGearJoints(ObjectReader& in, const SceneContext& context, SceneJoint& gear);

}  // namespace drystone
