#pragma once

#include "collision/narrow/clip.h"
#include "collision/narrow/distance.h"
#include "collision/narrow/manifold.h"
#include "collision/narrow/separating_axis.h"
#include "collision/narrow/triangle_surface.h"
#include "collision/shape/placed_shape.h"

namespace drystone::narrow {

/// What detection of a pair needs besides the shapes.
struct ConvexSettings {
  Real margin = 0;     ///< [m]
  bool reduce = true;  ///< to four points
};

/// The contact of any two convex shapes (or a half-space), in either order. `cache` is the pair's
/// own; it is read and replaced.
void collideConvex(const PlacedShape& a, const PlacedShape& b, const ConvexSettings& settings,
                   PairCache& cache, ClipScratch& scratch, Manifold& out);

/// Half-space A against any bounded shape B, in closed form: every vertex of a polyhedron, the end
/// points of a capsule, the support point of an ellipsoid, samples of a cap's rim or the ends of a
/// side line, as far as they lie within the margin.
void collidePlane(const PlacedShape& a, const PlacedShape& b, Real margin, Manifold& out);

/// Closed forms of a sphere A against a sphere, box or capsule B. One point, or none beyond the
/// margin. Concentric spheres separate along +z; a centre inside a box leaves through the nearest
/// face; a centre on a capsule's axis leaves at right angles to it.
void collideSphereSphere(const PlacedShape& a, const PlacedShape& b, Real margin, Manifold& out);
void collideSphereBox(const PlacedShape& a, const PlacedShape& b, Real margin, Manifold& out);
void collideSphereCapsule(const PlacedShape& a, const PlacedShape& b, Real margin, Manifold& out);

/// Full contact of two boxes, hulls or triangles: separating axes, then clipping of the faces, or
/// the closest points of two edges. Also for shapes that are up to `margin` apart, with the exact
/// distance. The cache keeps the choice between axes that are nearly as good as each other.
void collidePolytopes(const PlacedShape& a, const PlacedShape& b, Real margin, PairCache& cache,
                      ClipScratch& scratch, Manifold& out);

/// The feature with which a bounded convex shape faces along `direction` (unit, world), its points
/// relative to `origin`.
void supportFeature(const PlacedShape& shape, const Vec3& direction, const Vec3& origin,
                    Polygon& out);

/// The contact that the closest (or deepest) points belong to: their features laid on each other.
/// The deepest point is always among the result.
void contactOfFeatures(const PlacedShape& a, const PlacedShape& b, const ClosestPoints& closest,
                       Real margin, Real tolerance, ClipScratch& scratch, Manifold& out);

/// Two edges (2 corners each) side by side: the ends of the stretch where they overlap, or nothing
/// when they are not parallel. Ends that coincide to within the tolerance are named after B's.
void contactOfParallelEdges(const Polygon& a, const Polygon& b, const Vec3& origin,
                            const Vec3& normal, Real margin, Real tolerance, Manifold& out);

/// A triangle of a surface as a body of the pair routines.
struct PlacedTriangle {
  PlacedShape shape;  ///< its polytope points to `polytope`
  Polytope polytope;
};

/// A triangle that overlaps a shape but has no contact to say so.
struct LostOverlap {
  int triangle = 0;
  Vec3 start = Vec3::Zero();  ///< a point of the triangle, world
};

/// Contact of a bounded convex shape (A) with one triangle (B) of a surface whose frame is
/// `surfacePose` (position and rotation). Normals that point over an edge where the surface goes on
/// flat, inwards or less steeply than they do would catch a sliding body on the inside of the
/// surface: such a contact is taken with the triangle's own face instead. Where the shape is not
/// deepest over that face the overlap is left to the triangle's neighbours, and returned.
std::optional<LostOverlap> collideTriangle(const PlacedShape& convex,
                                           const TriangleSurface& surface, int triangle,
                                           const PlacedShape& surfaceFrame, Real margin,
                                           PairCache& cache, ClipScratch& scratch,
                                           PlacedTriangle& placed, Manifold& out);

/// The contact with the face of a triangle (world corners) at the point of it below which the shape
/// reaches deepest; it leads to the side of the face on which the shape's middle is. It is for
/// shapes whose overlap all triangles have left to others: none of them has the shape's lowest
/// feature over its face, as happens deep in a ridge or a hollow.
void collideThroughFace(const PlacedShape& convex, const std::array<Vec3, 3>& corners,
                        const LostOverlap& lost, Manifold& out);

}  // namespace drystone::narrow
