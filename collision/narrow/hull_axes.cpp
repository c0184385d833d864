// Separating axes of general polytopes. Only edge pairs that form a face of the Minkowski
// difference can separate: those whose arcs of normals cross on the unit sphere (D. Gregorius, "The
// Separating Axis Test between Convex Polyhedra", 2013).
#include <algorithm>
#include <cmath>
#include <limits>

#include "collision/narrow/separating_axis.h"
#include "core/check.h"

namespace drystone::narrow {
namespace {

/// The faces of one polytope as axes between it and another.
class FaceAxes {
 public:
  FaceAxes(const PlacedShape& reference, const PlacedShape& other)
      : reference_(reference),
        other_(other),
        toOther_(other.rotation.transpose() * reference.rotation),
        offset_(other.rotation.transpose() * (reference.position - other.position)) {}

  /// Of the face, or a number that is larger but below `enough`: the first vertex that shows so
  /// much is the last.
  Real separation(const Polytope::Face& face, Real enough) const {
    const Vec3 normal = toOther_ * face.normal;
    const Real toOrigin = -normal.dot(offset_) - face.offset;
    if (other_.kind == ShapeKind::kBox) return toOrigin - other_.size.dot(normal.cwiseAbs());
    Real reach = -std::numeric_limits<Real>::infinity();
    for (const Vec3& vertex : other_.polytope->vertices) {
      const Real along = -normal.dot(vertex);
      if (along <= reach) continue;
      reach = along;
      if (toOrigin - reach < enough) break;
    }
    return toOrigin - reach;
  }

  /// The face that the other polytope's frame is farthest beyond: likely the one that is wanted.
  const Polytope::Face& likely() const {
    const Vec3 towards = reference_.rotation.transpose() * (other_.position - reference_.position);
    const Polytope::Face* best = nullptr;
    Real farthest = -std::numeric_limits<Real>::infinity();
    for (const Polytope::Face& face : reference_.polytope->faces) {
      const Real far = face.normal.dot(towards) - face.offset;
      if (best != nullptr && far <= farthest) continue;
      farthest = far;
      best = &face;
    }
    return *best;
  }

 private:
  const PlacedShape &reference_, &other_;
  Mat3 toOther_;
  Vec3 offset_;
};

/// Largest separation over the faces of `reference`; its axis frame is the reference's.
bool searchFaces(const PlacedShape& reference, const PlacedShape& other, Real margin, int& bestFace,
                 Real& best) {
  const FaceAxes axes(reference, other);
  const std::vector<Polytope::Face>& faces = reference.polytope->faces;
  best = -1e300;
  // Faces below the likely one need no more than to be shown so.
  const Real known = std::min(axes.separation(axes.likely(), best), margin);
  for (std::size_t f = 0; f < faces.size(); ++f) {
    const Real separation = axes.separation(faces[f], std::max(best, known));
    if (separation <= best || separation < known) continue;
    best = separation;
    bestFace = static_cast<int>(f);
    if (best > margin) return true;
  }
  return false;
}

/// Whether the half circle of normals at a triangle's edge, which is square to `circle` and has
/// `mid` in it, crosses an arc whose ends are `from` and `to` above the plane of the circle, on
/// either side. The half circle is taken whole: of two halves of it neither would cross an arc that
/// passes exactly through its middle, as the arc of a box's edge does that is square to the
/// triangle.
bool halfCircleCrosses(const Vec3& mid, const Vec3& arcFrom, const Vec3& arcTo, Real from,
                       Real to) {
  const Vec3 crossing = std::abs(to) * arcFrom + std::abs(from) * arcTo;
  return crossing.dot(mid) > 0;
}

/// Edge pairs, in A's frame. Normals of faces are rotated, and held against an arc, once for all
/// edges of the face.
void searchEdges(const PlacedShape& a, const PlacedShape& b, Real margin, Real least,
                 ClipScratch& scratch, SeparatingAxis& best) {
  const Mat3 r = a.rotation.transpose() * b.rotation;
  const Vec3 offset = a.rotation.transpose() * (b.position - a.position);
  const Polytope &pa = *a.polytope, &pb = *b.polytope;
  DRYSTONE_ASSERT(!pa.isFlat);
  std::vector<Vec3>& normalsB = scratch.normals;
  normalsB.clear();
  for (const Polytope::Face& face : pb.faces) normalsB.push_back(-(r * face.normal));
  std::vector<Real>& heights = scratch.heights;
  heights.resize(pa.faces.size());
  const auto normalA = [&](int face) -> const Vec3& {
    return pa.faces[static_cast<std::size_t>(face)].normal;
  };
  Vec3 bestNormal = Vec3::Zero();
  for (std::size_t j = 0; j < pb.edges.size(); ++j) {
    const Polytope::Edge& edgeB = pb.edges[j];
    const Vec3& fromB = normalsB[static_cast<std::size_t>(edgeB.faceA)];
    const Vec3& toB = normalsB[static_cast<std::size_t>(edgeB.faceB)];
    const Vec3 circle = pb.isFlat ? Vec3(r * edgeB.direction) : toB.cross(fromB);
    const Vec3 mid = pb.isFlat ? Vec3(-(r * edgeB.normalMid)) : Vec3(Vec3::Zero());
    for (std::size_t f = 0; f < heights.size(); ++f) heights[f] = pa.faces[f].normal.dot(circle);
    for (std::size_t i = 0; i < pa.edges.size(); ++i) {
      const Polytope::Edge& edgeA = pa.edges[i];
      const Real from = heights[static_cast<std::size_t>(edgeA.faceA)];
      const Real to = heights[static_cast<std::size_t>(edgeA.faceB)];
      if (from * to >= 0) continue;
      if (pb.isFlat) {
        if (!halfCircleCrosses(mid, normalA(edgeA.faceA), normalA(edgeA.faceB), from, to)) continue;
      } else {
        const Real ofFrom = fromB.dot(edgeA.cross), ofTo = toB.dot(edgeA.cross);
        if (ofFrom * ofTo >= 0 || ofFrom * to <= 0) continue;
      }
      const Vec3 alongB = r * edgeB.direction;
      Vec3 normal = edgeA.direction.cross(alongB);
      const Real sine2 = normal.squaredNorm();
      if (sine2 < kParallelSine2) continue;
      // The arcs cross at this normal or its opposite: the one outside of A.
      if (normal.dot(edgeA.normalMid) < 0) normal = -normal;
      const Vec3 pointB = r * pb.vertices[static_cast<std::size_t>(edgeB.from)] + offset;
      const Vec3 apart = pointB - pa.vertices[static_cast<std::size_t>(edgeA.from)];
      if (normal.dot(apart) < least) continue;
      normal /= std::sqrt(sine2);
      const Real separation = normal.dot(apart);
      if (separation <= best.separation) continue;
      best.separation = separation;
      best.idA = static_cast<int>(i);
      best.idB = static_cast<int>(j);
      bestNormal = normal;
      if (separation > margin) {
        best.normal = a.rotation * bestNormal;
        return;
      }
    }
  }
  best.normal = a.rotation * bestNormal;
}

}  // namespace

void searchPolytopeAxes(const PlacedShape& a, const PlacedShape& b, Real margin,
                        ClipScratch& scratch, AxisSearch& out) {
  out.faceA.kind = PairCache::kFaceA;
  out.faceB.kind = PairCache::kFaceB;
  out.edges.kind = PairCache::kEdges;
  if (searchFaces(a, b, margin, out.faceA.idA, out.faceA.separation)) {
    out.separated = true;
    out.separatedBy = PairCache::kFaceA;
    return;
  }
  if (searchFaces(b, a, margin, out.faceB.idB, out.faceB.separation)) {
    out.separated = true;
    out.separatedBy = PairCache::kFaceB;
    return;
  }
  const auto face = [](const PlacedShape& shape, int id) -> Vec3 {
    return shape.rotation * shape.polytope->faces[static_cast<std::size_t>(id)].normal;
  };
  out.faceA.normal = face(a, out.faceA.idA);
  out.faceB.normal = -face(b, out.faceB.idB);
  // A sine is at most 1, so a negative separation is at most that along a normal that is not unit.
  const Real least = std::min(out.leastOfEdges(a, b), Real(0));
  searchEdges(a, b, margin, least, scratch, out.edges);
  if (out.edges.separation > margin) {
    out.separated = true;
    out.separatedBy = PairCache::kEdges;
  }
}

}  // namespace drystone::narrow
