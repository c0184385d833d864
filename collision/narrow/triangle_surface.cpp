#include "collision/narrow/triangle_surface.h"

namespace drystone::narrow {

std::optional<RayContact> castRay(const std::array<Vec3, 3>& corners, const Vec3& from,
                                  const Vec3& to) {
  const Vec3 d = to - from, e1 = corners[1] - corners[0], e2 = corners[2] - corners[0];
  const Vec3 p = d.cross(e2);
  const Real determinant = e1.dot(p);
  if (determinant == 0) return std::nullopt;
  const Vec3 s = from - corners[0];
  const Vec3 q = s.cross(e1);
  const Real u = s.dot(p) / determinant, v = d.dot(q) / determinant;
  const Real t = e2.dot(q) / determinant;
  if (u < -kSeam || v < -kSeam || u + v > 1 + kSeam || t < 0 || t > 1) return std::nullopt;
  const Vec3 normal = e1.cross(e2).normalized();
  return RayContact{t, normal.dot(d) > 0 ? Vec3(-normal) : normal};
}

LocalSurface localSurface(const std::array<Vec3, 3>& corners, const PlacedShape& frame,
                          const Vec3& point, const Vec3& outwards) {
  const Vec3 normal = frame.rotation.transpose() * outwards;
  if (isAlong(triangleNormal(corners), normal)) return LocalSurface::face(point);
  const Vec3 at = frame.rotation.transpose() * (point - frame.position);
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3 side = corners[(k + 1) % 3] - corners[k];
    const Vec3 direction = side.normalized();
    if (liesOnEdge(corners[k], direction, side.norm(), at, normal)) {
      return LocalSurface::edge(point, frame.rotation * direction);
    }
  }
  return LocalSurface::corner(point);
}

}  // namespace drystone::narrow
