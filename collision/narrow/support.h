#pragma once

#include "collision/narrow/placed_shape.h"

namespace drystone::narrow {

/// Farthest point of a bounded convex shape along `direction` (world axes, need not be unit),
/// relative to the shape's position. `coreOnly` leaves out the radius of spheres and capsules.
Vec3 support(const PlacedShape& shape, const Vec3& direction, bool coreOnly);

/// Radius by which a sphere's or capsule's surface surrounds its core; 0 for others [m].
Real coreRadius(const PlacedShape& shape);

/// A length that tolerances of the pair are relative to: the smaller shape's thickness [m].
Real thickness(const PlacedShape& a, const PlacedShape& b);

}  // namespace drystone::narrow
