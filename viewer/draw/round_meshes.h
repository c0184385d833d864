#pragma once

#include "viewer/draw/shape_mesh.h"

namespace drystone::viewer {

/// Unit meshes, for instances that scale them. Sphere: radius 1, an icosahedron with its triangles
/// cut into four again and again. Box: half extents 1. Cylinder: radius and half length 1. Cone:
/// radius 1 and height 1, the base at -1/2.
TriangleMeshf unitSphere(MeshDetail detail);
TriangleMeshf unitBox();
TriangleMeshf unitCylinder(MeshDetail detail);
TriangleMeshf unitCone(MeshDetail detail);
/// Radius 1 and the given half length.
TriangleMeshf unitCapsule(Real halfLength, MeshDetail detail);

}  // namespace drystone::viewer
