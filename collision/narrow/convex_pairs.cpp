#include "collision/narrow/pairs.h"

#include "collision/narrow/manifold.h"

namespace drystone::narrow {
namespace {

/// How far outside a flat feature a point may lie and still count as on it.
constexpr Real kFeatureTolerance = 1e-6;

bool isPolytope(const PlacedShape& shape) { return shape.polytope != nullptr; }

/// The kinds are in order.
void collideOrdered(const PlacedShape& a, const PlacedShape& b, Real margin, PairCache& cache,
                    ClipScratch& scratch, Manifold& out) {
  if (a.kind == ShapeKind::kSphere && b.kind == ShapeKind::kSphere) {
    collideSphereSphere(a, b, margin, out);
  } else if (a.kind == ShapeKind::kSphere && b.kind == ShapeKind::kBox) {
    collideSphereBox(a, b, margin, out);
  } else if (isPolytope(a) && isPolytope(b)) {
    collidePolytopes(a, b, margin, cache, scratch, out);
  } else if (a.kind == ShapeKind::kSphere && b.kind == ShapeKind::kCapsule) {
    collideSphereCapsule(a, b, margin, out);
  } else {
    contactOfFeatures(a, b, closestPoints(a, b, margin), margin,
                      kFeatureTolerance * thickness(a, b), scratch, out);
  }
}

}  // namespace

void collideConvex(const PlacedShape& a, const PlacedShape& b, const ConvexSettings& settings,
                   PairCache& cache, ClipScratch& scratch, Manifold& out) {
  if (a.kind == ShapeKind::kPlane) {
    collidePlane(a, b, settings.margin, out);
  } else if (b.kind == ShapeKind::kPlane) {
    collidePlane(b, a, settings.margin, out);
    out.swapRoles();
    // Polytopes keep their order: their cache speaks of A and B.
  } else if (a.kind > b.kind && !(isPolytope(a) && isPolytope(b))) {
    collideOrdered(b, a, settings.margin, cache, scratch, out);
    out.swapRoles();
  } else {
    collideOrdered(a, b, settings.margin, cache, scratch, out);
  }
  if (settings.reduce) reduceManifold(out, cache);
}

}  // namespace drystone::narrow
