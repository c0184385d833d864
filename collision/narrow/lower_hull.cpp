#include "collision/narrow/lower_hull.h"

#include <algorithm>

namespace drystone::narrow {
namespace {

/// Area that counts as none, as a share of that of the first triangle: rounding is far below, and
/// facets that are this thin tell no slope.
constexpr Real kNoArea = 1e-9;

}  // namespace

Real LowerHull::area(const Vec3& a, const Vec3& b, const Vec3& c) const {
  return (b.x() - a.x()) * (c.y() - a.y()) - (b.y() - a.y()) * (c.x() - a.x());
}

void LowerHull::start(const Vec3& a, const Vec3& b, const Vec3& c) {
  points_.assign({a, b, c});
  facets_.clear();
  least_ = kNoArea * area(a, b, c);
  addFacet(0, 1, 2);
  addFacet(1, 0, kTop);
  addFacet(2, 1, kTop);
  addFacet(0, 2, kTop);
}

void LowerHull::addFacet(int a, int b, int c) {
  Facet facet{{a, b, c}};
  while (std::find(facet.corners.begin(), facet.corners.begin() + 2, kTop) !=
         facet.corners.begin() + 2) {
    std::rotate(facet.corners.begin(), facet.corners.begin() + 1, facet.corners.end());
  }
  if (!facet.isWall()) facet.normal = (point(b) - point(a)).cross(point(c) - point(a));
  facets_.push_back(facet);
}

bool LowerHull::isBelow(const Facet& facet, const Vec3& from) const {
  return facet.normal.dot(from - point(facet.corners[0])) < 0;
}

bool LowerHull::sees(const Facet& facet, const Vec3& from) const {
  if (!facet.isWall()) return isBelow(facet, from);
  const auto end = facet.corners[0], begin = facet.corners[1];
  const Real outside = -area(point(begin), point(end), from);
  if (std::abs(outside) > least_) return outside > 0;
  // In line with a wall the facet under it decides, so that no new facet is a line.
  const auto under = std::find_if(facets_.begin(), facets_.end(), [&](const Facet& other) {
    for (std::size_t k = 0; k < 3; ++k) {
      if (other.corners[k] == begin && other.corners[(k + 1) % 3] == end) return true;
    }
    return false;
  });
  return under != facets_.end() && isBelow(*under, from);
}

void LowerHull::add(const Vec3& added) {
  seen_.clear();
  for (const Facet& facet : facets_) seen_.push_back(sees(facet, added) ? 1 : 0);
  edges_.clear();
  std::size_t left = 0;
  for (std::size_t i = 0; i < facets_.size(); ++i) {
    if (seen_[i] == 0) {
      facets_[left++] = facets_[i];
      continue;
    }
    for (std::size_t k = 0; k < 3; ++k) {
      const int from = facets_[i].corners[k], to = facets_[i].corners[(k + 1) % 3];
      const auto back = std::find(edges_.begin(), edges_.end(), std::array{to, from});
      if (back != edges_.end()) {
        edges_.erase(back);
      } else {
        edges_.push_back({from, to});
      }
    }
  }
  facets_.resize(left);
  if (edges_.empty()) return;
  const int corner = static_cast<int>(points_.size());
  points_.push_back(added);
  for (const auto& [from, to] : edges_) addFacet(from, to, corner);
}

Real LowerHull::at(Real x, Real y) const {
  Real highest = -1e300;
  for (const Facet& facet : facets_) {
    if (facet.isWall() || facet.normal.z() <= least_) continue;
    const Vec3& corner = point(facet.corners[0]);
    const Real slope = facet.normal.x() * (x - corner.x()) + facet.normal.y() * (y - corner.y());
    highest = std::max(highest, corner.z() - slope / facet.normal.z());
  }
  return highest;
}

}  // namespace drystone::narrow
