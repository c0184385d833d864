#include "collision/narrow/distance.h"

#include <algorithm>
#include <utility>

#include "collision/narrow/pairs.h"
#include "core/check.h"

namespace drystone::narrow {
namespace {

/// Overlapping cores are moved this far apart to measure the direction between them. Relative to
/// the thickness of the thinner shape, like the following.
constexpr Real kClearance = 1e-2;
/// A refinement that gains less is the last.
constexpr Real kGain = 1e-9;
constexpr int kRounds = 4;

/// The centre line, or any direction for concentric shapes.
Vec3 centerLine(const PlacedShape& a, const PlacedShape& b) {
  const Vec3 line = b.position - a.position;
  return line.squaredNorm() < 1e-24 ? Vec3::UnitZ() : line.normalized();
}

/// Takes over the points of B as moved by `shift`, which lie on both surfaces.
void takePoints(const CoreDistance& apart, const Vec3& shift, const PlacedShape& a,
                const PlacedShape& b, ClosestPoints& out) {
  out.onA = a.position + apart.onA + a.coreRadius * apart.normal;
  out.onB = a.position + apart.onB - shift - b.coreRadius * apart.normal;
}

/// Overlapping cores: a direction from a global search, then refined.
ClosestPoints deepest(const PlacedShape& a, const PlacedShape& b) {
  const LeastOverlap start = leastOverlap(a, b);
  const Real size = thickness(a, b), radii = a.coreRadius + b.coreRadius;
  ClosestPoints best;
  best.normal = start.normal;
  best.gap = start.gap;
  best.onA = a.position + start.onA;
  best.onB = a.position + start.onB;
  for (int round = 0; round < kRounds; ++round) {
    const Real out = kClearance * size - (best.gap + radii);
    const Vec3 shift = std::max(Real(0), out) * best.normal;
    const CoreDistance apart = coreDistance(a, b, shift, best.normal, kUnbounded);
    if (!apart.isSeparated) break;
    const Real gap = coreGap(a, b, apart.normal) - radii;
    const Real gain = gap - best.gap;
    if (gain < -kGain * size) {
      // The direction stays, but the search's points are not to be trusted: where the shapes only
      // just touch, the foot of its nearest plane may lie far outside the face that has the plane.
      if (round == 0) takePoints(apart, shift, a, b, best);
      break;
    }
    best.gap = gap;
    best.normal = apart.normal;
    takePoints(apart, shift, a, b, best);
    if (gain <= kGain * size) break;
  }
  return best;
}

ClosestPoints closestOrdered(const PlacedShape& a, const PlacedShape& b, Real maximumGap) {
  const Real radii = a.coreRadius + b.coreRadius;
  const CoreDistance apart = coreDistance(a, b, Vec3::Zero(), centerLine(a, b), maximumGap + radii);
  if (!apart.isSeparated) return deepest(a, b);
  ClosestPoints found;
  found.gap = apart.gap - radii;
  found.normal = apart.normal;
  takePoints(apart, Vec3::Zero(), a, b, found);
  return found;
}

/// An order of the pair that does not depend on which shape is called A.
bool comesFirst(const PlacedShape& a, const PlacedShape& b) {
  if (a.kind != b.kind) return a.kind < b.kind;
  const auto isBefore = [](const auto& p, const auto& q) {
    return std::lexicographical_compare(p.begin(), p.end(), q.begin(), q.end());
  };
  if (a.size != b.size) return isBefore(a.size, b.size);
  if (a.position != b.position) return isBefore(a.position, b.position);
  return !isBefore(b.rotation.reshaped(), a.rotation.reshaped());
}

}  // namespace

ClosestPoints closestPoints(const PlacedShape& a, const PlacedShape& b, Real maximumGap) {
  DRYSTONE_ASSERT(a.kind != ShapeKind::kPlane && b.kind != ShapeKind::kPlane);
  const bool isSwapped = !comesFirst(a, b);
  ClosestPoints found =
      isSwapped ? closestOrdered(b, a, maximumGap) : closestOrdered(a, b, maximumGap);
  if (isSwapped) {
    found.normal = -found.normal;
    std::swap(found.onA, found.onB);
  }
  found.isFound = found.gap <= maximumGap;
  return found;
}

}  // namespace drystone::narrow
