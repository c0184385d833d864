#pragma once

#include <algorithm>
#include <vector>

#include "collision/collision_world.h"
#include "core/random.h"

namespace drystone {

inline Pose poseAt(const Vec3& position, const Quat& rotation = Quat::Identity()) {
  return {position, rotation};
}

inline Quat turnAbout(const Vec3& axis, Real angle) {
  return Quat(Eigen::AngleAxis<Real>(angle, axis.normalized()));
}

inline Quat randomRotation(Random& random) {
  Quat q;
  for (Real& x : q.coeffs()) x = random.uniform(-1, 1);
  return q.normalized();
}

inline Pose randomPose(Random& random, Real reach) {
  Pose pose;
  for (Real& x : pose.position) x = random.uniform(-reach, reach);
  for (Real& x : pose.rotation.coeffs()) x = random.uniform(-1, 1);
  pose.rotation.normalize();
  return pose;
}

/// The corners of a box about the origin.
inline std::vector<Vec3> boxCorners(const Vec3& half) {
  std::vector<Vec3> corners;
  for (int i = 0; i < 8; ++i) {
    corners.emplace_back(i & 1 ? half.x() : -half.x(), i & 2 ? half.y() : -half.y(),
                         i & 4 ? half.z() : -half.z());
  }
  return corners;
}

/// The contacts of two shapes alone in a world.
inline std::vector<ContactPoint> contactsOf(const Shape& a, const Pose& poseA, const Shape& b,
                                            const Pose& poseB, bool reduce = true,
                                            Real margin = 0.01) {
  CollisionSettings settings;
  settings.reduceManifolds = reduce;
  settings.margin = margin;
  CollisionWorld world(settings);
  world.add(a, poseA, {}, isStaticOnly(a));
  world.add(b, poseB, {}, isStaticOnly(b));
  std::vector<ContactPoint> contacts;
  world.detect(contacts);
  return contacts;
}

inline Real lowestGap(const std::vector<ContactPoint>& contacts) {
  Real lowest = 1e300;
  for (const ContactPoint& contact : contacts) lowest = std::min(lowest, contact.gap);
  return lowest;
}

}  // namespace drystone
