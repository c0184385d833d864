#pragma once

#include "collision/narrow/placed_shape.h"

namespace drystone::narrow {

/// Distance of the cores of two convex shapes: themselves, but spheres without their radius are
/// points and capsules segments.
struct CoreDistance {
  bool isSeparated = false;  ///< for certain: a slab of width `gap` across the normal lies between
  Vec3 normal = Vec3::UnitZ();  ///< unit, from A to B
  Real gap = 0;                 ///< along the normal, exact by the support functions [m]
  Vec3 onA = Vec3::Zero(), onB = Vec3::Zero();  ///< relative to A's position, world axes [m]
};

/// Gap of the cores along a unit normal, from A to B; negative: overlap [m].
Real coreGap(const PlacedShape& a, const PlacedShape& b, const Vec3& normal);

/// Gilbert, Johnson and Keerthi 1988, "A fast procedure for computing the distance between complex
/// objects in three-dimensional space", with B moved by `shift`. Starts along `guess` (unit, from A
/// to B). Stops at the distance to rounding, or as soon as the gap is certain to exceed `enough`.
/// Not separated: the cores overlap, or touch too closely to tell a normal.
CoreDistance coreDistance(const PlacedShape& a, const PlacedShape& b, const Vec3& shift,
                          const Vec3& guess, Real enough);

}  // namespace drystone::narrow
