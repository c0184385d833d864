#pragma once

#include "collision/narrow/clip.h"
#include "collision/narrow/distance.h"
#include "collision/narrow/placed_shape.h"

namespace drystone::narrow {

/// Farthest point of a bounded convex shape along `direction` (world axes, need not be unit),
/// relative to the shape's position. `coreOnly` leaves out the radius of spheres and capsules.
Vec3 support(const PlacedShape& shape, const Vec3& direction, bool coreOnly);

/// Radius by which a sphere's or capsule's surface surrounds its core; 0 for others [m].
Real coreRadius(const PlacedShape& shape);

/// A length that tolerances of the pair are relative to: the smaller shape's thickness [m].
Real thickness(const PlacedShape& a, const PlacedShape& b);

/// Ids of the features of smooth shapes (those of rims: rim.h).
constexpr int kSideLowId = 32, kSideHighId = 33, kSideEdgeId = 40;

/// The feature with which a shape faces along `direction` (unit, world): a face or a sampled cap, a
/// line, or a point, whichever is the largest that is square to the direction to within 5°. Points
/// are relative to `origin`.
void supportFeature(const PlacedShape& shape, const Vec3& direction, const Vec3& origin,
                    Polygon& out);

/// The contact that the closest (or deepest) points belong to: their features laid on each other.
/// The deepest point is always among the result.
void contactOfFeatures(const PlacedShape& a, const PlacedShape& b, const ClosestPoints& closest,
                       Real margin, Real tolerance, ClipScratch& scratch, Manifold& out);

/// Two edges (2 corners each) side by side: the ends of the stretch where they overlap, or nothing
/// when they are not parallel. Ends that coincide to within the tolerance are named after B's.
void contactOfParallelEdges(const Polygon& a, const Polygon& b, const Vec3& origin,
                            const Vec3& normal, Real margin, Real tolerance, Manifold& out);

/// Tight axis-aligned box of a placed shape. Half-spaces reach to ±kUnbounded, except along the
/// world axis that their normal follows exactly.
Aabb boundsOf(const PlacedShape& shape);

constexpr Real kUnbounded = 1e15;  ///< [m]

}  // namespace drystone::narrow
