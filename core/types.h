#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cstdint>

namespace drystone {

/// Scalar of the CPU path. Double throughout; reduced precision lives inside solvers that say so.
using Real = double;

/// From here on an upper limit is none.
constexpr Real kUnlimited = 1e9;

using Vec3 = Eigen::Matrix<Real, 3, 1>;
/// Twist or wrench: linear part first, angular part second, both in world axes.
using Vec6 = Eigen::Matrix<Real, 6, 1>;
using VecX = Eigen::Matrix<Real, Eigen::Dynamic, 1>;
using Mat3 = Eigen::Matrix<Real, 3, 3>;
using MatX = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
/// Unit quaternion, body to world. Construct as Quat(w, x, y, z).
using Quat = Eigen::Quaternion<Real>;

/// Rigid placement of a frame: p_world = rotation * p_local + position.
struct Pose {
  Vec3 position = Vec3::Zero();      ///< [m]
  Quat rotation = Quat::Identity();  ///< unit

  Vec3 operator*(const Vec3& local) const { return rotation * local + position; }
  Pose operator*(const Pose& child) const {
    return {rotation * child.position + position, rotation * child.rotation};
  }
  Pose inverse() const {
    const Quat back = rotation.conjugate();
    return {back * (-position), back};
  }
};

/// The least rotation that takes the direction of `from` to that of `to`; neither is zero. Of
/// directions that are opposite to 1e-6 rad, half a turn about any axis square to them.
Quat rotationBetween(const Vec3& from, const Vec3& to);

}  // namespace drystone
