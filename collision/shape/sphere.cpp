#include <numbers>

#include "collision/shape/shape_operations.h"

namespace drystone {
namespace {
namespace sphere {

Real radiusOf(const Shape& shape) { return std::get<Sphere>(shape).radius; }

void visit(Shape& shape, FieldVisitor& visitor) {
  visitor.positive({"radius", "m", "radius"}, std::get<Sphere>(shape).radius, kLargestShapeSize);
}

MassProperties massOf(const Shape& shape, Real density) {
  const Real r = radiusOf(shape);
  const Real mass = density * 4 / 3 * std::numbers::pi * r * r * r;
  return {mass, Vec3::Zero(), Vec3::Constant(0.4 * mass * (r * r)).asDiagonal()};
}

std::optional<Bounds> bounds(const Shape& shape) {
  const Vec3 reach = Vec3::Constant(radiusOf(shape));
  return Bounds{-reach, reach};
}

std::unique_ptr<Polytope> place(const Shape& shape, PlacedShape& out) {
  out.coreRadius = radiusOf(shape);
  return nullptr;
}

Bounds placedBox(const PlacedShape& shape) {
  const Vec3 reach = Vec3::Constant(shape.coreRadius);
  return {shape.position - reach, shape.position + reach};
}

Vec3 supportOf(const PlacedShape&, const Vec3&) { return Vec3::Zero(); }

Real thicknessOf(const PlacedShape& shape) { return 2 * shape.coreRadius; }

void feature(const PlacedShape& shape, const Vec3& direction, const Vec3& origin, Polygon& out) {
  out.setPoint(shape.position - origin + shape.coreRadius * direction, 0);
}

LocalSurface surface(const PlacedShape& shape, const Vec3&, const Vec3&) {
  return {.kind = LocalSurface::Kind::kPoint, .core = shape.position, .radius = shape.coreRadius};
}

void planePoints(const PlacedShape& shape, const Vec3&, PointReceiver& out) {
  out.add(shape.position, 0);
}

void cast(const PlacedShape& shape, RayCast& cast) {
  castSphere(cast, Vec3::Zero(), shape.coreRadius);
}

}  // namespace sphere
}  // namespace

const ShapeOperations Sphere::operations = {
    .name = "sphere",
    .help = "ball about the origin",
    .visitFields = sphere::visit,
    .massProperties = sphere::massOf,
    .bounds = sphere::bounds,
    .place = sphere::place,
    .placedBounds = sphere::placedBox,
    .localSurface = sphere::surface,
    .castRay = sphere::cast,
    .support = sphere::supportOf,
    .thickness = sphere::thicknessOf,
    .supportFeature = sphere::feature,
    .planePoints = sphere::planePoints,
};

}  // namespace drystone
