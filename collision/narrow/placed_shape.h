#pragma once

#include "collision/narrow/polytope.h"
#include "core/types.h"

namespace drystone::narrow {

/// What a convex pair routine can be handed. The order decides which of the two is the first.
enum class ShapeKind : std::uint8_t {
  kSphere,
  kPlane,
  kBox,
  kCapsule,
  kCylinder,
  kCone,
  kPolytope,  ///< convex hull or triangle
};

/// A convex shape at its place in the world, as the narrow phase reads it.
struct PlacedShape {
  ShapeKind kind = ShapeKind::kSphere;
  /// Sphere (r, 0, 0); box half extents; capsule and cylinder (r, half length, 0); cone (r, height,
  /// 0) [m].
  Vec3 size = Vec3::Zero();
  Vec3 position = Vec3::Zero();        ///< of the shape's frame, world [m]
  Mat3 rotation = Mat3::Identity();    ///< shape's frame to world
  const Polytope* polytope = nullptr;  ///< of boxes, hulls and triangles, shape's frame; not owned

  Vec3 axis(int i) const { return rotation.col(i); }
};

/// Axis-aligned bounding box [m].
struct Aabb {
  Vec3 min = Vec3::Zero();
  Vec3 max = Vec3::Zero();

  bool meets(const Aabb& other) const {
    return min.x() <= other.max.x() && other.min.x() <= max.x() && min.y() <= other.max.y() &&
           other.min.y() <= max.y() && min.z() <= other.max.z() && other.min.z() <= max.z();
  }
  void merge(const Aabb& other) {
    min = min.cwiseMin(other.min);
    max = max.cwiseMax(other.max);
  }
};

}  // namespace drystone::narrow
