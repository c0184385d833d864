// Separating axes of general polytopes. Only edge pairs that form a face of the Minkowski
// difference can separate: those whose arcs of normals cross on the unit sphere (D. Gregorius, "The
// Separating Axis Test between Convex Polyhedra", 2013).
#include <cmath>

#include "collision/narrow/separating_axis.h"

namespace drystone::narrow {
namespace {

/// Largest separation over the faces of `reference`; its axis frame is the reference's.
bool searchFaces(const PlacedShape& reference, const PlacedShape& other, Real margin, int& bestFace,
                 Real& best) {
  const Mat3 toOther = other.rotation.transpose() * reference.rotation;
  const Vec3 offset = other.rotation.transpose() * (reference.position - other.position);
  const std::vector<Polytope::Face>& faces = reference.polytope->faces;
  best = -1e300;
  for (std::size_t f = 0; f < faces.size(); ++f) {
    const Vec3 normal = toOther * faces[f].normal;
    Real reach = 0;
    if (other.kind == ShapeKind::kBox) {
      reach = other.size.dot(normal.cwiseAbs());
    } else {
      const int vertex = other.polytope->supportVertex(-normal);
      reach = -normal.dot(other.polytope->vertices[static_cast<std::size_t>(vertex)]);
    }
    const Real separation = -normal.dot(offset) - faces[f].offset - reach;
    if (separation <= best) continue;
    best = separation;
    bestFace = static_cast<int>(f);
    if (best > margin) return true;
  }
  return false;
}

/// Whether arcs a–b and c–d (unit vectors, each shorter than half a circle) cross.
bool arcsCross(const Vec3& a, const Vec3& b, const Vec3& bxa, const Vec3& c, const Vec3& d,
               const Vec3& dxc) {
  const Real cba = c.dot(bxa), dba = d.dot(bxa);
  if (cba * dba >= 0) return false;
  const Real adc = a.dot(dxc), bdc = b.dot(dxc);
  return adc * bdc < 0 && cba * bdc > 0;
}

struct Arc {
  Vec3 from, to, cross;  ///< cross = to × from
};

/// One arc, or the two halves of a triangle edge's half circle. Rotated into the common frame.
int arcsOf(const Polytope::Edge& edge, bool isFlat, const Mat3& rotation, Real sign, Arc arcs[2]) {
  const Vec3 a = sign * (rotation * edge.normalA), b = sign * (rotation * edge.normalB);
  if (!isFlat) {
    arcs[0] = {a, b, b.cross(a)};
    return 1;
  }
  const Vec3 mid = sign * (rotation * edge.normalMid);
  arcs[0] = {a, mid, mid.cross(a)};
  arcs[1] = {mid, b, b.cross(mid)};
  return 2;
}

bool formsFace(const Arc* arcsA, int countA, const Arc* arcsB, int countB) {
  for (int i = 0; i < countA; ++i) {
    for (int j = 0; j < countB; ++j) {
      if (arcsCross(arcsA[i].from, arcsA[i].to, arcsA[i].cross, arcsB[j].from, arcsB[j].to,
                    arcsB[j].cross)) {
        return true;
      }
    }
  }
  return false;
}

/// Edge pairs, in A's frame.
void searchEdges(const PlacedShape& a, const PlacedShape& b, Real margin, SeparatingAxis& best) {
  const Mat3 r = a.rotation.transpose() * b.rotation;
  const Vec3 offset = a.rotation.transpose() * (b.position - a.position);
  const Polytope &pa = *a.polytope, &pb = *b.polytope;
  Vec3 bestNormal = Vec3::Zero();
  for (std::size_t j = 0; j < pb.edges.size(); ++j) {
    const Polytope::Edge& edgeB = pb.edges[j];
    Arc arcsB[2];
    const int countB = arcsOf(edgeB, pb.isFlat, r, -1, arcsB);
    const Vec3 directionB = r * edgeB.direction;
    const Vec3 pointB = r * pb.vertices[static_cast<std::size_t>(edgeB.from)] + offset;
    for (std::size_t i = 0; i < pa.edges.size(); ++i) {
      const Polytope::Edge& edgeA = pa.edges[i];
      Arc arcsA[2];
      const int countA = arcsOf(edgeA, pa.isFlat, Mat3::Identity(), 1, arcsA);
      if (!formsFace(arcsA, countA, arcsB, countB)) continue;
      Vec3 normal = edgeA.direction.cross(directionB);
      const Real sine2 = normal.squaredNorm();
      if (sine2 < kParallelSine2) continue;
      normal /= std::sqrt(sine2);
      // The arcs cross at this normal or its opposite: the one outside of A.
      if (normal.dot(pa.isFlat ? edgeA.normalMid : Vec3(edgeA.normalA + edgeA.normalB)) < 0) {
        normal = -normal;
      }
      const Real separation =
          normal.dot(pointB - pa.vertices[static_cast<std::size_t>(edgeA.from)]);
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

void searchPolytopeAxes(const PlacedShape& a, const PlacedShape& b, Real margin, AxisSearch& out) {
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
  searchEdges(a, b, margin, out.edges);
  if (out.edges.separation > margin) {
    out.separated = true;
    out.separatedBy = PairCache::kEdges;
  }
}

}  // namespace drystone::narrow
