#pragma once

#include "collision/shape/polytope.h"
#include "collision/shape/shape.h"

namespace drystone {

/// A convex shape or half-space at its place in the world, as the narrow phase reads it.
struct PlacedShape {
  ShapeKind kind = ShapeKind::kSphere;
  /// The numbers of the shape. Box: half extents; ellipsoid: half axes; capsule and cylinder: (r,
  /// half length, 0); cone: (r, height, 0) [m].
  Vec3 size = Vec3::Zero();
  /// By which the surface surrounds the core: a sphere's centre, a capsule's segment; 0 where the
  /// shape is its own core [m].
  Real coreRadius = 0;
  /// How far the axis z of a shape that is round about it reaches either way; 0 for others [m].
  Real halfAxis = 0;
  Vec3 position = Vec3::Zero();        ///< of the shape's frame, world [m]
  Mat3 rotation = Mat3::Identity();    ///< shape's frame to world
  const Polytope* polytope = nullptr;  ///< of boxes, hulls and triangles, shape's frame; not owned

  Vec3 axis(int i) const { return rotation.col(i); }
};

/// The shape after a way [m].
inline PlacedShape movedBy(const Vec3& way, PlacedShape shape) {
  shape.position += way;
  return shape;
}

/// Farthest point of a bounded convex shape along `direction` (world axes, need not be unit),
/// relative to the shape's position. `coreOnly` leaves out the radius of spheres and capsules.
Vec3 support(const PlacedShape& shape, const Vec3& direction, bool coreOnly);

/// A length that tolerances of the pair are relative to: the smaller shape's thickness [m].
Real thickness(const PlacedShape& a, const PlacedShape& b);

constexpr Real kUnbounded = 1e15;  ///< how far half-spaces reach [m]

}  // namespace drystone
