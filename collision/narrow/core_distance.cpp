#include "collision/narrow/distance.h"

#include <algorithm>
#include <cmath>

#include "collision/narrow/pairs.h"

namespace drystone::narrow {
namespace {

/// The distance is known when its bounds agree to this, relative to it or to the coordinates.
constexpr Real kRelative = 1e-10, kRounding = 1e-15;
/// Cores closer than this, relative to the coordinates, have a normal of rounding errors.
constexpr Real kTouching = 1e-10;
/// sin² of the angle of a triangle below which its plane is not used.
constexpr Real kSliver = 1e-28;
constexpr int kIterations = 100;

/// A point of A - B with the point of A it comes from.
struct DifferencePoint {
  Vec3 point, onA;
};

/// Part of A - B nearest to the origin so far: one to three points, whose hull has the nearest
/// point `foot` inside.
struct Simplex {
  DifferencePoint corner[4];
  Real weight[4] = {1, 0, 0, 0};
  int count = 0;
  Vec3 foot = Vec3::Zero();
  Real squaredDistance = 1e300;
};

/// Offers the segment from the newest point to another.
void offerEdge(const Simplex& all, int i, Simplex& best) {
  const DifferencePoint &p = all.corner[all.count - 1], &q = all.corner[i];
  const Vec3 along = q.point - p.point;
  const Real length2 = along.squaredNorm();
  const Real reach = -p.point.dot(along);
  if (reach <= 0 || reach >= length2) return;
  const Real t = reach / length2;
  const Vec3 foot = p.point + t * along;
  if (foot.squaredNorm() >= best.squaredDistance) return;
  best.corner[0] = p;
  best.corner[1] = q;
  best.weight[0] = 1 - t;
  best.weight[1] = t;
  best.count = 2;
  best.foot = foot;
  best.squaredDistance = foot.squaredNorm();
}

/// Offers the triangle of the newest point and two others.
void offerTriangle(const Simplex& all, int i, int j, Simplex& best) {
  const DifferencePoint &p = all.corner[all.count - 1], &q = all.corner[i], &r = all.corner[j];
  const Vec3 toQ = q.point - p.point, toR = r.point - p.point;
  const Vec3 normal = toQ.cross(toR);
  const Real area2 = normal.squaredNorm();
  if (area2 <= kSliver * toQ.squaredNorm() * toR.squaredNorm()) return;
  const Real ofQ = normal.dot(toR.cross(p.point)) / area2;
  const Real ofR = normal.dot(p.point.cross(toQ)) / area2;
  if (ofQ <= 0 || ofR <= 0 || ofQ + ofR >= 1) return;
  const Vec3 foot = (normal.dot(p.point) / area2) * normal;
  if (foot.squaredNorm() >= best.squaredDistance) return;
  best.corner[0] = p;
  best.corner[1] = q;
  best.corner[2] = r;
  best.weight[0] = 1 - ofQ - ofR;
  best.weight[1] = ofQ;
  best.weight[2] = ofR;
  best.count = 3;
  best.foot = foot;
  best.squaredDistance = foot.squaredNorm();
}

/// Whether the faces around the newest of four points have the origin inside. (It lies inside the
/// face of the other three, beyond which the newest was found.)
bool containsOrigin(const Simplex& all) {
  const Vec3& tip = all.corner[3].point;
  for (int k = 0; k < 3; ++k) {
    const Vec3 p = all.corner[k].point - tip, q = all.corner[(k + 1) % 3].point - tip;
    const Vec3 normal = p.cross(q);
    const Real inside = normal.dot(all.corner[(k + 2) % 3].point - tip);
    const Real origin = -normal.dot(tip);
    if (inside * origin <= 0) return false;
  }
  return true;
}

/// Nearest part of the simplex that has the newest point in it.
Simplex nearestPart(const Simplex& all) {
  const int newest = all.count - 1;
  Simplex best;
  best.corner[0] = all.corner[newest];
  best.count = 1;
  best.foot = best.corner[0].point;
  best.squaredDistance = best.foot.squaredNorm();
  for (int i = 0; i < newest; ++i) offerEdge(all, i, best);
  for (int i = 0; i < newest; ++i) {
    for (int j = i + 1; j < newest; ++j) offerTriangle(all, i, j, best);
  }
  return best;
}

}  // namespace

Real coreGap(const PlacedShape& a, const PlacedShape& b, const Vec3& normal) {
  return normal.dot(b.position - a.position + support(b, -normal, true) - support(a, normal, true));
}

CoreDistance coreDistance(const PlacedShape& a, const PlacedShape& b, const Vec3& shift,
                          const Vec3& guess, Real enough) {
  const Vec3 offset = b.position - a.position + shift;
  const auto farthest = [&](const Vec3& direction) {
    const Vec3 onA = support(a, direction, true);
    return DifferencePoint{onA - (offset + support(b, -direction, true)), onA};
  };
  Simplex nearest;
  nearest.corner[0] = farthest(guess);
  nearest.count = 1;
  nearest.foot = nearest.corner[0].point;
  nearest.squaredDistance = nearest.foot.squaredNorm();
  Real extent = nearest.foot.cwiseAbs().maxCoeff();
  CoreDistance found;
  for (int iteration = 0; iteration < kIterations; ++iteration) {
    const Real distance = std::sqrt(nearest.squaredDistance);
    if (distance <= kTouching * extent) return found;
    found.normal = -nearest.foot / distance;
    const DifferencePoint next = farthest(found.normal);
    extent = std::max(extent, next.point.cwiseAbs().maxCoeff());
    found.gap = -found.normal.dot(next.point);
    if (found.gap > enough ||
        distance - found.gap <= std::max(kRelative * distance, kRounding * extent)) {
      break;
    }
    Simplex all = nearest;
    all.corner[all.count++] = next;
    if (all.count == 4 && containsOrigin(all)) return found;
    const Simplex part = nearestPart(all);
    if (part.squaredDistance >= nearest.squaredDistance) break;
    nearest = part;
  }
  found.isSeparated = found.gap > 0;
  for (int k = 0; k < nearest.count; ++k) found.onA += nearest.weight[k] * nearest.corner[k].onA;
  found.onB = found.onA - nearest.foot;
  return found;
}

}  // namespace drystone::narrow
