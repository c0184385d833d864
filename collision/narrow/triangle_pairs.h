#pragma once

#include "collision/narrow/convex_pairs.h"
#include "collision/narrow/triangle_surface.h"

namespace drystone::narrow {

/// A triangle of a surface as a body of the pair routines.
struct PlacedTriangle {
  PlacedShape shape;  ///< its polytope points to `polytope`
  Polytope polytope;
};

/// Contact of a bounded convex shape (A) with one triangle (B) of a surface whose frame is
/// `surfacePose` (position and rotation). Normals that point over an edge where the surface goes on
/// flat, inwards or less steeply than they do would catch a sliding body on the inside of the
/// surface: such a contact is taken with the triangle's own face instead.
void collideTriangle(const PlacedShape& convex, const TriangleSurface& surface, int triangle,
                     const PlacedShape& surfaceFrame, const ConvexSettings& settings,
                     PairCache& cache, ClipScratch& scratch, PlacedTriangle& placed, Manifold& out);

}  // namespace drystone::narrow
