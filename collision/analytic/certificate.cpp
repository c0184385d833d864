#include "collision/analytic/certificate.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace drystone::certify {
namespace {

constexpr int kDirections = 150;  ///< spread evenly over the sphere
constexpr std::size_t kRefined = 4;
constexpr Real kFirstStep = 0.1, kLastStep = 1e-5;  ///< of the refinement [rad]
constexpr int kMostRounds = 500;  ///< of the refinement; along a ridge it gains less and less

/// Directions square to an edge of each, and those square to one that are nearest to the guess.
/// Fine shapes have too many of the first.
void addNormalsOfEdges(const PlacedConvex& a, const PlacedConvex& b, const Vec3& guess,
                       std::vector<Vec3>& out) {
  constexpr std::size_t kMostPairs = 10000;
  std::vector<Vec3> ofA, ofB;
  addEdgeDirections(a, ofA);
  addEdgeDirections(b, ofB);
  const auto add = [&](const Vec3& normal) {
    if (normal.norm() < 1e-6) return;
    out.push_back(normal.normalized());
    out.push_back(-out.back());
  };
  for (const std::vector<Vec3>* edges : {&ofA, &ofB}) {
    for (const Vec3& edge : *edges) add(guess - guess.dot(edge) * edge);
  }
  if (ofA.size() * ofB.size() > kMostPairs) return;
  for (const Vec3& p : ofA) {
    for (const Vec3& q : ofB) add(p.cross(q));
  }
}

}  // namespace

Real slabWidth(const PlacedConvex& a, const PlacedConvex& b, const Vec3& normal) {
  constexpr Real kSameDirection = 1e-12;
  if (isHalfSpace(a)) {
    const Vec3 up = a.pose.rotation * Vec3::UnitZ();
    if ((up - normal).norm() > kSameDirection) return -1e300;
    return up.dot(farthestPoint(b, -up) - a.pose.position);
  }
  if (isHalfSpace(b)) return slabWidth(b, a, -normal);
  return normal.dot(farthestPoint(b, -normal) - farthestPoint(a, normal));
}

const ContactPoint& deepestOf(const std::vector<ContactPoint>& contacts) {
  return *std::min_element(contacts.begin(), contacts.end(),
                           [](const auto& p, const auto& q) { return p.gap < q.gap; });
}

Verdict judge(const PlacedConvex& a, const PlacedConvex& b,
              const std::vector<ContactPoint>& contacts) {
  Verdict verdict;
  const ContactPoint& deepest = *std::min_element(
      contacts.begin(), contacts.end(), [](const auto& p, const auto& q) { return p.gap < q.gap; });
  const Vec3& normal = deepest.normal;
  verdict.hasOneNormal = std::abs(normal.norm() - 1) < 1e-12;
  for (const ContactPoint& contact : contacts) {
    verdict.hasOneNormal = verdict.hasOneNormal && contact.normal == normal;
    verdict.highestGap = std::max(verdict.highestGap, contact.gap);
    const Vec3 half = 0.5 * contact.gap * contact.normal;
    const Real outside = std::max(surfaceDistance(a, contact.position - half),
                                  surfaceDistance(b, contact.position + half));
    Real& worst = &contact == &deepest ? verdict.deepestOutside : verdict.othersOutside;
    worst = std::max(worst, outside);
  }
  verdict.lowestGap = deepest.gap;
  const Real width = slabWidth(a, b, normal);
  verdict.gapError = std::abs(deepest.gap - width);
  // The true normal's slab is as wide as the distance, and ours is the cosine of the angle between
  // them of that at most.
  const Real most = deepest.gap + 2 * verdict.deepestOutside;
  if (width > 0) {
    verdict.normalError = std::acos(std::clamp(width / std::max(width, most), Real(-1), Real(1)));
  }
  return verdict;
}

// The steps go to eight sides, which turn from step to step so that a ridge between two slopes does
// not hold them up.
Slab widenSlab(const PlacedConvex& a, const PlacedConvex& b, const Slab& start, Real lastStep) {
  Slab from = start;
  Real turn = 0;
  Real step = kFirstStep;
  for (int round = 0; round < kMostRounds && step > lastStep; ++round, turn += 0.3) {
    const Vec3 u = from.normal.unitOrthogonal(), v = from.normal.cross(u);
    Slab best = from;
    for (int k = 0; k < 8; ++k) {
      const Real angle = turn + 0.25 * k * 3.14159265358979;
      const Vec3 side = std::cos(angle) * u + std::sin(angle) * v;
      const Vec3 normal = (from.normal + step * side).normalized();
      const Real width = slabWidth(a, b, normal);
      if (width > best.width) best = {width, normal};
    }
    if (best.width > from.width) {
      from = best;
      step = std::min(2 * step, kFirstStep);  // a ridge is long where steps are short
    } else {
      step *= 0.5;
    }
  }
  return from;
}

Slab widestSlab(const PlacedConvex& a, const PlacedConvex& b, const Vec3& guess) {
  std::vector<Vec3> normals = {guess};
  if (!isHalfSpace(a) && !isHalfSpace(b)) {
    addLikelyNormals(a, normals);
    addLikelyNormals(b, normals);
    addNormalsOfEdges(a, b, guess, normals);
    constexpr Real kGolden = 2.39996322972865332;  // turns that fill a sphere evenly
    for (int i = 0; i < kDirections; ++i) {
      const Real z = 1 - (2 * i + 1) / static_cast<Real>(kDirections);
      const Real radius = std::sqrt(1 - z * z);
      normals.emplace_back(radius * std::cos(kGolden * i), radius * std::sin(kGolden * i), z);
    }
  }
  std::vector<Slab> slabs;
  for (const Vec3& normal : normals) slabs.push_back({slabWidth(a, b, normal), normal});
  if (isHalfSpace(a) || isHalfSpace(b)) return slabs.front();
  const Slab first = slabs.front();
  const std::size_t refined = std::min(kRefined, slabs.size());
  std::partial_sort(slabs.begin(), slabs.begin() + static_cast<std::ptrdiff_t>(refined),
                    slabs.end(), [](const Slab& p, const Slab& q) { return p.width > q.width; });
  Slab widest = widenSlab(a, b, first, kLastStep);
  for (std::size_t k = 0; k < refined; ++k) {
    const Slab climbed = widenSlab(a, b, slabs[k], kLastStep);
    if (climbed.width > widest.width) widest = climbed;
  }
  return widest;
}

Real sizeOf(const PlacedConvex& a, const PlacedConvex& b) {
  const Real extents = std::max(extentOf(a.shape), extentOf(b.shape));
  if (isHalfSpace(a) || isHalfSpace(b)) return extents;
  return std::max(extents, (b.pose.position - a.pose.position).norm());
}

Real thinnestOf(const PlacedConvex& a, const PlacedConvex& b) {
  return std::min(thicknessOf(a.shape), thicknessOf(b.shape));
}

}  // namespace drystone::certify
