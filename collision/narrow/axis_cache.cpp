#include <algorithm>
#include <cmath>

#include "collision/narrow/separating_axis.h"

namespace drystone::narrow {
namespace {

/// Farthest reach of the shape along a world direction, from its own position.
Real reach(const PlacedShape& shape, const Vec3& direction) {
  const Vec3 local = shape.rotation.transpose() * direction;
  if (shape.kind == ShapeKind::kBox) return shape.size.dot(local.cwiseAbs());
  const auto vertex = static_cast<std::size_t>(shape.polytope->supportVertex(local));
  return local.dot(shape.polytope->vertices[vertex]);
}

Real faceSeparation(const PlacedShape& reference, int face, const PlacedShape& other) {
  const Polytope::Face& data = reference.polytope->faces[static_cast<std::size_t>(face)];
  const Vec3 normal = reference.rotation * data.normal;
  return normal.dot(other.position - reference.position) - data.offset - reach(other, -normal);
}

}  // namespace

Real cachedSeparation(const PlacedShape& a, const PlacedShape& b, const PairCache& cache) {
  if (cache.axis == PairCache::kFaceA) return faceSeparation(a, cache.idA, b);
  if (cache.axis == PairCache::kFaceB) return faceSeparation(b, cache.idB, a);
  const auto direction = [](const PlacedShape& shape, int edge) -> Vec3 {
    return shape.rotation * shape.polytope->edges[static_cast<std::size_t>(edge)].direction;
  };
  const Vec3 axis = direction(a, cache.idA).cross(direction(b, cache.idB));
  const Real length = axis.norm();
  if (length < 1e-3) return -1e300;
  const Vec3 d = b.position - a.position;
  const Vec3 normal = axis * ((axis.dot(d) >= 0 ? 1 : -1) / length);
  return normal.dot(d) - reach(a, normal) - reach(b, -normal);
}

}  // namespace drystone::narrow
