#pragma once

#include "collision/narrow/placed_shape.h"

namespace drystone::narrow {

/// Closest points of two convex shapes, or the points of least overlap.
struct ClosestPoints {
  bool isFound = false;         ///< false: farther apart than asked for
  Vec3 normal = Vec3::UnitZ();  ///< unit, from A to B
  Real gap = 0;                 ///< between the surfaces along the normal; negative: overlap [m]
  Vec3 onA = Vec3::Zero(), onB = Vec3::Zero();  ///< world [m]
};

/// The distance by GJK. Where the shapes overlap, the direction of least overlap by an expanding
/// polytope, then refined: B is moved out along the normal n and the distance from there gives a
/// better n; on a surface of curvature radius R that cuts the error by depth/R a round. Every gap
/// is exact along its own normal, by the support functions. A depth exceeds the least one by at
/// most 1 % and 1e-6 of the thinner shape's thickness, or what LeastOverlap adds; the gap between
/// separated shapes is exact to rounding. Spheres and capsules enter as a point and a segment.
/// Exchanging A and B only turns the normal. With isFound false only the gap's being larger than
/// `maximumGap` is certain. Not for half-spaces.
ClosestPoints closestPoints(const PlacedShape& a, const PlacedShape& b, Real maximumGap);

}  // namespace drystone::narrow
