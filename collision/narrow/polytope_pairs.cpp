// The contact of two convex polyhedra. The axis of least overlap decides the normal; a face beats a
// pair of edges unless the edges truly are what touches, and last step's choice beats one that is
// no better by a tolerance: a normal that jumps between equals costs the solver its warm start.
#include "collision/narrow/pairs.h"

#include <algorithm>
#include <cmath>

namespace drystone::narrow {
namespace {

/// Relative to the smaller shape's thickness. Kept small enough that the normal chosen is the best
/// one to within 0.1 mm of overlap on a 1 m box.
constexpr Real kHysteresis = 1e-4;
/// Differences below this (relative, too) are rounding.
constexpr Real kGapRounding = 1e-9;
/// Between parallel faces of A and B the gaps agree to second order, so the reference may stay for
/// longer.
constexpr Real kParallelHysteresis = 0.05;
/// How far outside a face a vertex may lie and still count as on it.
constexpr Real kClipTolerance = 1e-5;
/// cos 5°: faces closer to parallel than this meet as faces, not by their edges.
constexpr Real kMeetingCosine = 0.9962;
/// Two parallel edges that meet to within this (relative, like the others) share one line of
/// contact.
constexpr Real kEdgeMeeting = 2e-3;

struct Pair {
  const PlacedShape& a;
  const PlacedShape& b;
  Real margin;
  Real size;
  ClipScratch& scratch;
};

Real lowestGap(const Manifold& manifold) {
  Real lowest = 1e300;
  for (const ManifoldPoint& point : manifold.points) lowest = std::min(lowest, point.gap);
  return lowest;
}

/// The contact of the face that the axis names with the face of the other shape; `normal`: from A
/// to B.
void collideFaces(const Pair& pair, const SeparatingAxis& axis, const Vec3& normal, Manifold& out) {
  out.clear();
  const bool referenceIsA = axis.kind == PairCache::kFaceA;
  const PlacedShape& reference = referenceIsA ? pair.a : pair.b;
  const PlacedShape& incident = referenceIsA ? pair.b : pair.a;
  const Vec3& origin = pair.a.position;
  facePolygon(reference, referenceIsA ? axis.idA : axis.idB, origin, pair.scratch.reference);
  faceCorners(incident, incidentFace(incident, pair.scratch.reference.normal), origin,
              pair.scratch.incident);
  clipToReference(pair.scratch, referenceIsA ? normal : Vec3(-normal), origin, pair.margin,
                  kClipTolerance * pair.size, referenceIsA, out);
}

/// False when the edges' lines are closest beyond an end: then other features are closer.
bool collideEdges(const Pair& pair, const SeparatingAxis& axis, Manifold& out) {
  out.clear();
  const auto placed = [&](const PlacedShape& shape, int edge, Vec3& point, Vec3& along) {
    const Polytope& polytope = *shape.polytope;
    const Polytope::Edge& data = polytope.edges[static_cast<std::size_t>(edge)];
    const Vec3& from = polytope.vertices[static_cast<std::size_t>(data.from)];
    const Vec3& to = polytope.vertices[static_cast<std::size_t>(data.to)];
    point = shape.rotation * from + (shape.position - pair.a.position);
    along = shape.rotation * (to - from);
  };
  Vec3 pointA, alongA, pointB, alongB;
  placed(pair.a, axis.idA, pointA, alongA);
  placed(pair.b, axis.idB, pointB, alongB);
  // Closest points of two lines that are not parallel.
  const Vec3 d = pointB - pointA;
  const Real aa = alongA.squaredNorm(), bb = alongB.squaredNorm(), ab = alongA.dot(alongB);
  const Real da = d.dot(alongA), db = d.dot(alongB);
  const Real determinant = aa * bb - ab * ab;
  const Real s = std::clamp((da * bb - db * ab) / determinant, Real(0), Real(1));
  const Real t = std::clamp((da * ab - db * aa) / determinant, Real(0), Real(1));
  const Vec3 onA = pointA + s * alongA, onB = pointB + t * alongB;
  const Real gap = axis.normal.dot(onB - onA);
  if ((onB - onA - gap * axis.normal).norm() > kClipTolerance * pair.size) return false;
  out.normal = axis.normal;
  out.add(pair.a.position + 0.5 * (onA + onB), gap,
          featureKey(FeatureKind::kEdges, axis.idA, axis.idB));
  return true;
}

/// The face that is the reference: A's unless B's is better, and last step's unless it is worse by
/// more than the tolerance.
const SeparatingAxis& chooseFace(const Pair& pair, const AxisSearch& search,
                                 const PairCache& cache) {
  const bool parallel = search.faceA.normal.dot(search.faceB.normal) > kLaidCosine;
  const Real tolerance = (parallel ? kParallelHysteresis : kHysteresis) * pair.size;
  if (cache.touching != 0) {
    if (cache.axis == PairCache::kFaceA && cache.idA == search.faceA.idA &&
        search.faceA.separation + tolerance >= search.faceB.separation) {
      return search.faceA;
    }
    if (cache.axis == PairCache::kFaceB && cache.idB == search.faceB.idB &&
        search.faceB.separation + tolerance >= search.faceA.separation) {
      return search.faceB;
    }
  }
  return search.faceB.separation > search.faceA.separation + kGapRounding * pair.size
             ? search.faceB
             : search.faceA;
}

/// The normal of a contact of faces. A face that stays the reference though it leans against the
/// other does not lend its normal: that would push sideways.
const Vec3& normalOfFaces(const Pair& pair, const AxisSearch& search, const SeparatingAxis& face) {
  const SeparatingAxis& other = face.kind == PairCache::kFaceA ? search.faceB : search.faceA;
  return other.separation > face.separation + kHysteresis * pair.size ? other.normal : face.normal;
}

/// Two boxes that lean on each other touch along two parallel edges (the apex of a card house).
/// Every normal between those of the two faces fits then, and the better one of the two faces
/// changes with every rounding; so the normal is the one halfway.
bool collideMeetingEdges(const Pair& pair, const AxisSearch& search, PairCache& cache,
                         Manifold& out) {
  const Real stay = cache.touching != 0 && cache.axis == PairCache::kParallelEdges ? 2 : 1;
  const Real tolerance = stay * kEdgeMeeting * pair.size;
  if (std::abs(search.faceA.separation - search.faceB.separation) > tolerance) return false;
  const Real cosine = search.faceA.normal.dot(search.faceB.normal);
  if (cosine > kMeetingCosine || cosine < 0) return false;
  const Vec3 normal = (search.faceA.normal + search.faceB.normal).normalized();
  Polygon &edgeA = pair.scratch.reference, &edgeB = pair.scratch.incident;
  supportFeature(pair.a, normal, pair.a.position, edgeA);
  supportFeature(pair.b, -normal, pair.a.position, edgeB);
  if (edgeA.corners.size() != 2 || edgeB.corners.size() != 2) return false;
  // The faces' own separations must be those of these very edges.
  const Vec3 d = edgeB.corners[0].point - edgeA.corners[0].point;
  const Vec3 along = (edgeA.corners[1].point - edgeA.corners[0].point).normalized();
  if ((d - d.dot(along) * along).norm() > tolerance + std::abs(search.faceA.separation)) {
    return false;
  }
  out.clear();
  out.normal = normal;
  contactOfParallelEdges(edgeA, edgeB, pair.a.position, normal, pair.margin,
                         kClipTolerance * pair.size, out);
  if (out.points.size() < 2) return false;
  cache.axis = PairCache::kParallelEdges;
  cache.touching = 1;
  cache.idA = static_cast<std::uint16_t>(edgeA.corners[0].edge);
  cache.idB = static_cast<std::uint16_t>(edgeB.corners[0].edge);
  return true;
}

bool wasEdges(const PairCache& cache, const SeparatingAxis& edges) {
  return cache.touching != 0 && cache.axis == PairCache::kEdges && cache.idA == edges.idA &&
         cache.idB == edges.idB;
}

void remember(const SeparatingAxis& axis, bool touching, PairCache& cache) {
  cache.axis = axis.kind;
  cache.touching = touching ? 1 : 0;
  cache.idA = static_cast<std::uint16_t>(axis.idA);
  cache.idB = static_cast<std::uint16_t>(axis.idB);
}

}  // namespace

void collidePolytopes(const PlacedShape& a, const PlacedShape& b, Real margin, PairCache& cache,
                      ClipScratch& scratch, Manifold& out) {
  out.clear();
  if (cache.axis != PairCache::kNone && cache.touching == 0 &&
      cachedSeparation(a, b, cache) > margin) {
    return;
  }
  AxisSearch search;
  if (a.kind == ShapeKind::kBox && b.kind == ShapeKind::kBox) {
    searchBoxAxes(a, b, margin, search);
  } else {
    searchPolytopeAxes(a, b, margin, scratch, search);
  }
  if (search.separated) {
    remember(search.of(search.separatedBy), false, cache);
    return;
  }
  const Pair pair{a, b, margin, std::min(a.polytope->size, b.polytope->size), scratch};
  const SeparatingAxis& face = chooseFace(pair, search, cache);
  const SeparatingAxis& edges = search.edges;
  const Real best = std::max({search.faceA.separation, search.faceB.separation, edges.separation});
  const Real stay = wasEdges(cache, edges) ? -kHysteresis * pair.size : kGapRounding * pair.size;
  const bool edgesWin = edges.separation > face.separation + stay;
  // Where a face is turned against another by less than 1° their edges cross low over it. The
  // clipped faces hold that very point and others beside it.
  if (!edgesWin || edges.normal.dot(face.normal) > kLaidCosine) {
    if (!edgesWin && collideMeetingEdges(pair, search, cache, out)) return;
    const Vec3& normal = edgesWin ? edges.normal : normalOfFaces(pair, search, face);
    collideFaces(pair, face, normal, out);
    if (std::abs(lowestGap(out) - best) <=
        2 * (1 - kLaidCosine) * std::abs(best) + kHysteresis * pair.size) {
      remember(face, true, cache);
      return;
    }
  }
  if (edgesWin && collideEdges(pair, edges, out)) {
    remember(edges, true, cache);
    return;
  }
  // Neither faces nor crossing edges are closest: a vertex against a vertex or an edge.
  contactOfFeatures(a, b, closestPoints(a, b, margin), margin, kClipTolerance * pair.size, scratch,
                    out);
  remember(face, false, cache);
}

}  // namespace drystone::narrow
