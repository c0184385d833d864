#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "core/types.h"

namespace drystone::narrow {

/// The lower side of the convex hull of points: the largest convex function of (x, y) that exceeds
/// none of their z. Grows by one point at a time (Preparata and Shamos 1985, "Computational
/// geometry", beneath-beyond), with a corner far up that closes the hull. Keeps its memory.
class LowerHull {
 public:
  /// Begins anew with a triangle, counter-clockwise in (x, y).
  void start(const Vec3& a, const Vec3& b, const Vec3& c);
  void add(const Vec3& point);
  /// The function at a place. Beyond the points it is that of the facets' planes.
  Real at(Real x, Real y) const;

 private:
  static constexpr int kTop = -1;  ///< the corner far up

  struct Facet {
    std::array<int, 3> corners = {kTop, kTop, kTop};  ///< a wall has kTop for its last one
    Vec3 normal = Vec3::Zero();  ///< of a facet below, not of unit length, z ≥ 0; of a wall unused
    bool isWall() const { return corners[2] == kTop; }
  };

  const Vec3& point(int corner) const { return points_[static_cast<std::size_t>(corner)]; }
  /// Twice the area of a triangle in (x, y); negative: clockwise.
  Real area(const Vec3& a, const Vec3& b, const Vec3& c) const;
  void addFacet(int a, int b, int c);
  bool isBelow(const Facet& facet, const Vec3& point) const;
  bool sees(const Facet& facet, const Vec3& point) const;

  std::vector<Vec3> points_;
  std::vector<Facet> facets_;
  std::vector<std::array<int, 2>> edges_;  ///< scratch: of the facets that a point sees
  std::vector<char> seen_;                 ///< scratch: [facets]
  Real least_ = 0;                         ///< area that counts as none [m²]
};

}  // namespace drystone::narrow
