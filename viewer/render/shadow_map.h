#pragma once

#include <Eigen/Geometry>

#include "viewer/draw/camera.h"
#include "viewer/draw/draw_list.h"
#include "viewer/render/gl_objects.h"
#include "viewer/render/gpu_mesh.h"

namespace drystone::viewer {

/// Unit, from the bodies to the sun.
Vec3f sunDirection();

/// The sun's view of the box: parallel light onto a square around it.
struct SunView {
  Eigen::Matrix4f viewProjection = Eigen::Matrix4f::Identity();
  Eigen::Matrix4f toMap = Eigen::Matrix4f::Identity();  ///< the same, [0, 1]
  float texel = 0;                                      ///< side of one in the world [m]
};

/// The side of the square is rounded up to one of few lengths and its middle to texels, so that
/// edges of shadows stand still while bodies move.
SunView sunView(const Vec3f& lower, const Vec3f& upper, int size);

/// A square depth texture that is compared when read.
class ShadowMap {
 public:
  explicit ShadowMap(int size);
  int size() const { return size_; }
  /// Binds the cleared map as target; the caller restores its own.
  void begin() const;
  /// Binds the map as texture 0.
  void bindTexture() const;

 private:
  int size_;
  GlTexture depth_;
  GlFramebuffer target_;
};

/// Box around what casts shadows, in the coordinates of the list, as is the camera; empty where
/// nothing does. A body that fell away would stretch the shadow map until nothing has a shadow:
/// where the box were many times as large as the scene and the picture, it holds what is nearest to
/// the camera's target.
Eigen::AlignedBox3f shadowBounds(const DrawList& list, GpuMeshCache& meshes, const Camera& camera);

}  // namespace drystone::viewer
