#include <optional>

#include "collision/narrow/distance.h"

namespace drystone::narrow {

ClosestPoints distanceTo(const PlacedShape& bounded, const PlacedShape& other) {
  if (other.kind != ShapeKind::kPlane) return closestPoints(bounded, other, kUnbounded);
  ClosestPoints closest;
  closest.isFound = true;
  closest.normal = -other.axis(2);
  closest.onA = bounded.position + support(bounded, closest.normal, false);
  closest.gap = closest.normal.dot(other.position - closest.onA);
  closest.onB = closest.onA + closest.gap * closest.normal;
  return closest;
}

std::optional<RayContact> castConvex(PlacedShape bounded, const Vec3& motion,
                                     const PlacedShape& other) {
  const Vec3 start = bounded.position;
  const Real touching = kTouchingShare * thickness(bounded, other);
  constexpr int kCastRounds = 200;
  Real t = 0;
  for (int round = 0; round < kCastRounds; ++round) {
    bounded.position = start + t * motion;
    const ClosestPoints closest = distanceTo(bounded, other);
    if (closest.gap <= touching) return RayContact{t, -closest.normal};
    const Real speed = closest.normal.dot(motion);
    if (speed <= 0) return std::nullopt;
    t += closest.gap / speed;
    if (t > 1) return std::nullopt;
  }
  return RayContact{t, -distanceTo(bounded, other).normal};
}

}  // namespace drystone::narrow
