#pragma once

#include <optional>

#include "collision/shape/placed_shape.h"
#include "collision/shape/ray_cast.h"

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

/// The same of a bounded convex shape and another one, or a half-space.
ClosestPoints distanceTo(const PlacedShape& bounded, const PlacedShape& other);

/// Shapes closer than this share of their thickness count as touching in casts and queries.
constexpr Real kTouchingShare = 1e-9;

/// First touch of the moving bounded shape with another one, or a half-space, by conservative
/// advancement: the distance over the speed along its direction never passes the touch. The normal
/// leads to the moving shape.
std::optional<RayContact> castConvex(PlacedShape bounded, const Vec3& motion,
                                     const PlacedShape& other);

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
