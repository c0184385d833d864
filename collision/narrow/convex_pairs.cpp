#include "collision/narrow/pairs.h"

#include "collision/narrow/manifold.h"
#include "collision/narrow/support.h"

namespace drystone::narrow {
namespace {

/// How far outside a flat feature a point may lie and still count as on it.
constexpr Real kFeatureTolerance = 1e-6;

bool isPolytope(ShapeKind kind) { return kind == ShapeKind::kBox || kind == ShapeKind::kPolytope; }

/// The kinds are in order.
void collideOrdered(const PlacedShape& a, const PlacedShape& b, Real margin, PairCache& cache,
                    ClipScratch& scratch, Manifold& out) {
  if (a.kind == ShapeKind::kSphere && b.kind == ShapeKind::kSphere) {
    collideSphereSphere(a, b, margin, out);
  } else if (a.kind == ShapeKind::kSphere && b.kind == ShapeKind::kBox) {
    collideSphereBox(a, b, margin, out);
  } else if (a.kind == ShapeKind::kSphere && b.kind == ShapeKind::kPlane) {
    collidePlane(b, a, margin, out);
    out.swapRoles();
  } else if (a.kind == ShapeKind::kPlane) {
    collidePlane(a, b, margin, out);
  } else if (isPolytope(a.kind) && isPolytope(b.kind)) {
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
  // Polytopes keep their order: their cache speaks of A and B.
  if (a.kind > b.kind && !(isPolytope(a.kind) && isPolytope(b.kind))) {
    collideOrdered(b, a, settings.margin, cache, scratch, out);
    out.swapRoles();
  } else {
    collideOrdered(a, b, settings.margin, cache, scratch, out);
  }
  if (settings.reduce) reduceManifold(out, cache);
}

}  // namespace drystone::narrow
