#include "collision/narrow/support.h"

#include <cmath>

namespace drystone::narrow {
namespace {

/// Half extents of the box around a disc of unit radius with this unit normal.
Vec3 discReach(const Vec3& normal) {
  return (Vec3::Ones() - normal.cwiseAbs2()).cwiseMax(0).cwiseSqrt();
}

Aabb halfSpaceBounds(const PlacedShape& shape) {
  Aabb bounds{Vec3::Constant(-kUnbounded), Vec3::Constant(kUnbounded)};
  const Vec3 normal = shape.axis(2);
  for (int i = 0; i < 3; ++i) {
    if (normal[i] == 1) bounds.max[i] = shape.position[i];
    if (normal[i] == -1) bounds.min[i] = shape.position[i];
  }
  return bounds;
}

Aabb vertexBounds(const PlacedShape& shape) {
  const std::vector<Vec3>& vertices = shape.polytope->vertices;
  Aabb bounds{shape.rotation * vertices[0], shape.rotation * vertices[0]};
  for (const Vec3& vertex : vertices) {
    const Vec3 point = shape.rotation * vertex;
    bounds.merge({point, point});
  }
  return {bounds.min + shape.position, bounds.max + shape.position};
}

}  // namespace

Aabb boundsOf(const PlacedShape& shape) {
  const auto around = [&](const Vec3& reach) {
    return Aabb{shape.position - reach, shape.position + reach};
  };
  switch (shape.kind) {
    case ShapeKind::kSphere:
      return around(Vec3::Constant(shape.size.x()));
    case ShapeKind::kBox:
      return around(shape.rotation.cwiseAbs() * shape.size);
    case ShapeKind::kCapsule:
      return around(shape.axis(2).cwiseAbs() * shape.size.y() + Vec3::Constant(shape.size.x()));
    case ShapeKind::kCylinder:
      return around(shape.axis(2).cwiseAbs() * shape.size.y() +
                    discReach(shape.axis(2)) * shape.size.x());
    case ShapeKind::kCone: {
      const Vec3 half = 0.5 * shape.size.y() * shape.axis(2);
      const Vec3 disc = discReach(shape.axis(2)) * shape.size.x();
      Aabb bounds{shape.position - half - disc, shape.position - half + disc};
      bounds.merge({shape.position + half, shape.position + half});
      return bounds;
    }
    case ShapeKind::kPlane:
      return halfSpaceBounds(shape);
    case ShapeKind::kPolytope:
      return vertexBounds(shape);
  }
  return {};
}

}  // namespace drystone::narrow
