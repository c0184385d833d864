#pragma once

#include <array>
#include <optional>

#include "collision/narrow/contact_point.h"
#include "collision/narrow/placed_shape.h"

namespace drystone::narrow {

// What may be asked about the surface of one shape.

struct RayContact {
  Real fraction = 1;            ///< along the segment, in [0, 1]
  Vec3 normal = Vec3::UnitZ();  ///< unit, outwards, world
};

/// First point at which the segment enters a shape. None when it misses or begins inside.
std::optional<RayContact> castRay(const PlacedShape& shape, const Vec3& from, const Vec3& to);

/// Where the segment crosses a triangle (world corners), from either side; the normal points to the
/// side of `from` (Möller and Trumbore 1997).
std::optional<RayContact> castRay(const std::array<Vec3, 3>& corners, const Vec3& from,
                                  const Vec3& to);

/// A convex shape next to `point` of its surface, which a contact touches with its normal turned
/// outwards (unit, world).
LocalSurface localSurface(const PlacedShape& shape, const Vec3& point, const Vec3& outwards);

/// Likewise a triangle, given in its frame.
LocalSurface localSurface(const std::array<Vec3, 3>& corners, const PlacedShape& frame,
                          const Vec3& point, const Vec3& outwards);

}  // namespace drystone::narrow
