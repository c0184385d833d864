#pragma once

#include <array>
#include <vector>

#include "collision/shape/shape.h"
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

/// Merges neighbouring triangles that lie within the triangulation's tolerance of one plane into
/// faces, drops vertices inside a face or on a straight edge, and fills normals and edges. Faces
/// start at their lowest vertex and are sorted; vertices keep the order of `points`.
HullData mergeHullFaces(const std::vector<Vec3>& points, const HullTriangles& triangles);

}  // namespace drystone::detail
