#pragma once

#include "collision/narrow/placed_shape.h"

namespace drystone::bullet {

/// Closest points of two convex shapes, or the points of least overlap.
struct ClosestPoints {
  bool isFound = false;         ///< false: farther apart than asked for
  Vec3 normal = Vec3::UnitZ();  ///< unit, from A to B
  Real gap = 0;                 ///< between the surfaces along the normal; negative: overlap [m]
  Vec3 onA = Vec3::Zero(), onB = Vec3::Zero();  ///< world [m]
};

/// By Bullet's GJK in double precision; where the shapes overlap by its EPA, whose direction is
/// then refined: B is moved out along the normal n and the distance from there gives a better n.
/// On a surface of curvature radius R that cuts the error by depth/R a round. Spheres and capsules
/// enter as a point and a segment, so that their distance is exact. Not for half-spaces.
ClosestPoints closestPoints(const narrow::PlacedShape& a, const narrow::PlacedShape& b,
                            Real maximumGap);

}  // namespace drystone::bullet
