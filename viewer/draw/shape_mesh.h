#pragma once

#include "collision/shape/shape.h"
#include "viewer/draw/draw_list.h"

namespace drystone::viewer {

/// How finely round surfaces are cut: each level halves the edges.
enum class MeshDetail { kCoarse, kMedium, kFine, kFinest };
constexpr int kMeshDetails = 4;

/// The surface of a shape in the shape's frame. Round parts have smooth normals, edges sharp ones;
/// meshes and height fields, which have no inside, are smooth where they bend little. Compounds are
/// the surfaces of their children. Planes, which have no end, give an empty mesh.
TriangleMeshf shapeMesh(const Shape& shape, MeshDetail detail = MeshDetail::kFine);

/// The square [-1, 1]² of the plane z = 0, seen from both sides.
TriangleMeshf squareMesh();

/// Stretched along its axes by positive factors; normals stay normal.
void scaleMesh(const Vec3f& factors, TriangleMeshf& mesh);

}  // namespace drystone::viewer
