#include "collision/analytic/contact_deviation.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <variant>

#include "collision/analytic/certificate.h"
#include "collision/analytic/placed_parts.h"
#include "collision/narrow/manifold.h"

namespace drystone::certify {
namespace {

/// The search for the best normal ends at steps of this, so that slabs of metres are wide to a
/// nanometre [rad].
constexpr Real kSearchEnd = 1e-9;

/// Accurate for small angles, too.
Real angleBetween(const Vec3& a, const Vec3& b) { return std::atan2(a.cross(b).norm(), a.dot(b)); }

struct Side {
  const Shape& shape;
  const Pose& pose;
};

/// The contact's points on A (-1) and B (+1).
Vec3 pointOn(const ContactPoint& contact, Real side) {
  return contact.position + 0.5 * side * contact.gap * contact.normal;
}

/// The widest slab near the contact's normal, or near the normals of faces and axes: where the
/// shapes overlap there may be several, and the least overlap is that of the widest. Apart, the
/// slabs narrow from one normal to all sides, so that a search from any leads there.
Slab bestSlab(const PlacedConvex& a, const PlacedConvex& b, const Slab& own) {
  Slab best = own;
  if (own.width <= 0) {
    std::vector<Vec3> normals;
    addLikelyNormals(a, normals);
    addLikelyNormals(b, normals);
    for (const Vec3& normal : normals) {
      const Slab likely{slabWidth(a, b, normal), normal};
      if (likely.width > best.width) best = likely;
    }
    if (best.width > own.width) best = widenSlab(a, b, best, kSearchEnd);
  }
  const Slab near = widenSlab(a, b, own, kSearchEnd);
  return near.width > best.width ? near : best;
}

/// Judges a half-space: it has one normal.
ContactDeviation besideHalfSpace(const PlacedConvex& a, const PlacedConvex& b,
                                 const ContactPoint& contact) {
  const PlacedConvex& plane = isHalfSpace(a) ? a : b;
  const Vec3 up = plane.pose.rotation * Vec3::UnitZ();
  const Vec3 normal = isHalfSpace(a) ? up : Vec3(-up);
  const Real width = slabWidth(a, b, normal);
  return {true, std::abs(contact.gap - width), angleBetween(contact.normal, normal), 0};
}

/// Judges the deepest contact of a manifold of two convex shapes; all but its place.
ContactDeviation besideConvex(const PlacedConvex& a, const PlacedConvex& b,
                              const ContactPoint& contact, Real place) {
  const Real round = kRound * sizeOf(a, b);
  const Slab own{slabWidth(a, b, contact.normal), contact.normal};
  const Real error = std::abs(contact.gap - own.width);
  // Two points of the shapes that are as far apart as the slab is wide prove both.
  const bool isProved = contact.gap > 0 && error <= round && place <= round;
  if (isProved) return {true, error, 0, 0};
  const Slab best = bestSlab(a, b, own);
  // A normal whose slab is as wide to rounding is as good: of corners that meet all are.
  if (best.width <= own.width + round) return {true, error, 0, 0};
  return {true, std::abs(contact.gap - best.width), angleBetween(contact.normal, best.normal), 0};
}

constexpr Real kHalfTurn = 3.14159265358979;

/// Of a triangle that lies counter-clockwise around it.
Vec3 faceNormal(const PlacedConvex& triangle) {
  const std::vector<Vec3>& v = std::get<TriangleMesh>(triangle.shape).data->vertices;
  return triangle.pose.rotation * (v[1] - v[0]).cross(v[2] - v[0]);
}

bool isNormalOfTriangle(const PlacedConvex& triangle, const Vec3& normal) {
  const Real angle = angleBetween(faceNormal(triangle), normal);
  return std::min(angle, kHalfTurn - angle) <= kNormalTolerance;
}

/// Overlaps are judged by the face's own normal: along it the slab must be as wide as the gap. Out
/// of a height field it leads upwards; out of a mesh, which has two sides, along the wider slab.
std::optional<ContactDeviation> overlappingTriangle(const PlacedPart& a, const PlacedPart& b,
                                                    const ContactPoint& contact) {
  const PlacedPart& triangle = a.isTriangle ? a : b;
  if (!isNormalOfTriangle(triangle.convex, contact.normal)) return std::nullopt;
  const Vec3 outwards = a.isTriangle ? contact.normal : Vec3(-contact.normal);
  const Real width = slabWidth(a.convex, b.convex, contact.normal);
  if (triangle.isOfField) {
    const bool leadsIn = faceNormal(triangle.convex).dot(outwards) < 0;
    return ContactDeviation{true, std::abs(contact.gap - width), leadsIn ? kHalfTurn : 0, 0};
  }
  if (slabWidth(a.convex, b.convex, -contact.normal) > width) return std::nullopt;
  return ContactDeviation{true, std::abs(contact.gap - width), 0, 0};
}

/// Whether its closed forms are known: a new kind of shape may lack them.
bool hasClosedForm(const PlacedConvex& convex) {
  return isHalfSpace(convex) || convex.toLocal(farthestPoint(convex, Vec3::UnitZ())).allFinite();
}

/// Judges a contact by a part of each side; none where there is no truth.
std::optional<ContactDeviation> deviationOf(const PlacedPart& a, const PlacedPart& b,
                                            const ContactPoint& contact, bool isDeepest) {
  if (a.isTriangle && b.isTriangle) return std::nullopt;
  if (!hasClosedForm(a.convex) || !hasClosedForm(b.convex)) return std::nullopt;
  const Real place = std::max(a.distance, b.distance);
  ContactDeviation found{.isKnown = true};
  if (isHalfSpace(a.convex) || isHalfSpace(b.convex)) {
    found = besideHalfSpace(a.convex, b.convex, contact);
    if (!isDeepest) found.gap = 0;
  } else if ((a.isTriangle || b.isTriangle) && contact.gap < -kGapTolerance) {
    const auto triangle = overlappingTriangle(a, b, contact);
    if (!triangle) return std::nullopt;
    if (isDeepest) found = *triangle;
  } else if (isDeepest) {
    found = besideConvex(a.convex, b.convex, contact, place);
  }
  // Where the nearest edge is another triangle's, or the shape reaches beyond this one, the contact
  // stands on the face without being the nearest to it: this triangle does not tell.
  const bool isOfTriangle = a.isTriangle || b.isTriangle;
  const bool leadsIn = found.normal == kHalfTurn;
  if (isOfTriangle && !leadsIn && isBeyond(found) && place <= kPlaceTolerance &&
      isNormalOfTriangle(a.isTriangle ? a.convex : b.convex, contact.normal)) {
    return std::nullopt;
  }
  found.place = place;
  return found;
}

/// Of the largest share of a tolerance.
Real shareOf(const ContactDeviation& one) {
  return std::max(
      {one.gap / kGapTolerance, one.normal / kNormalTolerance, one.place / kPlaceTolerance});
}

/// The best judgement over the parts that the contact may be of.
ContactDeviation deviationOf(const Side& a, const Side& b, const ContactPoint& contact,
                             bool isDeepest) {
  std::vector<PlacedPart> ofA, ofB;
  findNearParts(a.shape, a.pose, pointOn(contact, -1), ofA);
  findNearParts(b.shape, b.pose, pointOn(contact, 1), ofB);
  ContactDeviation best;
  bool isAnyUnknown = false;
  for (const PlacedPart& partA : ofA) {
    for (const PlacedPart& partB : ofB) {
      const auto found = deviationOf(partA, partB, contact, isDeepest);
      isAnyUnknown = isAnyUnknown || !found;
      if (!found || (best.isKnown && shareOf(*found) >= shareOf(best))) continue;
      best = *found;
    }
  }
  // Where the part that it is of does not tell, its neighbours must not tell against it.
  if (isAnyUnknown && isBeyond(best) && best.place <= kPlaceTolerance) return {};
  return best;
}

bool isSurface(const Shape& shape) {
  return std::holds_alternative<TriangleMesh>(shape) || std::holds_alternative<Heightfield>(shape);
}

/// Whether two contacts are of one manifold: of the same parts, with the same normal. The triangles
/// of a surface share theirs.
bool isSameManifold(const ContactPoint& p, const ContactPoint& q, bool onSurface) {
  if (onSurface) return p.normal.dot(q.normal) >= narrow::kLaidCosine;
  return p.feature >> narrow::kFeatureBits == q.feature >> narrow::kFeatureBits &&
         p.normal == q.normal;
}

bool isDeepestOfManifold(const ContactPoint& one, std::span<const ContactPoint> contacts,
                         bool onSurface) {
  return std::none_of(contacts.begin(), contacts.end(), [&](const ContactPoint& other) {
    return isSameManifold(one, other, onSurface) && other.gap < one.gap;
  });
}

}  // namespace

bool isBeyond(const ContactDeviation& deviation) {
  // Written so that what is not a number is beyond, too.
  return deviation.isKnown &&
         !(deviation.gap <= kGapTolerance && deviation.normal <= kNormalTolerance &&
           deviation.place <= kPlaceTolerance);
}

std::vector<ContactDeviation> contactDeviations(const Shape& a, const Pose& poseA, const Shape& b,
                                                const Pose& poseB,
                                                std::span<const ContactPoint> contacts) {
  const bool onSurface = isSurface(a) || isSurface(b);
  std::vector<ContactDeviation> all;
  for (const ContactPoint& contact : contacts) {
    if (contact.isAhead) {
      all.emplace_back();
      continue;
    }
    all.push_back(deviationOf(Side{a, poseA}, Side{b, poseB}, contact,
                              isDeepestOfManifold(contact, contacts, onSurface)));
  }
  return all;
}

}  // namespace drystone::certify
