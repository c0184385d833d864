#include <cmath>

#include "collision/shape/shape_operations.h"

namespace drystone {
namespace {
namespace box {

const Vec3& halfOf(const Shape& shape) { return std::get<Box>(shape).halfExtents; }

void visit(Shape& shape, FieldVisitor& visitor) {
  visitor.vector({"half_extents", "m", "half lengths of the sides"},
                 std::get<Box>(shape).halfExtents, kSmallestPositiveInput, kLargestShapeSize);
}

MassProperties massOf(const Shape& shape, Real density) {
  const Vec3& h = halfOf(shape);
  const Real mass = density * 8 * h.prod();
  const Vec3 squares = h.cwiseAbs2();
  return {mass, Vec3::Zero(),
          (mass / 3 *
           Vec3(squares.y() + squares.z(), squares.x() + squares.z(), squares.x() + squares.y()))
              .asDiagonal()};
}

std::optional<Bounds> bounds(const Shape& shape) { return Bounds{-halfOf(shape), halfOf(shape)}; }

std::unique_ptr<Polytope> place(const Shape& shape, PlacedShape& out) {
  out.size = halfOf(shape);
  return std::make_unique<Polytope>(makeBoxPolytope(out.size));
}

Bounds placedBox(const PlacedShape& shape) {
  const Vec3 reach = shape.rotation.cwiseAbs() * shape.size;
  return {shape.position - reach, shape.position + reach};
}

Vec3 supportOf(const PlacedShape& shape, const Vec3& direction) {
  const Vec3& size = shape.size;
  return {direction.x() >= 0 ? size.x() : -size.x(), direction.y() >= 0 ? size.y() : -size.y(),
          direction.z() >= 0 ? size.z() : -size.z()};
}

LocalSurface surface(const PlacedShape& shape, const Vec3& point, const Vec3& outwards) {
  const Vec3 normal = shape.rotation.transpose() * outwards;
  int square = 0, axis = 0;
  for (int i = 0; i < 3; ++i) {
    if (std::abs(normal[i]) >= kSameSine) continue;
    ++square;
    axis = i;
  }
  if (square == 2) return LocalSurface::face(point);
  if (square == 0) return LocalSurface::corner(point);
  return LocalSurface::edge(point, shape.axis(axis));
}

}  // namespace box
}  // namespace

const ShapeOperations Box::operations = {
    .name = "box",
    .help = "box about the origin; give one of its two keys",
    .visitFields = box::visit,
    .massProperties = box::massOf,
    .bounds = box::bounds,
    .place = box::place,
    .placedBounds = box::placedBox,
    .localSurface = box::surface,
    .castRay = castPolytope,
    .support = box::supportOf,
    .thickness = polytopeThickness,
    .supportFeature = polytopeFeature,
    .planePoints = polytopePoints,
};

}  // namespace drystone
