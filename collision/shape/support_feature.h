#pragma once

#include <vector>

#include "core/types.h"

namespace drystone {

/// A flat convex feature of a placed shape: a face, or an edge (2 corners), or a vertex (1).
/// Corners run counter-clockwise about `normal`; corner k is joined to corner k+1 by edge k.
struct Polygon {
  struct Corner {
    Vec3 point = Vec3::Zero();  ///< relative to the pair's origin, world axes [m]
    Vec3 side = Vec3::Zero();   ///< unit, in the plane, outwards at edge k
    int vertex = 0, edge = 0;   ///< ids within the shape
  };
  Vec3 normal = Vec3::UnitZ();  ///< unit, outwards
  std::vector<Corner> corners;

  void setPoint(const Vec3& point, int vertex) {
    corners.assign(1, {point, Vec3::Zero(), vertex, 0});
  }
  void setEdge(const Vec3& from, int fromId, const Vec3& to, int toId, int edge) {
    corners.clear();
    corners.push_back({from, Vec3::Zero(), fromId, edge});
    corners.push_back({to, Vec3::Zero(), toId, edge});
  }
};

/// sin 5° and cos 5°: how far from square to a direction a feature may be.
constexpr Real kSquareSine = 0.0871557427476581;
constexpr Real kSquareCosine = 0.996194698091746;

/// Ids of the features of smooth shapes (those of rims: rim.h).
constexpr int kSideLowId = 32, kSideHighId = 33, kSideEdgeId = 40, kApexId = 64;

}  // namespace drystone
