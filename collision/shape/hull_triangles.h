#pragma once

#include <array>
#include <vector>

#include "core/types.h"

namespace drystone::detail {

/// Triangulated convex hull: corners index the input points, counter-clockwise from outside.
/// Triangle t meets `neighbors[t][i]` across the edge from corner i to corner i + 1.
struct HullTriangles {
  std::vector<std::array<int, 3>> corners;
  std::vector<std::array<int, 3>> neighbors;
  Real tolerance = 0;  ///< points this close to the hull of the others may be left out [m]
};

/// Convex hull of finite points with largest coordinate extent `size` [m] > 0. The result depends
/// only on the points and their order. Throws InputError when they do not span a volume.
HullTriangles triangulateHull(const std::vector<Vec3>& points, Real size);

}  // namespace drystone::detail
