#pragma once

#include "collision/narrow/manifold.h"
#include "collision/narrow/placed_shape.h"

namespace drystone::narrow {

/// Half-space A against any bounded shape B, in closed form: every vertex of a polyhedron, the end
/// points of a capsule, samples of a cap's rim or the ends of a side line, as far as they lie
/// within the margin.
void collidePlane(const PlacedShape& a, const PlacedShape& b, Real margin, Manifold& out);

}  // namespace drystone::narrow
