#pragma once

#include "collision/narrow/separating_axis.h"

namespace drystone::narrow {

/// Full contact of two boxes, hulls or triangles: separating axes, then clipping of the faces, or
/// the closest points of two edges. Also for shapes that are up to `margin` apart, with the exact
/// distance. The cache keeps the choice between axes that are nearly as good as each other.
void collidePolytopes(const PlacedShape& a, const PlacedShape& b, Real margin, PairCache& cache,
                      ClipScratch& scratch, Manifold& out);

}  // namespace drystone::narrow
