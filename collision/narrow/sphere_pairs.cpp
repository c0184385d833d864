#include "collision/narrow/pairs.h"

#include <algorithm>
#include <cmath>

namespace drystone::narrow {
namespace {

constexpr std::uint32_t kSinglePoint = featureKey(FeatureKind::kSpecial, 0, 0);

/// Adds the contact of a sphere with the surface point `onB`, the sphere's surface being `gap` from
/// it along the normal (A to B).
void addPoint(const Vec3& onB, const Vec3& normal, Real gap, Manifold& out) {
  out.normal = normal;
  out.add(onB - 0.5 * gap * normal, gap, kSinglePoint);
}

/// Spheres of radii rA, rB around points that are d apart.
void collideBalls(const Vec3& centerB, const Vec3& d, Real radiusA, Real radiusB,
                  const Vec3& fallback, Real margin, Manifold& out) {
  const Real reach = radiusA + radiusB + margin;
  const Real distance2 = d.squaredNorm();
  if (distance2 > reach * reach) return;
  const Real distance = std::sqrt(distance2);
  const Vec3 normal = distance > 1e-12 * (radiusA + radiusB) ? Vec3(d / distance) : fallback;
  addPoint(centerB - radiusB * normal, normal, distance - radiusA - radiusB, out);
}

}  // namespace

void collideSphereSphere(const PlacedShape& a, const PlacedShape& b, Real margin, Manifold& out) {
  out.clear();
  collideBalls(b.position, b.position - a.position, a.coreRadius, b.coreRadius, Vec3::UnitZ(),
               margin, out);
}

void collideSphereCapsule(const PlacedShape& a, const PlacedShape& b, Real margin, Manifold& out) {
  out.clear();
  const Vec3 axis = b.axis(2);
  const Real along = std::clamp(axis.dot(a.position - b.position), -b.size.y(), b.size.y());
  const Vec3 center = b.position + along * axis;
  collideBalls(center, center - a.position, a.coreRadius, b.coreRadius, b.axis(0), margin, out);
}

void collideSphereBox(const PlacedShape& a, const PlacedShape& b, Real margin, Manifold& out) {
  out.clear();
  const Real radius = a.coreRadius;
  const Vec3 center = b.rotation.transpose() * (a.position - b.position);
  const Vec3 nearest = center.cwiseMax(-b.size).cwiseMin(b.size);
  const Vec3 d = nearest - center;
  const Real distance2 = d.squaredNorm();
  const Real reach = radius + margin;
  if (distance2 > reach * reach) return;
  if (distance2 > 0) {
    const Real distance = std::sqrt(distance2);
    addPoint(b.position + b.rotation * nearest, b.rotation * (d / distance), distance - radius,
             out);
    return;
  }
  // Inside: out through the nearest face, the first one among equals.
  int axis = 0;
  const Real depth = (b.size - center.cwiseAbs()).minCoeff(&axis);
  const Real side = center[axis] >= 0 ? 1 : -1;
  Vec3 onFace = center;
  onFace[axis] = side * b.size[axis];
  addPoint(b.position + b.rotation * onFace, -side * b.axis(axis), -depth - radius, out);
}

}  // namespace drystone::narrow
