#include "collision/narrow/manifold.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace drystone::narrow {
namespace {

/// How much better (relative to distances and areas) a newcomer must be.
constexpr Real kPreference = 1.05;
/// How much less deep, relative to the manifold's extent, the deepest point of last time may be.
constexpr Real kDepthPreference = 1e-4;

bool wasKept(const PairCache& cache, std::uint32_t feature) {
  const auto* end = cache.kept + cache.keptCount;
  return std::find(cache.kept, end, feature) != end;
}

/// Index of the point with the largest positive score, or -1. Points kept last time count a little
/// more. Of equals (to rounding) the one of the smaller gap is taken: a thin body whose top lies
/// within the margin as well shows each corner twice. After that the feature decides.
template <class Score>
int pickBest(const Manifold& manifold, const PairCache& cache, Real extent, Score&& score) {
  int best = -1;
  Real bestScore = 0;
  const auto comesBefore = [&](const ManifoldPoint& a, const ManifoldPoint& b) {
    if (std::abs(a.gap - b.gap) > 1e-9 * extent) return a.gap < b.gap;
    return a.feature < b.feature;
  };
  for (std::size_t i = 0; i < manifold.points.size(); ++i) {
    const ManifoldPoint& point = manifold.points[i];
    Real value = score(point);
    if (value > 0 && wasKept(cache, point.feature)) value *= kPreference;
    const bool isEqual = best >= 0 && std::abs(value - bestScore) <= 1e-9 * bestScore;
    if (isEqual ? comesBefore(point, manifold.points[static_cast<std::size_t>(best)])
                : value > bestScore) {
      best = static_cast<int>(i);
      bestScore = value;
    }
  }
  return best;
}

int deepestPoint(const Manifold& manifold, const PairCache& cache, Real extent) {
  // Among equals (to rounding) the first feature; a point kept last time may be a little less deep.
  Real lowest = manifold.points[0].gap;
  for (const ManifoldPoint& point : manifold.points) lowest = std::min(lowest, point.gap);
  int best = -1;
  bool bestKept = false;
  for (std::size_t i = 0; i < manifold.points.size(); ++i) {
    const ManifoldPoint& point = manifold.points[i];
    const bool kept = wasKept(cache, point.feature);
    if (point.gap > lowest + (kept ? kDepthPreference : 1e-9) * extent) continue;
    if (best < 0 || (kept && !bestKept) ||
        (kept == bestKept &&
         point.feature < manifold.points[static_cast<std::size_t>(best)].feature)) {
      best = static_cast<int>(i);
      bestKept = kept;
    }
  }
  return best;
}

}  // namespace

void reduceManifold(Manifold& manifold, PairCache& cache) {
  std::vector<ManifoldPoint>& points = manifold.points;
  if (points.size() > PairCache::kMaxKept) {
    const auto at = [&](int i) -> const Vec3& {
      return points[static_cast<std::size_t>(i)].position;
    };
    Real extent = 0;
    for (const ManifoldPoint& point : points) {
      extent = std::max(extent, (point.position - points[0].position).norm());
    }
    std::array<int, 4> chosen{};
    int count = 0;
    const auto choose = [&](int index) {
      if (index >= 0) chosen[static_cast<std::size_t>(count++)] = index;
    };
    choose(deepestPoint(manifold, cache, extent));
    const Vec3 first = at(chosen[0]);
    choose(pickBest(manifold, cache, extent, [&](const ManifoldPoint& p) {
      // Distance within the contact plane: it is the support polygon that counts.
      return manifold.normal.cross(p.position - first).squaredNorm();
    }));
    const auto area = [&](int from, int to, const ManifoldPoint& p) {
      return manifold.normal.dot((at(to) - at(from)).cross(p.position - at(from)));
    };
    if (count == 2) {
      choose(pickBest(manifold, cache, extent, [&](const ManifoldPoint& p) {
        return std::abs(area(chosen[0], chosen[1], p)) - 1e-9 * extent * extent;
      }));
    }
    if (count == 3) {
      if (area(chosen[0], chosen[1], points[static_cast<std::size_t>(chosen[2])]) < 0) {
        std::swap(chosen[1], chosen[2]);
      }
      choose(pickBest(manifold, cache, extent, [&](const ManifoldPoint& p) {
        Real outside = 0;
        for (std::size_t k = 0; k < 3; ++k) {
          outside = std::max(outside, -area(chosen[k], chosen[(k + 1) % 3], p));
        }
        return outside - 1e-9 * extent * extent;
      }));
    }
    std::array<ManifoldPoint, 4> kept;
    for (std::size_t k = 0; k < kept.size(); ++k) {
      kept[k] = points[static_cast<std::size_t>(chosen[k])];
    }
    std::copy(kept.begin(), kept.end(), points.begin());
    points.resize(static_cast<std::size_t>(count));
  }
  cache.keptCount = static_cast<std::uint16_t>(points.size());
  for (std::size_t i = 0; i < PairCache::kMaxKept; ++i) {
    cache.kept[i] = i < points.size() ? points[i].feature : 0;
  }
}

}  // namespace drystone::narrow
