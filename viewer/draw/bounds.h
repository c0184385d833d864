#pragma once

#include <optional>

#include "collision/collision_world.h"
#include "collision/shape/shape.h"
#include "viewer/draw/scene_view.h"

namespace drystone::viewer {

/// Smallest box of the shape along the axes of its own frame; none of planes.
std::optional<Bounds> shapeBounds(const Shape& shape);

/// The box along the world's axes around a placed box. Spheres keep their size when they turn:
/// `turns` is false for them.
Bounds placedBounds(const Bounds& local, const Pose& pose, bool turns = true);

/// Of the shape at its place; none of planes.
std::optional<Bounds> placedBounds(const Shape& shape, const Pose& pose);

/// The longest side [m].
Real longest(const Bounds& bounds);

/// The smallest box around both.
Bounds merged(const Bounds& a, const Bounds& b);

/// Box around the bodies that move, or around all bounded ones where none does; of the snapshot's
/// poses [m].
Bounds sceneBounds(const SceneView& scene, const WorldSnapshot& snapshot);

}  // namespace drystone::viewer
