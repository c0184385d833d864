#pragma once

#include <Eigen/Geometry>

#include "viewer/draw/camera.h"
#include "viewer/render/gpu_mesh.h"

namespace drystone::viewer {

/// Box around what casts shadows, in the coordinates of the list, as is the camera; empty where
/// nothing does. A body that fell away would stretch the shadow map until nothing has a shadow:
/// where the box were many times as large as the scene and the picture, it holds what is nearest to
/// the camera's target.
Eigen::AlignedBox3f shadowBounds(const DrawList& list, GpuMeshCache& meshes, const Camera& camera);

}  // namespace drystone::viewer
