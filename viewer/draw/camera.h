#pragma once

#include <Eigen/Core>

#include "core/types.h"
#include "scenes/scene.h"

namespace drystone::viewer {

/// A camera that looks at a target and goes around it. World axes, z usually up.
struct Camera {
  Vec3 position{8, -12, 6};  ///< [m]
  Vec3 target{0, 0, 1};      ///< [m]
  Vec3 up{0, 0, 1};          ///< unit
  Real fieldOfView = 0.785;  ///< vertical [rad]

  /// Turns about the target: `right` and `down` are the way of a drag [rad]. Stops short of
  /// looking along `up`.
  void orbit(Real right, Real down);
  /// Moves position and target in the plane of the picture [fractions of its height].
  void pan(Real right, Real up);
  /// Moves position and target [m].
  void move(const Vec3& way) {
    position += way;
    target += way;
  }
  /// Moves towards the target; the distance is multiplied by `factor`.
  void zoom(Real factor);
  /// Keeps the direction and moves so that the box fills the picture, whatever its aspect ratio
  /// (width by height).
  void frame(const Vec3& lower, const Vec3& upper, Real aspect);

  Real distance() const { return (target - position).norm(); }
  /// World to eye: x right, y up, z towards the viewer.
  Eigen::Matrix4f viewMatrix() const;
  /// Eye to clip space (OpenGL), near and far chosen around the box.
  Eigen::Matrix4f projectionMatrix(Real aspect, const Vec3& lower, const Vec3& upper) const;
  /// Unit direction from `position` through a point of the picture; x, y in [-1, 1], y up.
  Vec3 rayThrough(Real x, Real y, Real aspect) const;

  bool operator==(const Camera&) const = default;
};

Camera cameraOf(const SceneCamera& camera);
SceneCamera sceneCameraOf(const Camera& camera);

}  // namespace drystone::viewer
