#include <algorithm>
#include <cmath>
#include <numbers>

#include "collision/shape/rim.h"

namespace drystone {
namespace {
namespace cone {

void visit(Shape& shape, FieldVisitor& visitor) {
  auto& s = std::get<Cone>(shape);
  visitor.positive({"radius", "m", "radius of the base"}, s.radius, kLargestShapeSize);
  visitor.positive({"height", "m", "from the base to the apex"}, s.height, kLargestShapeSize);
}

// The centre of mass is h/4 above the base, so h/4 below mid-height, where the frame is.
MassProperties massOf(const Shape& shape, Real density) {
  const auto& s = std::get<Cone>(shape);
  const Real r2 = s.radius * s.radius;
  const Real mass = density * std::numbers::pi * r2 * s.height / 3;
  const Real across = mass * 3 / 80 * (4 * r2 + s.height * s.height);
  return {mass, Vec3(0, 0, -s.height / 4), Vec3(across, across, 0.3 * mass * r2).asDiagonal()};
}

std::optional<Bounds> bounds(const Shape& shape) {
  const auto& s = std::get<Cone>(shape);
  const Vec3 reach(s.radius, s.radius, 0.5 * s.height);
  return Bounds{-reach, reach};
}

std::unique_ptr<Polytope> place(const Shape& shape, PlacedShape& out) {
  const auto& s = std::get<Cone>(shape);
  out.size = {s.radius, s.height, 0};
  out.halfAxis = 0.5 * s.height;
  return nullptr;
}

Bounds placedBox(const PlacedShape& shape) {
  const Vec3 half = 0.5 * shape.size.y() * shape.axis(2);
  const Vec3 disc = discReach(shape.axis(2)) * shape.size.x();
  Bounds bounds{shape.position - half - disc, shape.position - half + disc};
  bounds.merge({shape.position + half, shape.position + half});
  return bounds;
}

Vec3 supportOf(const PlacedShape& shape, const Vec3& direction) {
  const Vec3 apex(0, 0, 0.5 * shape.size.y());
  const Vec3 rim = pointOnDisc(direction, shape.size.x(), -0.5 * shape.size.y());
  return direction.dot(apex) > direction.dot(rim) ? apex : rim;
}

Real thicknessOf(const PlacedShape& shape) { return std::min(2 * shape.size.x(), shape.size.y()); }

Vec3 apexOf(const PlacedShape& shape) {
  return shape.position + 0.5 * shape.size.y() * shape.axis(2);
}

Rim rimOf(const PlacedShape& shape) {
  return {shape.position - 0.5 * shape.size.y() * shape.axis(2), shape.size.x(), 0};
}

void feature(const PlacedShape& shape, const Vec3& direction, const Vec3& origin, Polygon& out) {
  const Rim rim = rimOf(shape);
  if (direction.dot(shape.axis(2)) < -kSquareCosine) {
    setCap(shape, rim, -shape.axis(2), origin, out);
    return;
  }
  const Vec3 apex = apexOf(shape);
  const Vec3 low = farthestOnRim(shape, rim, direction);
  const Vec3 side = (apex - low).normalized();
  if (std::abs(direction.dot(side)) < kSquareSine) {
    out.setEdge(low - origin, kSideLowId, apex - origin, kApexId, kSideEdgeId);
  } else if (direction.dot(side) > 0) {
    out.setPoint(apex - origin, kApexId);
  } else {
    out.setPoint(low - origin, RimSamples::kFixed);
  }
}

LocalSurface surface(const PlacedShape& shape, const Vec3& point, const Vec3& outwards) {
  const Vec3 axis = shape.axis(2);
  if (axis.dot(outwards) < 0 && isAlong(axis, outwards)) return LocalSurface::face(point);
  return rimSurface(shape, point, outwards);
}

void planePoints(const PlacedShape& shape, const Vec3& direction, PointReceiver& out) {
  addRimPoints(shape, rimOf(shape), direction, out);
  out.add(apexOf(shape), kApexId);
}

void cast(const PlacedShape& shape, RayCast& cast) {
  const Real radius = shape.size.x(), height = shape.size.y();
  const Vec3 &o = cast.from, &d = cast.d;
  const Real slope = radius / height, below = 0.5 * height - o.z();
  const Real c = o.x() * o.x() + o.y() * o.y() - slope * slope * below * below;
  if (c < 0 && below > 0 && below < height) return;
  castDisc(cast, radius, -0.5 * height, -1);
  const Real a = d.x() * d.x() + d.y() * d.y() - slope * slope * d.z() * d.z();
  const Real b = o.x() * d.x() + o.y() * d.y() + slope * slope * below * d.z();
  auto t = roots(a, b, c);
  // Along a side line the quadratic degenerates to a line.
  if (!t && a == 0 && b != 0) t = std::array{-0.5 * c / b, -0.5 * c / b};
  if (!t) return;
  for (const Real root : *t) {
    const Vec3 p = cast.at(root);
    const Real left = 0.5 * height - p.z();
    if (left < 0 || left > height * (1 + kSeam)) continue;
    const Vec3 normal(p.x(), p.y(), slope * slope * left);
    if (normal.dot(d) < 0) cast.offer(root, normal.normalized());
  }
}

}  // namespace cone
}  // namespace

const ShapeOperations Cone::operations = {
    .name = "cone",
    .help = "axis z, apex at +height/2",
    .visitFields = cone::visit,
    .massProperties = cone::massOf,
    .bounds = cone::bounds,
    .place = cone::place,
    .placedBounds = cone::placedBox,
    .localSurface = cone::surface,
    .castRay = cone::cast,
    .support = cone::supportOf,
    .thickness = cone::thicknessOf,
    .supportFeature = cone::feature,
    .planePoints = cone::planePoints,
};

}  // namespace drystone
