#pragma once

#include "collision/shape/shape.h"
#include "viewer/draw/scene_view.h"

namespace drystone::viewer {

/// The longest side [m].
Real longest(const Bounds& bounds);

/// The smallest box around both.
Bounds merged(const Bounds& a, const Bounds& b);

/// Box around the bodies that move, or around all bounded ones where none does; of the snapshot's
/// poses [m].
Bounds sceneBounds(const SceneView& scene, const WorldSnapshot& snapshot);

}  // namespace drystone::viewer
