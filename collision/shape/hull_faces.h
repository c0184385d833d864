#pragma once

#include "collision/shape/hull_triangles.h"
#include "collision/shape/shape.h"

namespace drystone::detail {

/// Merges neighbouring triangles that lie within the triangulation's tolerance of one plane into
/// faces, drops vertices inside a face or on a straight edge, and fills normals and edges. Faces
/// start at their lowest vertex and are sorted; vertices keep the order of `points`.
HullData mergeHullFaces(const std::vector<Vec3>& points, const HullTriangles& triangles);

}  // namespace drystone::detail
