#include "viewer/draw/camera.h"

#include <algorithm>
#include <cmath>

#include "core/check.h"

namespace drystone::viewer {
namespace {

// Nearest that the camera comes to looking along `up`: there, right and left have no meaning.
constexpr Real kLeastAngleToUp = 0.02;  // [rad]
// Share of the picture that a framed box fills.
constexpr Real kFill = 0.92;
constexpr Real kLeastDistance = 1e-4, kMostDistance = 1e7;  // [m]
// A box smaller than this is framed as if it had this size [m].
constexpr Real kLeastFrame = 1e-3;
// The near plane lies before this share of the target's distance, whatever the box.
constexpr Real kLatestNear = 0.1;

struct Axes {
  Vec3 right, up, back;  ///< unit; the eye's x, y, z in the world
};

Axes axesOf(const Camera& camera) {
  const Vec3 back = (camera.position - camera.target).normalized();
  Vec3 right = camera.up.cross(back);
  if (right.norm() < 1e-9) right = back.unitOrthogonal();
  right.normalize();
  return {right, back.cross(right), back};
}

}  // namespace

void Camera::orbit(Real right, Real down) {
  const Vec3 axis = up.normalized();
  Vec3 offset = position - target;
  offset = Eigen::AngleAxisd(-right, axis) * offset;
  const Real length = offset.norm();
  const Real angle = std::acos(std::clamp<Real>(offset.dot(axis) / length, -1, 1));
  const Real wanted = std::clamp(angle - down, kLeastAngleToUp, M_PI - kLeastAngleToUp);
  Vec3 level = offset - offset.dot(axis) * axis;
  level = level.norm() > 1e-9 * length ? level.normalized() : axis.unitOrthogonal();
  position = target + length * (std::cos(wanted) * axis + std::sin(wanted) * level);
}

void Camera::pan(Real right, Real upwards) {
  const Axes axes = axesOf(*this);
  const Real height = 2 * std::tan(0.5 * fieldOfView) * distance();
  const Vec3 way = height * (right * axes.right + upwards * axes.up);
  position += way;
  target += way;
}

void Camera::zoom(Real factor) {
  DRYSTONE_ASSERT(factor > 0);
  const Vec3 offset = position - target;
  const Real length = offset.norm();
  position =
      target + offset * (std::clamp(length * factor, kLeastDistance, kMostDistance) / length);
}

void Camera::frame(const Vec3& lower, const Vec3& upper, Real aspect) {
  const Axes axes = axesOf(*this);
  const Vec3 center = 0.5 * (lower + upper);
  const Vec3 half = (0.5 * (upper - lower)).cwiseMax(Vec3::Constant(0.5 * kLeastFrame));
  const Real tangent[2] = {kFill * std::tan(0.5 * fieldOfView) * aspect,
                           kFill * std::tan(0.5 * fieldOfView)};
  const Vec3 side[2] = {axes.right, axes.up};
  // A corner at x along a side and z towards the viewer, seen from the distance D over the point s,
  // is inside where |x - s| <= t (D - z). With a = max(x/t + z) and b = max(-x/t + z) over the
  // corners, D = (a + b)/2 and s = t (a - b)/2 are the closest that shows them all.
  Real distance = 0;
  Vec3 middle = center;
  for (int k = 0; k < 2; ++k) {
    Real a = -kInfinity, b = -kInfinity;
    for (int corner = 0; corner < 8; ++corner) {
      const Vec3 at(corner & 1 ? half.x() : -half.x(), corner & 2 ? half.y() : -half.y(),
                    corner & 4 ? half.z() : -half.z());
      const Real x = at.dot(side[k]) / tangent[k], z = at.dot(axes.back);
      a = std::max(a, z + x);
      b = std::max(b, z - x);
    }
    distance = std::max(distance, 0.5 * (a + b));
    middle += 0.5 * tangent[k] * (a - b) * side[k];
  }
  target = middle;
  position = middle + std::clamp(distance, kLeastDistance, kMostDistance) * axes.back;
}

Eigen::Matrix4f Camera::viewMatrix() const {
  const Axes axes = axesOf(*this);
  Eigen::Matrix4d view = Eigen::Matrix4d::Identity();
  view.row(0) << axes.right.transpose(), -axes.right.dot(position);
  view.row(1) << axes.up.transpose(), -axes.up.dot(position);
  view.row(2) << axes.back.transpose(), -axes.back.dot(position);
  return view.cast<float>();
}

Eigen::Matrix4f Camera::projectionMatrix(Real aspect, const Vec3& lower, const Vec3& upper) const {
  const Real radius = 0.5 * (upper - lower).norm();
  const Real toCenter = (0.5 * (lower + upper) - position).norm();
  // The ground goes on behind the box and things may stand before it. 24 bits of depth resolve a
  // ratio of far to near of 10^5 to 10^-3 of the distance of what is looked at. What is looked at
  // from near by in a wide box has the depth for itself.
  const Real far = 10 * (toCenter + radius + distance());
  const Real near = std::min(std::max({0.1 * (toCenter - radius), 0.01 * distance(), 1e-5 * far}),
                             kLatestNear * distance());
  const Real t = 1 / std::tan(0.5 * fieldOfView);
  Eigen::Matrix4d projection = Eigen::Matrix4d::Zero();
  projection(0, 0) = t / aspect;
  projection(1, 1) = t;
  projection(2, 2) = -(far + near) / (far - near);
  projection(2, 3) = -2 * far * near / (far - near);
  projection(3, 2) = -1;
  return projection.cast<float>();
}

Vec3 Camera::rayThrough(Real x, Real y, Real aspect) const {
  const Axes axes = axesOf(*this);
  const Real t = std::tan(0.5 * fieldOfView);
  return (x * t * aspect * axes.right + y * t * axes.up - axes.back).normalized();
}

Camera cameraOf(const SceneCamera& camera) {
  return {camera.position, camera.target, camera.up.normalized(),
          camera.fieldOfViewDeg * M_PI / 180};
}

SceneCamera sceneCameraOf(const Camera& camera) {
  return {camera.position, camera.target, camera.up, camera.fieldOfView * 180 / M_PI};
}

}  // namespace drystone::viewer
