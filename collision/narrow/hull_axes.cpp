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

/// The normals of an edge, rotated into the common frame.
struct Arc {
  Vec3 from, to;  ///< ends of an arc shorter than half a circle
  Vec3 cross;     ///< to × from
  Vec3 mid;       ///< of a half circle, which a triangle's edge has
  Vec3 along;     ///< direction of the edge: the circle is square to it
};

Arc arcOf(const Polytope::Edge& edge, bool isFlat, const Mat3& rotation, Real sign) {
  Arc arc;
  arc.along = rotation * edge.direction;
  if (isFlat) {
    arc.mid = sign * (rotation * edge.normalMid);
  } else {
    arc.from = sign * (rotation * edge.normalA);
    arc.to = sign * (rotation * edge.normalB);
    arc.cross = arc.to.cross(arc.from);
  }
  return arc;
}

/// Whether a half circle and an arc cross. The half circle is taken whole: of two halves of it
/// neither would cross an arc that passes exactly through its middle, as the arc of a box's edge
/// does that is square to the triangle.
bool halfCircleCrosses(const Arc& half, const Arc& arc) {
  const Real from = half.along.dot(arc.from), to = half.along.dot(arc.to);
  if (from * to >= 0) return false;
  const Vec3 crossing = std::abs(to) * arc.from + std::abs(from) * arc.to;
  return crossing.dot(half.mid) > 0;
}

bool formsFace(const Arc& a, bool isFlatA, const Arc& b, bool isFlatB) {
  if (isFlatA && isFlatB) {
    const Vec3 crossing = a.along.cross(b.along);
    return crossing.dot(a.mid) * crossing.dot(b.mid) > 0;
  }
  if (isFlatA) return halfCircleCrosses(a, b);
  if (isFlatB) return halfCircleCrosses(b, a);
  return arcsCross(a.from, a.to, a.cross, b.from, b.to, b.cross);
}

/// Edge pairs, in A's frame.
void searchEdges(const PlacedShape& a, const PlacedShape& b, Real margin, SeparatingAxis& best) {
  const Mat3 r = a.rotation.transpose() * b.rotation;
  const Vec3 offset = a.rotation.transpose() * (b.position - a.position);
  const Polytope &pa = *a.polytope, &pb = *b.polytope;
  Vec3 bestNormal = Vec3::Zero();
  for (std::size_t j = 0; j < pb.edges.size(); ++j) {
    const Polytope::Edge& edgeB = pb.edges[j];
    const Arc arcB = arcOf(edgeB, pb.isFlat, r, -1);
    const Vec3 pointB = r * pb.vertices[static_cast<std::size_t>(edgeB.from)] + offset;
    for (std::size_t i = 0; i < pa.edges.size(); ++i) {
      const Polytope::Edge& edgeA = pa.edges[i];
      const Arc arcA = arcOf(edgeA, pa.isFlat, Mat3::Identity(), 1);
      if (!formsFace(arcA, pa.isFlat, arcB, pb.isFlat)) continue;
      Vec3 normal = edgeA.direction.cross(arcB.along);
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
