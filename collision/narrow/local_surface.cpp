#include "collision/narrow/surface_queries.h"

#include <cmath>

#include "collision/narrow/triangle_surface.h"

namespace drystone::narrow {
namespace {

using Kind = LocalSurface::Kind;

/// Sine below which a normal is that of a face, or square to a line: far above round-off, far below
/// any turn that matters.
constexpr Real kSameSine = 1e-5;
/// How far off an edge a point may lie and still be on it, relative to the shape.
constexpr Real kOnEdge = 1e-6;

bool isAlong(const Vec3& axis, const Vec3& normal) {
  return axis.cross(normal).squaredNorm() < kSameSine * kSameSine;
}

LocalSurface face(const Vec3& point) { return {.kind = Kind::kFace, .core = point}; }
LocalSurface corner(const Vec3& point) { return {.kind = Kind::kPoint, .core = point}; }

/// True when the contact, seen in the frame of the edge, lies on it and is square to it.
bool liesOn(const Vec3& from, const Vec3& direction, Real size, const Vec3& point,
            const Vec3& normal) {
  return std::abs(direction.dot(normal)) < kSameSine &&
         direction.cross(point - from).norm() < kOnEdge * size;
}

/// The distance of a point from the axis of a shape.
Real offAxis(const PlacedShape& shape, const Vec3& point) {
  return shape.axis(2).cross(point - shape.position).norm();
}

/// Where a mesh is smooth, contacts with its edges have the normal of its face, which is not that
/// of a round surface there: the point of such a contact stays on the body, like a corner.
LocalSurface capsuleSurface(const PlacedShape& shape, const Vec3& point, const Vec3& outwards) {
  const Real radius = shape.size.x();
  const Vec3 core = point - radius * outwards;
  if (offAxis(shape, core) > kOnEdge * radius) return corner(point);
  const bool isSide = std::abs(outwards.dot(shape.axis(2))) < kSameSine;
  return {.kind = isSide ? Kind::kLine : Kind::kPoint,
          .core = core,
          .axis = isSide ? shape.axis(2) : Vec3::Zero(),
          .radius = radius};
}

/// Cylinders and cones: a face where the cap faces outwards, a line on the side of a cylinder, else
/// the circle around the axis on which the point lies, if it is the point of it that lies farthest
/// out. The other points of a cap that leans a little are corners: they stay where they are on it.
LocalSurface roundSurface(const PlacedShape& shape, const Vec3& point, const Vec3& outwards) {
  const Vec3 axis = shape.axis(2);
  const bool hasFace = shape.kind == ShapeKind::kCylinder || axis.dot(outwards) < 0;
  if (hasFace && isAlong(axis, outwards)) return face(point);
  if (shape.kind == ShapeKind::kCylinder && std::abs(axis.dot(outwards)) < kSameSine) {
    const Real radius = shape.size.x();
    const Vec3 core = point - radius * outwards;
    if (offAxis(shape, core) > kOnEdge * radius) return corner(point);
    return {.kind = Kind::kLine, .core = core, .axis = axis, .radius = radius};
  }
  const Vec3 core = shape.position + axis.dot(point - shape.position) * axis;
  const Vec3 radial = (outwards - axis.dot(outwards) * axis).normalized();
  const Real radius = (point - core).norm();
  if (radial.dot(point - core) < (1 - kOnEdge) * radius) return corner(point);
  return {.kind = Kind::kRim, .core = core, .axis = axis, .radius = radius};
}

LocalSurface boxSurface(const PlacedShape& shape, const Vec3& point, const Vec3& outwards) {
  const Vec3 normal = shape.rotation.transpose() * outwards;
  int square = 0, axis = 0;
  for (int i = 0; i < 3; ++i) {
    if (std::abs(normal[i]) >= kSameSine) continue;
    ++square;
    axis = i;
  }
  if (square == 2) return face(point);
  if (square == 0) return corner(point);
  return {.kind = Kind::kLine, .core = point, .axis = shape.axis(axis)};
}

LocalSurface polytopeSurface(const PlacedShape& shape, const Vec3& point, const Vec3& outwards) {
  const Polytope& polytope = *shape.polytope;
  const Vec3 normal = shape.rotation.transpose() * outwards;
  const Vec3 at = shape.rotation.transpose() * (point - shape.position);
  for (const Polytope::Face& side : polytope.faces) {
    if (side.normal.dot(normal) > 0 && isAlong(side.normal, normal)) return face(point);
  }
  for (const Polytope::Edge& edge : polytope.edges) {
    const Vec3& from = polytope.vertices[static_cast<std::size_t>(edge.from)];
    if (liesOn(from, edge.direction, polytope.size, at, normal)) {
      return {.kind = Kind::kLine, .core = point, .axis = shape.rotation * edge.direction};
    }
  }
  return corner(point);
}

}  // namespace

LocalSurface localSurface(const PlacedShape& shape, const Vec3& point, const Vec3& outwards) {
  switch (shape.kind) {
    case ShapeKind::kSphere:
      return {.kind = Kind::kPoint, .core = shape.position, .radius = shape.size.x()};
    case ShapeKind::kPlane:
      return face(point);
    case ShapeKind::kBox:
      return boxSurface(shape, point, outwards);
    case ShapeKind::kCapsule:
      return capsuleSurface(shape, point, outwards);
    case ShapeKind::kCylinder:
    case ShapeKind::kCone:
      return roundSurface(shape, point, outwards);
    case ShapeKind::kPolytope:
      return polytopeSurface(shape, point, outwards);
  }
  return corner(point);
}

LocalSurface localSurface(const std::array<Vec3, 3>& corners, const PlacedShape& frame,
                          const Vec3& point, const Vec3& outwards) {
  const Vec3 normal = frame.rotation.transpose() * outwards;
  if (isAlong(triangleNormal(corners), normal)) return face(point);
  const Vec3 at = frame.rotation.transpose() * (point - frame.position);
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3 side = corners[(k + 1) % 3] - corners[k];
    const Vec3 direction = side.normalized();
    if (liesOn(corners[k], direction, side.norm(), at, normal)) {
      return {.kind = Kind::kLine, .core = point, .axis = frame.rotation * direction};
    }
  }
  return corner(point);
}

}  // namespace drystone::narrow
