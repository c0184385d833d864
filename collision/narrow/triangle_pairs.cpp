#include "collision/narrow/pairs.h"

#include <cmath>

#include "collision/narrow/manifold.h"

namespace drystone::narrow {
namespace {

/// sin of an angle below which two directions count as the same.
constexpr Real kSameDirectionSine = 1e-3;
/// How far outside the triangle a point may lie and still count as on it, relative to its size.
constexpr Real kTolerance = 1e-6;

/// Whether `towards` (unit, triangle's frame, from the surface to the shape) lies outside the
/// region that an inner edge or the face owns. `normal` is the face's on the shape's side.
bool isGhost(const TriangleSurface& surface, int triangle, const std::array<Vec3, 3>& corners,
             const Vec3& faceNormal, Real side, const Vec3& towards) {
  const Vec3 normal = side * faceNormal;
  for (int k = 0; k < 3; ++k) {
    const Vec3 along =
        (corners[static_cast<std::size_t>((k + 1) % 3)] - corners[static_cast<std::size_t>(k)])
            .normalized();
    const Vec3 outwards = along.cross(faceNormal);
    const Real over = towards.dot(outwards);
    if (over <= kSameDirectionSine) continue;
    const std::optional<Vec3> beyond = surface.normalBeyond(triangle, k);
    if (!beyond) continue;
    const Vec3 next = side * *beyond;
    const Real bend = std::atan2(next.dot(outwards), next.dot(normal));
    const Real tilt = std::atan2(over, towards.dot(normal));
    if (tilt > bend + kSameDirectionSine) return true;
  }
  return false;
}

/// The contact with the triangle's face `face`, whatever else is closer.
void collideWithFace(const PlacedShape& convex, const PlacedShape& triangle, int face, Real margin,
                     ClipScratch& scratch, Manifold& out) {
  out.clear();
  const Vec3& origin = convex.position;
  facePolygon(triangle, face, origin, scratch.reference);
  const Vec3 normal = scratch.reference.normal;
  if (convex.polytope != nullptr) {
    faceCorners(convex, incidentFace(convex, normal), origin, scratch.incident);
  } else {
    supportFeature(convex, -normal, origin, scratch.incident);
  }
  clipToReference(scratch, normal, origin, margin, kTolerance * triangle.polytope->size, false,
                  out);
}

}  // namespace

std::optional<LostOverlap> collideTriangle(const PlacedShape& convex,
                                           const TriangleSurface& surface, int triangle,
                                           const PlacedShape& surfaceFrame, Real margin,
                                           PairCache& cache, ClipScratch& scratch,
                                           PlacedTriangle& placed, Manifold& out) {
  out.clear();
  std::optional<LostOverlap> lost;
  const std::array<Vec3, 3> corners = surface.corners(triangle);
  const Vec3 normal = triangleNormal(corners);
  if (normal.squaredNorm() < 0.5) return lost;  // no area, so its neighbours cover it
  setTriangle(corners, placed.polytope);
  placed.shape = surfaceFrame;
  placed.shape.kind = ShapeKind::kHull;
  placed.shape.polytope = &placed.polytope;

  collideConvex(convex, placed.shape, {margin, false}, cache, scratch, out);
  if (!out.points.empty()) {
    const Vec3 towards = surfaceFrame.rotation.transpose() * (-out.normal);
    Real facing = towards.dot(normal);
    if (std::abs(facing) < kSameDirectionSine) {
      const Vec3 center =
          surfaceFrame.rotation.transpose() * (convex.position - surfaceFrame.position);
      facing = normal.dot(center - corners[0]);
    }
    const Real side = facing >= 0 ? 1 : -1;
    if (isGhost(surface, triangle, corners, normal, side, towards)) {
      if (out.overlaps()) {
        const ManifoldPoint& point = out.deepest();
        lost = {triangle, point.position + 0.5 * point.gap * out.normal};
      }
      collideWithFace(convex, placed.shape, side > 0 ? 0 : 1, margin, scratch, out);
      if (out.overlaps()) lost.reset();
    }
  }
  return lost;
}

}  // namespace drystone::narrow
