// Merging matters for contacts: two triangles of a box side would give two manifolds where one face
// gives the four points that make a stack stand.
#include "collision/shape/hull.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <span>

#include "core/check.h"

namespace drystone::detail {
namespace {

// Triangles turned away from the face by more than 60° keep a face of their own, however small they
// are: a face must not fold back over an edge.
constexpr Real kMinNormalCosine = 0.5;

using Loop = std::vector<int>;

Vec3 areaVector(const std::vector<Vec3>& points, std::span<const int> loop) {
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 1; i + 1 < loop.size(); ++i) {
    sum += (points[loop[i]] - points[loop[0]]).cross(points[loop[i + 1]] - points[loop[0]]);
  }
  return sum / 2;
}

/// Grows planar regions over the triangles, the largest triangle first: its plane is the best
/// known.
class RegionGrower {
 public:
  RegionGrower(const std::vector<Vec3>& points, const HullTriangles& triangles)
      : points_(points),
        triangles_(triangles),
        tolerance_(triangles.tolerance),
        regionOf_(triangles.corners.size(), -1),
        vertexRegion_(points.size(), -1),
        next_(points.size(), -1) {
    for (const auto& corners : triangles.corners) areas_.push_back(areaVector(points, corners));
  }

  std::vector<Loop> run() {
    std::vector<int> order(areas_.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
      return areas_[a].squaredNorm() > areas_[b].squaredNorm();
    });
    std::vector<Loop> loops;
    for (int seed : order) {
      if (regionOf_[seed] < 0) loops.push_back(grow(seed, static_cast<int>(loops.size())));
    }
    return loops;
  }

 private:
  Loop grow(int seed, int region) {
    const Vec3 normal = areas_[seed].stableNormalized();
    const Vec3& origin = points_[triangles_.corners[seed][0]];
    members_.clear();
    add(seed, region);
    bool grown = true;
    while (grown) {
      grown = false;
      for (std::size_t m = 0; m < members_.size(); ++m) {
        for (int candidate : triangles_.neighbors[members_[m]]) {
          if (regionOf_[candidate] >= 0 || !isFlat(candidate, normal, origin) ||
              !keepsDisc(candidate, region)) {
            continue;
          }
          add(candidate, region);
          grown = true;
        }
      }
    }
    return boundary(region);
  }

  void add(int triangle, int region) {
    regionOf_[triangle] = region;
    for (int v : triangles_.corners[triangle]) vertexRegion_[v] = region;
    members_.push_back(triangle);
  }

  bool isFlat(int triangle, const Vec3& normal, const Vec3& origin) const {
    if (normal.dot(areas_[triangle]) < kMinNormalCosine * areas_[triangle].norm()) return false;
    return std::ranges::all_of(triangles_.corners[triangle], [&](int v) {
      return std::abs(normal.dot(points_[v] - origin)) <= tolerance_;
    });
  }

  /// With the triangle, the region is still one disc without a hole or a pinched vertex.
  bool keepsDisc(int triangle, int region) const {
    int shared = 0;
    int opposite = -1;
    for (int i = 0; i < 3; ++i) {
      if (regionOf_[triangles_.neighbors[triangle][i]] != region) continue;
      ++shared;
      opposite = triangles_.corners[triangle][(i + 2) % 3];
    }
    return shared >= 2 || vertexRegion_[opposite] != region;
  }

  Loop boundary(int region) {
    int start = -1;
    for (int t : members_) {
      for (int i = 0; i < 3; ++i) {
        if (regionOf_[triangles_.neighbors[t][i]] == region) continue;
        next_[triangles_.corners[t][i]] = triangles_.corners[t][(i + 1) % 3];
        start = triangles_.corners[t][i];
      }
    }
    Loop loop;
    int v = start;
    do {
      loop.push_back(v);
      v = next_[v];
    } while (v != start);
    return loop;
  }

  const std::vector<Vec3>& points_;
  const HullTriangles& triangles_;
  Real tolerance_;
  std::vector<Vec3> areas_;
  std::vector<int> regionOf_;      ///< by triangle
  std::vector<int> vertexRegion_;  ///< by point: the last region that took it
  std::vector<int> next_;          ///< by point: the next on the region's boundary
  std::vector<int> members_;
};

/// A vertex of only two faces lies on a straight edge. Taking it out may shrink a sliver to an
/// edge, which then goes as well.
void dropStraightVertices(std::vector<Loop>& loops, std::size_t pointCount) {
  while (true) {
    std::vector<int> faceCount(pointCount, 0);
    for (const Loop& loop : loops) {
      for (int v : loop) ++faceCount[v];
    }
    bool changed = false;
    for (Loop& loop : loops) {
      changed |= std::erase_if(loop, [&](int v) { return faceCount[v] < 3; }) > 0;
    }
    std::erase_if(loops, [](const Loop& loop) { return loop.size() < 3; });
    if (!changed) return;
  }
}

void renumber(std::vector<Loop>& loops, const std::vector<Vec3>& points, HullData& hull) {
  std::vector<int> newIndex(points.size(), -1);
  for (const Loop& loop : loops) {
    for (int v : loop) newIndex[v] = 0;
  }
  for (std::size_t p = 0; p < points.size(); ++p) {
    if (newIndex[p] < 0) continue;
    newIndex[p] = static_cast<int>(hull.vertices.size());
    hull.vertices.push_back(points[p]);
  }
  for (Loop& loop : loops) {
    for (int& v : loop) v = newIndex[v];
    std::rotate(loop.begin(), std::ranges::min_element(loop), loop.end());
  }
  std::ranges::sort(loops);
}

void listEdges(HullData& hull) {
  std::map<std::pair<int, int>, int> faceOfEdge;
  for (std::size_t f = 0; f < hull.faces.size(); ++f) {
    const Loop& loop = hull.faces[f];
    for (std::size_t i = 0; i < loop.size(); ++i) {
      faceOfEdge[{loop[i], loop[(i + 1) % loop.size()]}] = static_cast<int>(f);
    }
  }
  for (const auto& [edge, face] : faceOfEdge) {
    if (edge.first > edge.second) continue;
    const auto twin = faceOfEdge.find({edge.second, edge.first});
    DRYSTONE_ASSERT(twin != faceOfEdge.end());
    hull.edges.push_back(edge);
    hull.edgeFaces.emplace_back(face, twin->second);
  }
}

}  // namespace

HullData mergeHullFaces(const std::vector<Vec3>& points, const HullTriangles& triangles) {
  HullData hull;
  hull.faces = RegionGrower(points, triangles).run();
  dropStraightVertices(hull.faces, points.size());
  renumber(hull.faces, points, hull);
  for (const Loop& loop : hull.faces) {
    hull.faceNormals.push_back(areaVector(hull.vertices, loop).stableNormalized());
  }
  listEdges(hull);
  return hull;
}

}  // namespace drystone::detail
