#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "collision/narrow/manifold.h"
#include "collision/narrow/surface_reduction.h"

namespace drystone::narrow {
namespace {

/// How much better (relative to distances and areas) a newcomer must be.
constexpr Real kPreference = 1.05;
/// How much less deep, relative to the manifold's extent, the deepest point of last time may be.
constexpr Real kDepthPreference = 1e-4;
/// Points of several triangles that are closer than this, relative to the shape's thickness, are
/// one. It is as far as a point may lie beside a face and still count as on it.
constexpr Real kSamePoint = 1e-5;
/// Depth that counts as none, relative to the thickness: the narrow phase knows the overlap of
/// boxes and hulls as well (0.1 mm of a 1 m box).
constexpr Real kNoDepth = 1e-4;

/// Points that stand for a contact, as indices.
struct Chosen {
  std::array<int, 4> points{};
  int count = 0;

  void add(int index) {
    if (index >= 0) points[static_cast<std::size_t>(count++)] = index;
  }
  int operator[](int k) const { return points[static_cast<std::size_t>(k)]; }
};

/// Index of the point with the largest positive score, or -1. Points kept last time count a little
/// more. Of equals (to rounding) the one of the smaller gap is taken: a thin body whose top lies
/// within the margin as well shows each corner twice. After that the feature decides.
template <class Point, class WasKept, class Score>
int pickBest(std::span<const Point> points, Real extent, const WasKept& wasKept, Score&& score) {
  int best = -1;
  Real bestScore = 0;
  const auto comesBefore = [&](const Point& a, const Point& b) {
    if (std::abs(a.gap - b.gap) > 1e-9 * extent) return a.gap < b.gap;
    return a.feature < b.feature;
  };
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Point& point = points[i];
    Real value = score(point);
    if (value > 0 && wasKept(point)) value *= kPreference;
    const bool isEqual = best >= 0 && std::abs(value - bestScore) <= 1e-9 * bestScore;
    if (isEqual ? comesBefore(point, points[static_cast<std::size_t>(best)]) : value > bestScore) {
      best = static_cast<int>(i);
      bestScore = value;
    }
  }
  return best;
}

template <class Point, class WasKept>
int deepestPoint(std::span<const Point> points, Real extent, const WasKept& wasKept) {
  // Among equals (to rounding) the first feature; a point kept last time may be a little less deep.
  Real lowest = points[0].gap;
  for (const Point& point : points) lowest = std::min(lowest, point.gap);
  int best = -1;
  bool bestKept = false;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Point& point = points[i];
    const bool kept = wasKept(point);
    if (point.gap > lowest + (kept ? kDepthPreference : 1e-9) * extent) continue;
    if (best < 0 || (kept && !bestKept) ||
        (kept == bestKept && point.feature < points[static_cast<std::size_t>(best)].feature)) {
      best = static_cast<int>(i);
      bestKept = kept;
    }
  }
  return best;
}

Real extentOf(const auto& points) {
  Real extent = 0;
  for (const auto& point : points) {
    extent = std::max(extent, (point.position - points[0].position).norm());
  }
  return extent;
}

/// A first point and up to three others that span the support polygon with it, as reduceManifold()
/// describes. Of places closer than `same` [m] one counts.
template <class Point, class WasKept>
Chosen chooseSpan(std::span<const Point> points, const Vec3& normal, int start, Real extent,
                  Real same, const WasKept& wasKept) {
  const auto at = [&](int i) -> const Vec3& {
    return points[static_cast<std::size_t>(i)].position;
  };
  Chosen chosen;
  chosen.add(start);
  const Vec3 first = at(chosen[0]);
  chosen.add(pickBest(points, extent, wasKept, [&](const Point& p) {
    // Distance within the contact plane: it is the support polygon that counts.
    return normal.cross(p.position - first).squaredNorm() - same * same;
  }));
  const auto area = [&](int from, int to, const Point& p) {
    return normal.dot((at(to) - at(from)).cross(p.position - at(from)));
  };
  if (chosen.count == 2) {
    chosen.add(pickBest(points, extent, wasKept, [&](const Point& p) {
      return std::abs(area(chosen[0], chosen[1], p)) - 1e-9 * extent * extent;
    }));
  }
  if (chosen.count == 3) {
    if (area(chosen[0], chosen[1], points[static_cast<std::size_t>(chosen[2])]) < 0) {
      std::swap(chosen.points[1], chosen.points[2]);
    }
    chosen.add(pickBest(points, extent, wasKept, [&](const Point& p) {
      Real outside = 0;
      for (int k = 0; k < 3; ++k) {
        outside = std::max(outside, -area(chosen[k], chosen[(k + 1) % 3], p));
      }
      return outside - 1e-9 * extent * extent;
    }));
  }
  return chosen;
}

bool wasPointKept(const SurfacePoint& point) { return point.wasKept; }

}  // namespace

void reduceManifold(Manifold& manifold, PairCache& cache) {
  std::vector<ManifoldPoint>& points = manifold.points;
  if (points.size() > PairCache::kMaxKept) {
    const std::span<const ManifoldPoint> all = points;
    const auto wasKept = [&](const ManifoldPoint& point) { return cache.keeps(point.feature); };
    const Real extent = extentOf(all);
    const Chosen chosen =
        chooseSpan(all, manifold.normal, deepestPoint(all, extent, wasKept), extent, 0, wasKept);
    std::array<ManifoldPoint, 4> kept;
    for (int k = 0; k < chosen.count; ++k) {
      kept[static_cast<std::size_t>(k)] = points[static_cast<std::size_t>(chosen[k])];
    }
    std::copy(kept.begin(), kept.end(), points.begin());
    points.resize(static_cast<std::size_t>(chosen.count));
  }
  cache.forgetKept();
  for (const ManifoldPoint& point : points) cache.keep(point.feature);
}

void SurfaceReduction::reduce(Real thickness) {
  std::span<SurfacePoint> rest = points;
  while (!rest.empty()) {
    const int seed = deepestPoint(std::span<const SurfacePoint>(rest), thickness, wasPointKept);
    std::swap(rest[0], rest[static_cast<std::size_t>(seed)]);
    const auto end = std::partition(rest.begin() + 1, rest.end(), [&](const SurfacePoint& point) {
      return point.normal.dot(rest[0].normal) >= kLaidCosine;
    });
    const auto count = static_cast<std::size_t>(end - rest.begin());
    reduceGroup(rest.first(count), thickness);
    rest = rest.subspan(count);
  }
}

void SurfaceReduction::reduceGroup(std::span<SurfacePoint> group, Real thickness) {
  const std::span<const SurfacePoint> all = group;
  const Vec3 normal = group[0].normal;
  const Real extent = extentOf(all), same = kSamePoint * thickness;
  // An outermost point is the first: the deepest one may lie in the middle of others as deep.
  const int outermost = pickBest(all, extent, wasPointKept, [&](const SurfacePoint& point) {
    return (point.position - all[0].position).squaredNorm() - same * same;
  });
  const Chosen chosen = chooseSpan(all, normal, std::max(outermost, 0), extent, same, wasPointKept);
  for (int k = 0; k < chosen.count; ++k) group[static_cast<std::size_t>(chosen[k])].isKept = true;
  if (chosen.count < 2 || static_cast<std::size_t>(chosen.count) == group.size()) return;
  const Vec3 u = normal.unitOrthogonal(), v = normal.cross(u);
  const auto placeOf = [&](const SurfacePoint& point) -> Vec3 {
    const Vec3 from = point.position - all[0].position;
    return {u.dot(from), v.dot(from), point.gap};
  };
  const auto place = [&](int k) { return placeOf(all[static_cast<std::size_t>(chosen[k])]); };
  const Vec3 a = place(0), b = place(1);
  // Points on a line get a corner beside it, whose height is of no account on the line.
  const Vec3 beside(a.x() + a.y() - b.y(), a.y() + b.x() - a.x(), a.z());
  hull_.start(a, b, chosen.count > 2 ? place(2) : beside);
  if (chosen.count > 3) hull_.add(place(3));
  left_.clear();
  for (SurfacePoint& point : group) {
    if (!point.isKept) left_.push_back({placeOf(point), &point});
  }
  keepDeeper(kNoDepth * thickness);
}

void SurfaceReduction::keepDeeper(Real none) {
  while (!left_.empty()) {
    const Place* worst = nullptr;
    Real most = 0;
    // What the hull holds once it holds for good, since the hull only grows.
    std::erase_if(left_, [&](Place& place) {
      place.missed = hull_.at(place.at.x(), place.at.y()) - place.at.z();
      // Half of it suffices for what was kept, so that points do not come and go.
      return place.missed <= (place.point->wasKept ? 0.5 : 1) * none;
    });
    for (const Place& place : left_) {
      if (place.missed <= most) continue;
      most = place.missed;
      worst = &place;
    }
    if (worst == nullptr) return;
    worst->point->isKept = true;
    hull_.add(worst->at);
  }
}

}  // namespace drystone::narrow
