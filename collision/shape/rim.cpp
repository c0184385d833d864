#include "collision/shape/rim.h"

#include <cmath>

namespace drystone {
namespace {

/// Tilt of a disc (sine) below which its deepest point is not told from its samples: rounding
/// would choose it.
constexpr Real kFlatSine = 1e-6;
/// Tilt beyond which the fixed samples only repeat the deepest point's neighbourhood.
constexpr Real kSteepSine = 0.2;

Vec3 radialPart(const PlacedShape& shape, const Vec3& direction) {
  const Vec3 axis = shape.axis(2);
  return direction - direction.dot(axis) * axis;
}

}  // namespace

Vec3 farthestOnRim(const PlacedShape& shape, const Rim& rim, const Vec3& direction) {
  const Vec3 radial = radialPart(shape, direction);
  const Real length = radial.norm();
  if (length < 1e-12) return rim.center + rim.radius * shape.axis(0);
  return rim.center + (rim.radius / length) * radial;
}

void sampleRim(const PlacedShape& shape, const Rim& rim, const Vec3& direction, RimSamples& out) {
  out.count = 0;
  const auto add = [&](const Vec3& point, int id) {
    out.point[out.count] = point;
    out.id[out.count] = rim.firstId + id;
    ++out.count;
  };
  const Vec3 radial = radialPart(shape, direction);
  const Real sine = radial.norm();
  if (sine > kFlatSine) add(rim.center + (rim.radius / sine) * radial, RimSamples::kFixed);
  if (sine > kSteepSine) return;
  constexpr Real kHalfRoot = 0.70710678118654752440;
  constexpr Real kCircle[RimSamples::kFixed][2] = {
      {1, 0},  {kHalfRoot, kHalfRoot},   {0, 1},  {-kHalfRoot, kHalfRoot},
      {-1, 0}, {-kHalfRoot, -kHalfRoot}, {0, -1}, {kHalfRoot, -kHalfRoot}};
  for (int i = 0; i < RimSamples::kFixed; ++i) {
    add(rim.center + rim.radius * (kCircle[i][0] * shape.axis(0) + kCircle[i][1] * shape.axis(1)),
        i);
  }
}

void setCap(const PlacedShape& shape, const Rim& rim, const Vec3& normal, const Vec3& origin,
            Polygon& out) {
  RimSamples samples;
  sampleRim(shape, rim, normal, samples);
  out.corners.clear();
  out.normal = normal;
  const bool reverse = normal.dot(shape.axis(2)) < 0;
  for (int k = 0; k < RimSamples::kFixed; ++k) {
    const int at = samples.count - RimSamples::kFixed + (reverse ? RimSamples::kFixed - 1 - k : k);
    out.corners.push_back({samples.point[at] - origin, Vec3::Zero(), samples.id[at], 0});
  }
  for (int k = 0; k < RimSamples::kFixed; ++k) {
    Polygon::Corner& corner = out.corners[static_cast<std::size_t>(k)];
    const Polygon::Corner& next =
        out.corners[static_cast<std::size_t>((k + 1) % RimSamples::kFixed)];
    corner.side = (next.point - corner.point).normalized().cross(normal);
    corner.edge = reverse ? next.vertex : corner.vertex;
  }
}

void addRimPoints(const PlacedShape& shape, const Rim& rim, const Vec3& direction,
                  PointReceiver& out) {
  RimSamples samples;
  sampleRim(shape, rim, direction, samples);
  for (int i = 0; i < samples.count; ++i) out.add(samples.point[i], samples.id[i]);
}

LocalSurface rimSurface(const PlacedShape& shape, const Vec3& point, const Vec3& outwards) {
  const Vec3 axis = shape.axis(2);
  const Vec3 core = shape.position + axis.dot(point - shape.position) * axis;
  const Vec3 radial = (outwards - axis.dot(outwards) * axis).normalized();
  const Real radius = (point - core).norm();
  if (radial.dot(point - core) < (1 - kOnEdge) * radius) return LocalSurface::corner(point);
  return {.kind = LocalSurface::Kind::kRim, .core = core, .axis = axis, .radius = radius};
}

Real distanceFromAxis(const PlacedShape& shape, const Vec3& point) {
  return shape.axis(2).cross(point - shape.position).norm();
}

Vec3 pointOnDisc(const Vec3& direction, Real radius, Real z) {
  const Real length = std::hypot(direction.x(), direction.y());
  if (length == 0) return {radius, 0, z};
  return {radius * direction.x() / length, radius * direction.y() / length, z};
}

Vec3 discReach(const Vec3& normal) {
  return (Vec3::Ones() - normal.cwiseAbs2()).cwiseMax(0).cwiseSqrt();
}

}  // namespace drystone
