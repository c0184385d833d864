#pragma once

#include "viewer/draw/scene_view.h"

namespace drystone::viewer {

/// Box around the bodies that move, or around all bounded ones where none does; of the snapshot's
/// poses [m].
Bounds sceneBounds(const SceneView& scene, const WorldSnapshot& snapshot);

}  // namespace drystone::viewer
