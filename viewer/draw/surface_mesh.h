#pragma once

#include "viewer/draw/shape_mesh.h"

namespace drystone::viewer {

/// A triangle surface without an inside; smooth at vertices where neighbours are bent by at most
/// 30° against each other, sharp elsewhere.
TriangleMeshf surfaceMesh(const MeshData& data);
/// Cut as the collision detection cuts it, normals up.
TriangleMeshf heightfieldMesh(const HeightfieldData& data);

}  // namespace drystone::viewer
