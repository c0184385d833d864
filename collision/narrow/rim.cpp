#include "collision/narrow/rim.h"

#include <cmath>

namespace drystone::narrow {
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

Rim cylinderRim(const PlacedShape& cylinder, int end) {
  const Real side = end == 0 ? -1 : 1;
  return {cylinder.position + side * cylinder.size.y() * cylinder.axis(2), cylinder.size.x(),
          end * 16};
}

Rim coneRim(const PlacedShape& cone) {
  return {cone.position - 0.5 * cone.size.y() * cone.axis(2), cone.size.x(), 0};
}

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

}  // namespace drystone::narrow
