#include "collision/narrow/reduce.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace drystone::narrow {
namespace {

/// How much better (relative to distances and areas) a newcomer must be.
constexpr Real kPreference = 1.05;

bool wasKept(const PairCache& cache, std::uint32_t feature) {
  const auto* end = cache.kept + cache.keptCount;
  return std::find(cache.kept, end, feature) != end;
}

/// Index of the point with the largest score; points kept last time count a little more.
template <class Score>
int pickBest(const Manifold& manifold, const PairCache& cache, Score&& score) {
  int best = -1;
  Real bestScore = 0;
  for (std::size_t i = 0; i < manifold.points.size(); ++i) {
    Real value = score(manifold.points[i]);
    if (value > 0 && wasKept(cache, manifold.points[i].feature)) value *= kPreference;
    if (value > bestScore) {
      best = static_cast<int>(i);
      bestScore = value;
    }
  }
  return best;
}

int deepestPoint(const Manifold& manifold, const PairCache& cache, Real extent) {
  // Among points that are as deep as the deepest to within a thousandth of the manifold's extent,
  // the one kept last time, then the first feature.
  Real lowest = manifold.points[0].gap;
  for (const ManifoldPoint& point : manifold.points) lowest = std::min(lowest, point.gap);
  int best = -1;
  bool bestKept = false;
  for (std::size_t i = 0; i < manifold.points.size(); ++i) {
    const ManifoldPoint& point = manifold.points[i];
    if (point.gap > lowest + 1e-3 * extent) continue;
    const bool kept = wasKept(cache, point.feature);
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
    choose(pickBest(manifold, cache,
                    [&](const ManifoldPoint& p) { return (p.position - first).squaredNorm(); }));
    if (count == 2) {
      const Vec3 line = at(chosen[1]) - first;
      const auto area = [&](const ManifoldPoint& p) {
        return manifold.normal.dot(line.cross(p.position - first));
      };
      const int left = pickBest(manifold, cache, area);
      const int right = pickBest(manifold, cache, [&](const ManifoldPoint& p) { return -area(p); });
      choose(left);
      choose(right);
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
