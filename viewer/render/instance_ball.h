#pragma once

#include "viewer/render/gpu_mesh.h"

namespace drystone::viewer {

/// Ball around a copy of a mesh, in the coordinates of its list.
struct Ball {
  Vec3f center;
  float radius;
};

Ball ballOf(const Instance& copy, const GpuMeshLevels& mesh);

}  // namespace drystone::viewer
