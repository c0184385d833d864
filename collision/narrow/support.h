#pragma once

#include "collision/narrow/clip.h"
#include "collision/narrow/distance.h"
#include "collision/shape/placed_shape.h"

namespace drystone::narrow {

/// The feature with which a bounded convex shape faces along `direction` (unit, world), its points
/// relative to `origin`.
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

}  // namespace drystone::narrow
