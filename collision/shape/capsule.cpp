#include <algorithm>
#include <cmath>

#include "collision/shape/rim.h"

namespace drystone {
namespace {
namespace capsule {

void visit(Shape& shape, FieldVisitor& visitor) {
  auto& s = std::get<Capsule>(shape);
  visitor.positive({"radius", "m", "radius"}, s.radius, kLargestShapeSize);
  visitor.positive({"half_length", "m", "half length of the segment"}, s.halfLength,
                   kLargestShapeSize);
}

// The cylinder and two half balls. A half ball has its centre of mass 3/8 r from its flat side, so
// moved out by L it has, with its twin, m (2/5 r² + L² + 2 · L · 3/8 r) across the axis.
MassProperties massOf(const Shape& shape, Real density) {
  const auto& s = std::get<Capsule>(shape);
  const Real l = s.halfLength;
  MassProperties result = Cylinder::operations.massProperties(Cylinder{s.radius, l}, density);
  const MassProperties ball = Sphere::operations.massProperties(Sphere{s.radius}, density);
  const Real across = ball.inertia(0, 0) + ball.mass * (l * l + 0.75 * l * s.radius);
  result.mass += ball.mass;
  result.inertia += Vec3(across, across, ball.inertia(2, 2)).asDiagonal();
  return result;
}

std::optional<Bounds> bounds(const Shape& shape) {
  const auto& s = std::get<Capsule>(shape);
  const Vec3 reach(s.radius, s.radius, s.halfLength + s.radius);
  return Bounds{-reach, reach};
}

std::unique_ptr<Polytope> place(const Shape& shape, PlacedShape& out) {
  const auto& s = std::get<Capsule>(shape);
  out.size = {s.radius, s.halfLength, 0};
  out.halfAxis = s.halfLength;
  out.coreRadius = s.radius;
  return nullptr;
}

Bounds placedBox(const PlacedShape& shape) {
  const Vec3 reach = shape.axis(2).cwiseAbs() * shape.size.y() + Vec3::Constant(shape.coreRadius);
  return {shape.position - reach, shape.position + reach};
}

Vec3 supportOf(const PlacedShape& shape, const Vec3& direction) {
  return {0, 0, direction.z() >= 0 ? shape.size.y() : -shape.size.y()};
}

Real thicknessOf(const PlacedShape& shape) { return 2 * shape.coreRadius; }

void feature(const PlacedShape& shape, const Vec3& direction, const Vec3& origin, Polygon& out) {
  const Vec3 half = shape.size.y() * shape.axis(2);
  const Vec3 surface = shape.position - origin + shape.coreRadius * direction;
  const Real along = direction.dot(shape.axis(2));
  if (std::abs(along) < kSquareSine) {
    out.setEdge(surface - half, 0, surface + half, 1, kSideEdgeId);
  } else {
    out.setPoint(along < 0 ? Vec3(surface - half) : Vec3(surface + half), along < 0 ? 0 : 1);
  }
}

/// Where a mesh is smooth, contacts with its edges have the normal of its face, which is not that
/// of a round surface there: the point of such a contact stays on the body, like a corner.
LocalSurface surface(const PlacedShape& shape, const Vec3& point, const Vec3& outwards) {
  const Real radius = shape.coreRadius;
  const Vec3 core = point - radius * outwards;
  const Vec3 axis = shape.axis(2);
  if (distanceFromAxis(shape, core) > kOnEdge * radius) return LocalSurface::corner(point);
  const bool isSide = std::abs(outwards.dot(axis)) < kSameSine;
  return {.kind = isSide ? LocalSurface::Kind::kLine : LocalSurface::Kind::kPoint,
          .core = core,
          .axis = isSide ? axis : Vec3::Zero(),
          .radius = radius};
}

void planePoints(const PlacedShape& shape, const Vec3&, PointReceiver& out) {
  for (int end = 0; end < 2; ++end) {
    out.add(shape.position + (end == 0 ? -shape.size.y() : shape.size.y()) * shape.axis(2), end);
  }
}

void cast(const PlacedShape& shape, RayCast& cast) {
  const Real radius = shape.coreRadius, half = shape.size.y();
  const Vec3 onAxis(0, 0, std::clamp(cast.from.z(), -half, half));
  if ((cast.from - onAxis).squaredNorm() < radius * radius) return;
  castSide(cast, radius, half);
  castSphere(cast, {0, 0, -half}, radius);
  castSphere(cast, {0, 0, half}, radius);
}

}  // namespace capsule
}  // namespace

const ShapeOperations Capsule::operations = {
    .name = "capsule",
    .help = "segment along z swept by a sphere",
    .visitFields = capsule::visit,
    .massProperties = capsule::massOf,
    .bounds = capsule::bounds,
    .place = capsule::place,
    .placedBounds = capsule::placedBox,
    .localSurface = capsule::surface,
    .castRay = capsule::cast,
    .support = capsule::supportOf,
    .thickness = capsule::thicknessOf,
    .supportFeature = capsule::feature,
    .planePoints = capsule::planePoints,
};

}  // namespace drystone
