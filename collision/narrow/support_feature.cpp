#include "collision/narrow/pairs.h"

#include <algorithm>
#include <cmath>

#include "collision/shape/shape_operations.h"

namespace drystone::narrow {
namespace {

/// Gaps closer than this, relative to the shapes, are equal.
constexpr Real kFeatureRounding = 1e-9;

/// A unit normal, from A to B, and the gap along it.
struct Facing {
  Vec3 normal;
  Real gap;
};

/// The contact's normal: that of a facing face whose gap along it is the distance, else that of the
/// closest points. So faces that rest on each other keep one normal while the closest points move,
/// and no face that leans lends its own. Of overlapping shapes a face may well have less overlap
/// than the search found; the gap is its own then.
Facing facingOf(const PlacedShape& a, const PlacedShape& b, const ClosestPoints& closest,
                const Polygon& ofA, const Polygon& ofB, Real rounding) {
  const Real radii = a.coreRadius + b.coreRadius;
  Facing best = {closest.normal, closest.gap};
  Real largest = closest.gap - rounding;
  const auto offer = [&](const Vec3& candidate) {
    const Real gap = coreGap(a, b, candidate) - radii;
    if (gap <= largest) return;
    largest = gap;
    best = {candidate, gap};
  };
  if (ofA.corners.size() >= 3) offer(ofA.normal);
  if (ofB.corners.size() >= 3) offer(-ofB.normal);
  return best;
}

}  // namespace

void supportFeature(const PlacedShape& shape, const Vec3& direction, const Vec3& origin,
                    Polygon& out) {
  out.normal = direction;
  operationsOf(shape.kind).supportFeature(shape, direction, origin, out);
}

void contactOfParallelEdges(const Polygon& a, const Polygon& b, const Vec3& origin,
                            const Vec3& normal, Real margin, Real tolerance, Manifold& out) {
  const Polygon::Corner &a0 = a.corners[0], &a1 = a.corners[1];
  const Polygon::Corner *b0 = &b.corners[0], *b1 = &b.corners[1];
  const Vec3 along = (a1.point - a0.point).normalized();
  const Vec3 alongB = (b1->point - b0->point).normalized();
  if (along.cross(alongB).norm() > kSquareSine) return;
  if (along.dot(alongB) < 0) std::swap(b0, b1);
  const auto place = [&](const Polygon::Corner& corner) {
    return along.dot(corner.point - a0.point);
  };
  struct End {
    Real at;
    std::uint32_t key;
  };
  const End ends[2] = {place(*b0) >= -tolerance
                           ? End{place(*b0), featureKey(FeatureKind::kVertexB, 0, b0->vertex)}
                           : End{0, featureKey(FeatureKind::kVertexA, a0.vertex, 0)},
                       place(*b1) <= place(a1) + tolerance
                           ? End{place(*b1), featureKey(FeatureKind::kVertexB, 0, b1->vertex)}
                           : End{place(a1), featureKey(FeatureKind::kVertexA, a1.vertex, 0)}};
  if (ends[1].at < ends[0].at) return;
  const Real lengthB = place(*b1) - place(*b0);
  for (const End& end : ends) {
    const Vec3 onA = a0.point + end.at * along;
    const Vec3 onB = b0->point + (end.at - place(*b0)) / lengthB * (b1->point - b0->point);
    const Real gap = normal.dot(onB - onA);
    if (gap <= margin) out.add(origin + 0.5 * (onA + onB), gap, end.key);
  }
}

void contactOfFeatures(const PlacedShape& a, const PlacedShape& b, const ClosestPoints& closest,
                       Real margin, Real tolerance, ClipScratch& scratch, Manifold& out) {
  out.clear();
  if (!closest.isFound) return;
  const Vec3& origin = a.position;
  Polygon &ofA = scratch.reference, &ofB = scratch.incident;
  supportFeature(a, closest.normal, origin, ofA);
  supportFeature(b, -closest.normal, origin, ofB);
  const std::size_t sizeA = ofA.corners.size(), sizeB = ofB.corners.size();
  const Real rounding = kFeatureRounding * thickness(a, b);
  const Facing facing = facingOf(a, b, closest, ofA, ofB, rounding);
  const Vec3& normal = facing.normal;
  out.normal = normal;
  if (sizeA >= 3 || sizeB >= 3) {
    const Real squareA = sizeA >= 3 ? ofA.normal.dot(normal) : -1;
    const Real squareB = sizeB >= 3 ? -ofB.normal.dot(normal) : -1;
    const bool referenceIsA = squareA >= squareB;
    if (!referenceIsA) std::swap(ofA, ofB);
    if (std::min(sizeA, sizeB) > 1) {
      clipToReference(scratch, referenceIsA ? normal : Vec3(-normal), origin, margin, tolerance,
                      referenceIsA, out);
    }
  } else if (sizeA == 2 && sizeB == 2) {
    contactOfParallelEdges(ofA, ofB, origin, normal, margin, tolerance, out);
  }
  Real lowest = 1e300;
  for (const ManifoldPoint& point : out.points) lowest = std::min(lowest, point.gap);
  if (lowest <= facing.gap + rounding) return;
  out.add(0.5 * (closest.onA + closest.onB), facing.gap, featureKey(FeatureKind::kSpecial, 0, 0));
}

}  // namespace drystone::narrow
