#pragma once

#include "scenes/reading/scene_context.h"

namespace drystone {

/// Looks at the joints of a scene that was read without an error, at its start: warns of anchors
/// far from their bodies, of joints whose points do not meet and of angles that start outside their
/// range, and reports loops of joints that no
/// placement of their bodies can close.
void checkJoints(SceneContext& context);

}  // namespace drystone
