#pragma once

#include "collision/narrow/clip.h"
#include "collision/narrow/manifold.h"
#include "collision/narrow/placed_shape.h"

namespace drystone::narrow {

/// What detection of a pair needs besides the shapes.
struct ConvexSettings {
  Real margin = 0;     ///< [m]
  bool reduce = true;  ///< to four points
};

/// The contact of any two convex shapes (or a half-space), in either order. `cache` is the pair's
/// own; it is read and replaced.
void collideConvex(const PlacedShape& a, const PlacedShape& b, const ConvexSettings& settings,
                   PairCache& cache, ClipScratch& scratch, Manifold& out);

}  // namespace drystone::narrow
