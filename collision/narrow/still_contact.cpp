// Contacts of polytopes that lie still are placed, not searched for. The normal n turns with the
// face that has it. Each point hangs on both shapes: with d = p_B - p_A the gap is m · d. A corner
// on the face has m = n. A corner of the face looks at a plane of normal l, so that m = l / (l ·
// n). Where an edge e crosses a side of the face, of normal s, the point slides along e to stay
// above it: m = n - s (n · e) / (s · e).
#include "collision/narrow/still_contact.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "collision/narrow/pairs.h"

namespace drystone::narrow {
namespace {

/// A contact has the normal of a face where the two differ by rounding alone.
constexpr Real kSameNormal = 1e-12;
/// Points this close below the margin may leave it, relative to the larger smallest extent.
constexpr Real kMarginRoom = 1e-5;
/// Least cosine of a lever by which a point slides: beyond it follows neither face well.
constexpr Real kLeastCosine = 0.1;
/// How far from a point its edge may lie, relative to the same: as corners on a face.
constexpr Real kOnEdge = 1e-5;

Vec3 faceNormal(const PlacedShape& shape, int face) {
  return shape.rotation * shape.polytope->faces[static_cast<std::size_t>(face)].normal;
}

struct Line {
  Vec3 point, along;
};

Line edgeOf(const PlacedShape& shape, std::uint32_t id) {
  const Polytope& polytope = *shape.polytope;
  if (id >= polytope.edges.size()) return {Vec3::Constant(1e300), Vec3::UnitX()};
  const Polytope::Edge& edge = polytope.edges[id];
  const Vec3& from = polytope.vertices[static_cast<std::size_t>(edge.from)];
  return {shape.position + shape.rotation * from, shape.rotation * edge.direction};
}

bool isOn(const Line& line, const Vec3& point, Real tolerance) {
  return (point - line.point).cross(line.along).norm() <= tolerance;
}

/// Where the points of a contact come from. `normal`: from A to B.
struct Face {
  const PlacedShape& reference;
  const PlacedShape& incident;
  bool isOfA;
  Vec3 normal;
  Real size;  ///< [m]
};

/// The covector of a gap; none where the point follows neither face well. `onReference`,
/// `onIncident`: the point on both, world.
std::optional<Vec3> acrossOf(const Face& face, std::uint32_t feature, const Vec3& onReference,
                             const Vec3& onIncident) {
  constexpr std::uint32_t kMask = (1u << kFeatureIdBits) - 1;
  const Vec3& n = face.normal;
  const auto kind = static_cast<FeatureKind>(feature >> (2 * kFeatureIdBits));
  if (kind == (face.isOfA ? FeatureKind::kVertexB : FeatureKind::kVertexA)) return n;
  if (kind != FeatureKind::kEdges) {
    const Vec3 leaning =
        faceNormal(face.incident, incidentFace(face.incident, face.isOfA ? face.normal : Vec3(-n)));
    const Real cosine = leaning.dot(n);
    if (std::abs(cosine) < kLeastCosine) return std::nullopt;
    return leaning / cosine;
  }
  const std::uint32_t ofA = feature >> kFeatureIdBits & kMask, ofB = feature & kMask;
  const Line side = edgeOf(face.reference, face.isOfA ? ofA : ofB);
  const Line edge = edgeOf(face.incident, face.isOfA ? ofB : ofA);
  const Real tolerance = kOnEdge * face.size;
  if (!isOn(side, onReference, tolerance) || !isOn(edge, onIncident, tolerance)) {
    return std::nullopt;
  }
  const Vec3 s = side.along.cross(n);
  const Real cosine = s.dot(edge.along);
  if (std::abs(cosine) < kLeastCosine) return std::nullopt;
  return n - n.dot(edge.along) / cosine * s;
}

}  // namespace

bool findStillContact(const PlacedShape& a, const PlacedShape& b, Real margin,
                      const PairCache& cache, ClipScratch& scratch, Manifold& found,
                      StillContact& out) {
  out.count = 0;
  const bool isFaceOfA = cache.axis == PairCache::kFaceA;
  if (cache.touching == 0 || !(isFaceOfA || cache.axis == PairCache::kFaceB)) return false;
  PairCache after = cache;
  collideConvex(a, b, {margin, true}, after, scratch, found);
  if (after != cache || found.points.empty() || found.points.size() > out.points.size()) {
    return false;
  }
  const PlacedShape& reference = isFaceOfA ? a : b;
  const Vec3 outwards = faceNormal(reference, isFaceOfA ? cache.idA : cache.idB);
  const Vec3& normal = found.normal;
  if ((normal - (isFaceOfA ? outwards : Vec3(-outwards))).norm() > kSameNormal) return false;
  const Real size = std::max(a.polytope->size, b.polytope->size);
  const Face face{reference, isFaceOfA ? b : a, isFaceOfA, normal, size};
  const auto ofIncident = isFaceOfA ? FeatureKind::kVertexB : FeatureKind::kVertexA;
  for (std::size_t i = 0; i < found.points.size(); ++i) {
    const ManifoldPoint& point = found.points[i];
    const Vec3 half = 0.5 * point.gap * normal;
    const Vec3 onA = point.position - half, onB = point.position + half;
    const auto across = acrossOf(face, point.feature, isFaceOfA ? onA : onB, isFaceOfA ? onB : onA);
    if (!across || point.gap > margin - kMarginRoom * size) return false;
    const bool isIncident =
        point.feature >> (2 * kFeatureIdBits) == static_cast<std::uint32_t>(ofIncident);
    out.points[i] = {.onA = a.rotation.transpose() * (onA - a.position),
                     .onB = b.rotation.transpose() * (onB - b.position),
                     .across = reference.rotation.transpose() * *across,
                     .feature = point.feature,
                     .isOfA = isIncident != isFaceOfA};
  }
  out.isFaceOfA = isFaceOfA;
  out.normal = reference.rotation.transpose() * found.normal;
  out.count = static_cast<int>(found.points.size());
  return true;
}

void placeStillContact(const PlacedShape& a, const PlacedShape& b, const StillContact& contact,
                       Manifold& out) {
  out.clear();
  const Mat3& turn = (contact.isFaceOfA ? a : b).rotation;
  out.normal = turn * contact.normal;
  for (int i = 0; i < contact.count; ++i) {
    const StillContact::Point& point = contact.points[static_cast<std::size_t>(i)];
    const Vec3 onA = a.position + a.rotation * point.onA;
    const Vec3 onB = b.position + b.rotation * point.onB;
    const Real gap = (turn * point.across).dot(onB - onA);
    const Vec3 half = 0.5 * gap * out.normal;
    out.add(point.isOfA ? Vec3(onA + half) : Vec3(onB - half), gap, point.feature);
  }
}

}  // namespace drystone::narrow
