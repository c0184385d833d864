#pragma once

#include "collision/narrow/placed_shape.h"

namespace drystone::narrow {

/// The direction along which two convex shapes overlap least, or one that separates them.
struct LeastOverlap {
  Vec3 normal = Vec3::UnitZ();  ///< unit, from A to B
  /// Along the normal, exact by the support functions; negative: overlap [m]. Where it is positive
  /// the shapes are certainly apart, by at least this.
  Real gap = 0;
  /// Points of A and B a little inside the surfaces, relative to A's position, world axes [m].
  Vec3 onA = Vec3::Zero(), onB = Vec3::Zero();
};

/// Expanding polytope (van den Bergen 2001, "Proximity queries and penetration depth computation on
/// 3D game objects") on the difference A - B, from outside or inside: its faces bound the depth
/// from below, the support plane of every face's normal bounds it from above. So the search is
/// global: the depth found exceeds the least one by at most 1 % and 1e-6 of the shapes' thickness,
/// or by what 64 support points cannot tell on larger overlaps of round shapes. One of the shapes
/// must have a volume; none may be a half-space.
LeastOverlap leastOverlap(const PlacedShape& a, const PlacedShape& b);

}  // namespace drystone::narrow
