#include <algorithm>
#include <cmath>
#include <numbers>

#include "collision/shape/rim.h"

namespace drystone {
namespace {
namespace cylinder {

void visit(Shape& shape, FieldVisitor& visitor) {
  auto& s = std::get<Cylinder>(shape);
  visitor.positive({"radius", "m", "radius"}, s.radius, kLargestShapeSize);
  visitor.positive({"half_length", "m", "half length along the axis"}, s.halfLength,
                   kLargestShapeSize);
}

MassProperties massOf(const Shape& shape, Real density) {
  const auto& s = std::get<Cylinder>(shape);
  const Real r2 = s.radius * s.radius;
  const Real mass = density * std::numbers::pi * r2 * 2 * s.halfLength;
  const Real across = mass * (r2 / 4 + s.halfLength * s.halfLength / 3);
  return {mass, Vec3::Zero(), Vec3(across, across, mass * r2 / 2).asDiagonal()};
}

std::optional<Bounds> bounds(const Shape& shape) {
  const auto& s = std::get<Cylinder>(shape);
  const Vec3 reach(s.radius, s.radius, s.halfLength);
  return Bounds{-reach, reach};
}

std::unique_ptr<Polytope> place(const Shape& shape, PlacedShape& out) {
  const auto& s = std::get<Cylinder>(shape);
  out.size = {s.radius, s.halfLength, 0};
  out.halfAxis = s.halfLength;
  return nullptr;
}

Bounds placedBox(const PlacedShape& shape) {
  const Vec3 reach =
      shape.axis(2).cwiseAbs() * shape.size.y() + discReach(shape.axis(2)) * shape.size.x();
  return {shape.position - reach, shape.position + reach};
}

Vec3 supportOf(const PlacedShape& shape, const Vec3& direction) {
  return pointOnDisc(direction, shape.size.x(),
                     direction.z() >= 0 ? shape.size.y() : -shape.size.y());
}

Real thicknessOf(const PlacedShape& shape) { return 2 * std::min(shape.size.x(), shape.size.y()); }

/// Lower (end 0) or upper (end 1) rim.
Rim rimOf(const PlacedShape& shape, int end) {
  const Real side = end == 0 ? -1 : 1;
  return {shape.position + side * shape.size.y() * shape.axis(2), shape.size.x(), end * 16};
}

void feature(const PlacedShape& shape, const Vec3& direction, const Vec3& origin, Polygon& out) {
  const Real along = direction.dot(shape.axis(2));
  const Rim rim = rimOf(shape, along < 0 ? 0 : 1);
  if (std::abs(along) > kSquareCosine) {
    setCap(shape, rim, along < 0 ? Vec3(-shape.axis(2)) : shape.axis(2), origin, out);
  } else if (std::abs(along) < kSquareSine) {
    out.setEdge(farthestOnRim(shape, rimOf(shape, 0), direction) - origin, kSideLowId,
                farthestOnRim(shape, rimOf(shape, 1), direction) - origin, kSideHighId,
                kSideEdgeId);
  } else {
    out.setPoint(farthestOnRim(shape, rim, direction) - origin, rim.firstId + RimSamples::kFixed);
  }
}

LocalSurface surface(const PlacedShape& shape, const Vec3& point, const Vec3& outwards) {
  const Vec3 axis = shape.axis(2);
  if (isAlong(axis, outwards)) return LocalSurface::face(point);
  if (std::abs(axis.dot(outwards)) >= kSameSine) return rimSurface(shape, point, outwards);
  const Real radius = shape.size.x();
  const Vec3 core = point - radius * outwards;
  if (distanceFromAxis(shape, core) > kOnEdge * radius) return LocalSurface::corner(point);
  return {.kind = LocalSurface::Kind::kLine, .core = core, .axis = axis, .radius = radius};
}

void planePoints(const PlacedShape& shape, const Vec3& direction, PointReceiver& out) {
  addRimPoints(shape, rimOf(shape, 0), direction, out);
  addRimPoints(shape, rimOf(shape, 1), direction, out);
}

void cast(const PlacedShape& shape, RayCast& cast) {
  const Real radius = shape.size.x(), half = shape.size.y();
  if (std::hypot(cast.from.x(), cast.from.y()) < radius && std::abs(cast.from.z()) < half) return;
  castSide(cast, radius, half);
  castDisc(cast, radius, -half, -1);
  castDisc(cast, radius, half, 1);
}

}  // namespace cylinder
}  // namespace

const ShapeOperations Cylinder::operations = {
    .name = "cylinder",
    .help = "axis z, centred",
    .visitFields = cylinder::visit,
    .massProperties = cylinder::massOf,
    .bounds = cylinder::bounds,
    .place = cylinder::place,
    .placedBounds = cylinder::placedBox,
    .localSurface = cylinder::surface,
    .castRay = cylinder::cast,
    .support = cylinder::supportOf,
    .thickness = cylinder::thicknessOf,
    .supportFeature = cylinder::feature,
    .planePoints = cylinder::planePoints,
};

}  // namespace drystone
