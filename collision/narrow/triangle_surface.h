#pragma once

#include <array>
#include <optional>
#include <vector>

#include "collision/shape/local_surface.h"
#include "collision/shape/ray_cast.h"

namespace drystone::narrow {

/// Triangles in their own frame, found by bounding box: a mesh or a height field.
class TriangleSurface {
 public:
  virtual ~TriangleSurface() = default;
  TriangleSurface(const TriangleSurface&) = delete;
  TriangleSurface& operator=(const TriangleSurface&) = delete;

  virtual int triangleCount() const = 0;
  virtual std::array<Vec3, 3> corners(int triangle) const = 0;
  /// Unit normal of the triangle beyond edge k (corner k to k+1), turned to the same side as this
  /// one's; none at a border or where three or more triangles meet.
  virtual std::optional<Vec3> normalBeyond(int triangle, int edge) const = 0;
  /// Replaces `out` by the triangles that may meet the box, ascending.
  virtual void trianglesIn(const Bounds& box, std::vector<int>& out) const = 0;
  /// Replaces `out` by the triangles that may meet the segment, ascending.
  virtual void trianglesOn(const Vec3& from, const Vec3& to, std::vector<int>& out) const = 0;
  virtual Bounds bounds() const = 0;

 protected:
  TriangleSurface() = default;
};

/// Unit normal by the right-hand rule; zero for a triangle without area.
inline Vec3 triangleNormal(const std::array<Vec3, 3>& corners) {
  return (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalized();
}

/// Where the segment crosses a triangle (world corners), from either side; the normal points to the
/// side of `from` (Möller and Trumbore 1997).
std::optional<RayContact> castRay(const std::array<Vec3, 3>& corners, const Vec3& from,
                                  const Vec3& to);

/// The triangle, given in its frame, next to `point` of it, which a contact touches with its normal
/// turned outwards (unit, world).
LocalSurface localSurface(const std::array<Vec3, 3>& corners, const PlacedShape& frame,
                          const Vec3& point, const Vec3& outwards);

}  // namespace drystone::narrow
