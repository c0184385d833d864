#pragma once

#include <array>

#include "collision/narrow/contact_point.h"
#include "collision/narrow/placed_shape.h"

namespace drystone::narrow {

/// A convex shape next to `point` of its surface, which a contact touches with its normal turned
/// outwards (unit, world).
LocalSurface localSurface(const PlacedShape& shape, const Vec3& point, const Vec3& outwards);

/// Likewise a triangle, given in its frame.
LocalSurface localSurface(const std::array<Vec3, 3>& corners, const PlacedShape& frame,
                          const Vec3& point, const Vec3& outwards);

}  // namespace drystone::narrow
