#pragma once

#include <vector>

#include "viewer/render/gpu_mesh.h"

namespace drystone::viewer {

/// Ball around a copy of a mesh, in the coordinates of its list.
struct Ball {
  Vec3f center;
  float radius;
};

Ball ballOf(const Instance& copy, const GpuMeshLevels& mesh);

/// One call: copies that lie one after the other in the instance buffer.
struct DrawRange {
  const GpuMesh* mesh = nullptr;
  std::size_t first = 0, count = 0;
  bool twoSided = false;
};

/// From where copies are seen, for what is left out and how fine the others are.
struct PlanView {
  Eigen::Matrix4f viewProjection;
  float pixelsPerUnit = 1;     ///< of a length in clip space, before division by w
  bool leaveOutHidden = true;  ///< what lies outside the picture
  float halfHeight = 0;        ///< of the picture, for Batch::leastPixels [pixels]
};

/// What is drawn in a frame with one mesh after the other: the copies in the order of upload, and
/// the calls of each pass.
struct InstancePlan {
  std::vector<Instance> instances;
  std::vector<DrawRange> shadow, opaque, transparent, overlay;

  void clear();
};

enum class Pass { kShadow, kColor };

/// Adds the calls of a pass for the whole list. `lit`, of the shadow pass: the view that the
/// shadows are for. What throws one is no finer than what is seen of it: a round body's faces lie
/// within its finer ones, and would be in their shadow.
void planInstances(const DrawList& list, GpuMeshCache& meshes, const PlanView& view, Pass pass,
                   InstancePlan& plan, const PlanView* lit = nullptr);

}  // namespace drystone::viewer
