#pragma once

#include "collision/narrow/manifold.h"
#include "collision/narrow/placed_shape.h"

namespace drystone::narrow {

/// Closed forms of a sphere A against a sphere, box or capsule B. One point, or none beyond the
/// margin. Concentric spheres separate along +z; a centre inside a box leaves through the nearest
/// face; a centre on a capsule's axis leaves at right angles to it.
void collideSphereSphere(const PlacedShape& a, const PlacedShape& b, Real margin, Manifold& out);
void collideSphereBox(const PlacedShape& a, const PlacedShape& b, Real margin, Manifold& out);
void collideSphereCapsule(const PlacedShape& a, const PlacedShape& b, Real margin, Manifold& out);

}  // namespace drystone::narrow
