#include "collision/analytic/analytic_contacts.h"

#include <algorithm>
#include <cmath>

#include "core/check.h"

namespace drystone {
namespace {

using Contacts = std::vector<ContactPoint>;

/// Adds the point midway between a point on A's surface and the one `gap` further along the normal.
void add(const Vec3& onA, const Vec3& normal, Real gap, Real margin, Contacts& contacts) {
  if (gap > margin) return;
  contacts.push_back({0, 1, onA + gap / 2 * normal, normal, gap, 0});
}

void collide(const Sphere& a, const Pose& poseA, const Sphere& b, const Pose& poseB, Real margin,
             Contacts& contacts) {
  const Vec3 between = poseB.position - poseA.position;
  const Real distance = between.norm();
  // Spheres with one centre have no direction to prefer.
  const Vec3 normal = distance > 0 ? Vec3(between / distance) : Vec3::UnitZ();
  add(poseA.position + a.radius * normal, normal, distance - a.radius - b.radius, margin, contacts);
}

void collide(const Plane&, const Pose& poseA, const Sphere& b, const Pose& poseB, Real margin,
             Contacts& contacts) {
  const Vec3 normal = poseA.rotation * Vec3::UnitZ();
  const Real height = normal.dot(poseB.position - poseA.position);
  add(poseB.position - height * normal, normal, height - b.radius, margin, contacts);
}

void collide(const Box& a, const Pose& poseA, const Sphere& b, const Pose& poseB, Real margin,
             Contacts& contacts) {
  const Vec3 center = poseA.inverse() * poseB.position;
  const Vec3 nearest = center.cwiseMax(-a.halfExtents).cwiseMin(a.halfExtents);
  const Real distance = (center - nearest).norm();
  if (distance > 0) {
    const Vec3 normal = poseA.rotation * ((center - nearest) / distance);
    add(poseA * nearest, normal, distance - b.radius, margin, contacts);
    return;
  }
  // The centre is inside: out through the nearest face.
  int axis = 0;
  const Vec3 depth = a.halfExtents - center.cwiseAbs();
  depth.minCoeff(&axis);
  const Vec3 outward = Vec3::Unit(axis) * (center[axis] < 0 ? -1 : 1);
  const Vec3 normal = poseA.rotation * outward;
  add(poseB.position + depth[axis] * normal, normal, -depth[axis] - b.radius, margin, contacts);
}

void collide(const Plane&, const Pose& poseA, const Box& b, const Pose& poseB, Real margin,
             Contacts& contacts) {
  const Vec3 normal = poseA.rotation * Vec3::UnitZ();
  for (int i = 0; i < 8; ++i) {
    const Vec3 signs(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
    const Vec3 corner = poseB * b.halfExtents.cwiseProduct(signs);
    const Real height = normal.dot(corner - poseA.position);
    add(corner - height * normal, normal, height, margin, contacts);
  }
}

template <class A, class B>
constexpr bool kKnown = requires(const A& a, const B& b, const Pose& pose, Contacts& contacts) {
  collide(a, pose, b, pose, Real{}, contacts);
};

}  // namespace

std::vector<ContactPoint> analyticContacts(const Shape& a, const Pose& poseA, const Shape& b,
                                           const Pose& poseB, Real margin) {
  Contacts contacts;
  const auto dispatch = [&]<class A, class B>(const A& first, const B& second) {
    if constexpr (kKnown<A, B>) {
      collide(first, poseA, second, poseB, margin, contacts);
    } else if constexpr (kKnown<B, A>) {
      collide(second, poseB, first, poseA, margin, contacts);
      for (ContactPoint& contact : contacts) contact.normal = -contact.normal;
    } else {
      DRYSTONE_ASSERT(!"no closed form for this pair");
    }
  };
  std::visit(dispatch, a, b);
  return contacts;
}

}  // namespace drystone
