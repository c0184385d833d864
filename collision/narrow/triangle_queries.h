#pragma once

#include <array>
#include <optional>

#include "collision/shape/local_surface.h"
#include "collision/shape/ray_cast.h"

namespace drystone::narrow {

// What may be asked about one triangle of a surface; of whole shapes: ShapeOperations.

/// Where the segment crosses a triangle (world corners), from either side; the normal points to the
/// side of `from` (Möller and Trumbore 1997).
std::optional<RayContact> castRay(const std::array<Vec3, 3>& corners, const Vec3& from,
                                  const Vec3& to);

/// The triangle, given in its frame, next to `point` of it, which a contact touches with its normal
/// turned outwards (unit, world).
LocalSurface localSurface(const std::array<Vec3, 3>& corners, const PlacedShape& frame,
                          const Vec3& point, const Vec3& outwards);

}  // namespace drystone::narrow
