// Recursive coordinate bisection: Berger & Bokhari 1987.
#include "distributed/regions.h"

#include <algorithm>
#include <cstddef>

#include "core/check.h"

namespace drystone {

Regions::Regions(std::span<const Vec3> points, int count) {
  DRYSTONE_ASSERT(count >= 1);
  std::vector<Vec3> sorted(points.begin(), points.end());
  root_ = bisect(sorted, 0, count);
}

int Regions::bisect(std::span<Vec3> points, int first, int count) {
  if (count == 1) return -1 - first;
  const int lowCount = count / 2;
  Cut cut;
  std::size_t middle = 0;
  if (!points.empty()) {
    Vec3 least = points.front(), most = points.front();
    for (const Vec3& point : points) {
      least = least.cwiseMin(point);
      most = most.cwiseMax(point);
    }
    (most - least).maxCoeff(&cut.axis);
    std::ranges::sort(points, {}, [&](const Vec3& point) { return point[cut.axis]; });
    middle = points.size() * static_cast<std::size_t>(lowCount) / static_cast<std::size_t>(count);
    const Real above = points[middle][cut.axis];
    cut.at = middle == 0 ? above : (points[middle - 1][cut.axis] + above) / 2;
    // Equal coordinates are on one side: that above.
    while (middle > 0 && points[middle - 1][cut.axis] >= cut.at) --middle;
  }
  const int index = static_cast<int>(cuts_.size());
  cuts_.push_back(cut);
  const int low = bisect(points.first(middle), first, lowCount);
  const int high = bisect(points.subspan(middle), first + lowCount, count - lowCount);
  cuts_[index].low = low;
  cuts_[index].high = high;
  return index;
}

int Regions::regionOf(const Vec3& point) const {
  int node = root_;
  while (node >= 0) {
    const Cut& cut = cuts_[node];
    node = point[cut.axis] < cut.at ? cut.low : cut.high;
  }
  return -1 - node;
}

}  // namespace drystone
