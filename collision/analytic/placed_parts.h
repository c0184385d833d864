#pragma once

// The convex parts of any shape near a point, for what judges contacts.

#include <vector>

#include "collision/analytic/convex_geometry.h"
#include "collision/shape/shape.h"
#include "core/types.h"

namespace drystone::certify {

/// A convex part of a shape, at its place.
struct PlacedPart {
  PlacedConvex convex;
  bool isTriangle = false;  ///< of a mesh or height field
  bool isOfField = false;   ///< of a height field: counter-clockwise from above
  Real distance = 0;        ///< of the point from its surface, whichever side it is on [m]
};

/// The rounding of points some metres from the origin: parts that are as near as this are as near
/// [m].
constexpr Real kAsNear = 1e-9;

/// Replaces `out` by the parts of a placed shape whose surfaces are as near to a point (world) as
/// the nearest, give or take kAsNear and an eighth of the nearest distance: any of them may be the
/// one that touches there. The parts are those of a compound, and the triangles of a mesh or height
/// field but those without area. A convex shape is its own only part.
void findNearParts(const Shape& shape, const Pose& pose, const Vec3& point,
                   std::vector<PlacedPart>& out);

}  // namespace drystone::certify
