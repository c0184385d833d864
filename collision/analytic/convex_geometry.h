#pragma once

// Closed forms of convex shapes, an oracle for tests and running steps: written from the
// definitions of the shapes alone, so that they share no code with the narrow phase they judge.

#include <vector>

#include "collision/shape/shape.h"
#include "core/types.h"

namespace drystone::certify {

/// A convex shape at its place: any bounded one, a half-space, or a mesh of one triangle.
struct PlacedConvex {
  Shape shape;
  Pose pose;

  Vec3 toWorld(const Vec3& local) const { return pose.position + pose.rotation * local; }
  Vec3 toLocal(const Vec3& world) const {
    return pose.rotation.conjugate() * Vec3(world - pose.position);
  }
};

inline bool isHalfSpace(const PlacedConvex& placed) {
  return std::holds_alternative<Plane>(placed.shape);
}

/// The point that lies farthest along a direction (both world). Not for half-spaces.
Vec3 farthestPoint(const PlacedConvex& placed, const Vec3& direction);

/// How far a point (world) lies outside the surface; negative inside. The distance itself, but for
/// points outside a hull or half-space the largest one to the planes of its faces, which is less
/// over edges and corners: it is zero or less exactly for the points of the shape [m].
Real surfaceDistance(const PlacedConvex& placed, const Vec3& point);

/// Distance of the shape's farthest point from its frame's origin; 0 for a half-space [m].
Real extentOf(const Shape& shape);

/// The least width of a shape, or a bound of it from below; huge for a half-space, and for a
/// triangle its shortest side, to which its tolerances refer [m].
Real thicknessOf(const Shape& shape);

/// Directions (world) that the least overlap of a shape may well have: those of its faces and axes.
void addLikelyNormals(const PlacedConvex& placed, std::vector<Vec3>& out);

/// Directions (unit, world) of the straight edges of a box, hull or triangle; of a capsule,
/// cylinder or cone its axis; none of a sphere, ellipsoid or half-space.
void addEdgeDirections(const PlacedConvex& placed, std::vector<Vec3>& out);

/// Whether it is a polyhedron: a box, hull or triangle.
inline bool isPolyhedron(const PlacedConvex& placed) {
  return std::holds_alternative<Box>(placed.shape) ||
         std::holds_alternative<ConvexHull>(placed.shape) ||
         std::holds_alternative<TriangleMesh>(placed.shape);
}

}  // namespace drystone::certify
