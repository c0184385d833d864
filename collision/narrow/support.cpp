#include "collision/narrow/support.h"

#include <algorithm>
#include <cmath>

#include "core/check.h"

namespace drystone::narrow {
namespace {

Vec3 signedBy(const Vec3& direction, const Vec3& size) {
  return {direction.x() >= 0 ? size.x() : -size.x(), direction.y() >= 0 ? size.y() : -size.y(),
          direction.z() >= 0 ? size.z() : -size.z()};
}

/// Farthest point of a disc in the x-y plane.
Vec3 onDisc(const Vec3& direction, Real radius, Real z) {
  const Real length = std::hypot(direction.x(), direction.y());
  if (length == 0) return {radius, 0, z};
  return {radius * direction.x() / length, radius * direction.y() / length, z};
}

Vec3 localSupport(const PlacedShape& shape, const Vec3& direction, bool coreOnly) {
  switch (shape.kind) {
    case ShapeKind::kSphere:
    case ShapeKind::kCapsule: {
      Vec3 point(0, 0, direction.z() >= 0 ? shape.size.y() : -shape.size.y());
      if (!coreOnly) point += shape.size.x() * direction.normalized();
      return point;
    }
    case ShapeKind::kBox:
      return signedBy(direction, shape.size);
    case ShapeKind::kCylinder:
      return onDisc(direction, shape.size.x(),
                    direction.z() >= 0 ? shape.size.y() : -shape.size.y());
    case ShapeKind::kCone: {
      const Vec3 apex(0, 0, 0.5 * shape.size.y());
      const Vec3 rim = onDisc(direction, shape.size.x(), -0.5 * shape.size.y());
      return direction.dot(apex) > direction.dot(rim) ? apex : rim;
    }
    case ShapeKind::kPolytope:
      return shape.polytope
          ->vertices[static_cast<std::size_t>(shape.polytope->supportVertex(direction))];
    case ShapeKind::kPlane:
      break;
  }
  DRYSTONE_ASSERT(false);
  return Vec3::Zero();
}

Real ownThickness(const PlacedShape& shape) {
  switch (shape.kind) {
    case ShapeKind::kSphere:
    case ShapeKind::kCapsule:
      return 2 * shape.size.x();
    case ShapeKind::kCylinder:
      return 2 * std::min(shape.size.x(), shape.size.y());
    case ShapeKind::kCone:
      return std::min(2 * shape.size.x(), shape.size.y());
    case ShapeKind::kBox:
    case ShapeKind::kPolytope:
      return shape.polytope->size;
    case ShapeKind::kPlane:
      break;
  }
  return 1e300;
}

}  // namespace

Vec3 support(const PlacedShape& shape, const Vec3& direction, bool coreOnly) {
  return shape.rotation * localSupport(shape, shape.rotation.transpose() * direction, coreOnly);
}

Real coreRadius(const PlacedShape& shape) {
  return shape.kind == ShapeKind::kSphere || shape.kind == ShapeKind::kCapsule ? shape.size.x() : 0;
}

Real thickness(const PlacedShape& a, const PlacedShape& b) {
  return std::min(ownThickness(a), ownThickness(b));
}

}  // namespace drystone::narrow
