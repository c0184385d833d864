#pragma once

#include <functional>
#include <memory>

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

/// The form that all shapes which are stretched from it share, and how far it is stretched.
struct MeshForm {
  std::function<TriangleMeshf(MeshDetail)> mesh;  ///< of the form; planes have the square [-1, 1]²
  Vec3 factors = Vec3::Ones();
  bool isRound = false;              ///< false: one mesh for every detail
  std::shared_ptr<const void> data;  ///< from which the mesh is made, if it is
  Real proportion = 0;               ///< that tells forms of one kind apart
};
MeshForm meshForm(const Shape& shape);

/// Stretched along its axes by positive factors; normals stay normal.
void scaleMesh(const Vec3f& factors, TriangleMeshf& mesh);

/// Unit meshes, for instances that scale them. Sphere: radius 1, an icosahedron with its triangles
/// cut into four again and again. Box: half extents 1. Cylinder: radius and half length 1. Cone:
/// radius 1 and height 1, the base at -1/2.
TriangleMeshf unitSphere(MeshDetail detail);
TriangleMeshf unitBox();
TriangleMeshf unitCylinder(MeshDetail detail);
TriangleMeshf unitCone(MeshDetail detail);
/// Radius 1 and the given half length.
TriangleMeshf unitCapsule(Real halfLength, MeshDetail detail);

/// A triangle surface without an inside; smooth at vertices where neighbours are bent by at most
/// 30° against each other, sharp elsewhere.
TriangleMeshf surfaceMesh(const MeshData& data);
/// Cut as the collision detection cuts it, normals up.
TriangleMeshf heightfieldMesh(const HeightfieldData& data);

}  // namespace drystone::viewer
