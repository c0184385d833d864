#include "collision/shape/shape_operations.h"

namespace drystone {
namespace {
namespace plane {

std::unique_ptr<Polytope> place(const Shape&, PlacedShape&) { return nullptr; }

Bounds placedBox(const PlacedShape& shape) {
  Bounds bounds{Vec3::Constant(-kUnbounded), Vec3::Constant(kUnbounded)};
  const Vec3 normal = shape.axis(2);
  for (int i = 0; i < 3; ++i) {
    if (normal[i] == 1) bounds.upper[i] = shape.position[i];
    if (normal[i] == -1) bounds.lower[i] = shape.position[i];
  }
  return bounds;
}

LocalSurface surface(const PlacedShape&, const Vec3& point, const Vec3&) {
  return LocalSurface::face(point);
}

void cast(const PlacedShape&, RayCast& cast) {
  if (cast.from.z() < 0 || cast.d.z() >= 0) return;
  cast.offer(-cast.from.z() / cast.d.z(), Vec3::UnitZ());
}

}  // namespace plane
}  // namespace

const ShapeOperations Plane::operations = {
    .name = "plane",
    .help = "half-space below z = 0; static bodies only",
    .place = plane::place,
    .placedBounds = plane::placedBox,
    .localSurface = plane::surface,
    .castRay = plane::cast,
};

}  // namespace drystone
