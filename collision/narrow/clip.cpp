// Sutherland and Hodgman 1974: a convex polygon is clipped by one half-plane after the other. Each
// vertex knows the edge that follows it, so that the result can be named by features: a vertex of
// the incident polygon, a vertex of the reference (between two of its sides), or two edges.
#include "collision/narrow/clip.h"

#include <algorithm>

#include "core/check.h"

namespace drystone::narrow {
namespace {

using Vertex = ClipScratch::Vertex;

Vertex crossing(const Vertex& from, const Vertex& to, Real fromDistance, Real toDistance,
                int edge) {
  const Real t = fromDistance / (fromDistance - toDistance);
  return {from.point + t * (to.point - from.point), -1, edge};
}

/// Clips a closed polygon by side `side` of the reference.
void clipPolygon(ClipScratch& scratch, int side, Real tolerance) {
  const std::size_t count = scratch.input.size();
  scratch.output.clear();
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t next = k + 1 == count ? 0 : k + 1;
    const Vertex& a = scratch.input[k];
    const Vertex& b = scratch.input[next];
    const Real da = scratch.distances[k], db = scratch.distances[next];
    const bool insideA = da <= tolerance, insideB = db <= tolerance;
    if (insideA) scratch.output.push_back(a);
    if (insideA == insideB) continue;
    // A corner on the plane stands for the crossing next to it.
    if (insideA && da >= -tolerance) {
      scratch.output.back().edge = -1 - side;
    } else if (insideB && db >= -tolerance) {
      continue;
    } else {
      scratch.output.push_back(crossing(a, b, da, db, insideA ? -1 - side : a.edge));
    }
  }
}

/// Clips an edge (2 vertices) or a vertex (1).
void clipOpen(ClipScratch& scratch, int side, Real tolerance) {
  scratch.output.clear();
  for (std::size_t k = 0; k < scratch.input.size(); ++k) {
    const Vertex& self = scratch.input[k];
    const Real own = scratch.distances[k];
    if (own <= tolerance) {
      scratch.output.push_back(self);
    } else if (scratch.input.size() == 2 && scratch.distances[1 - k] < -tolerance) {
      // The clipped end is named by the edge and the side that cut it.
      Vertex cut = crossing(self, scratch.input[1 - k], own, scratch.distances[1 - k], self.edge);
      cut.vertex = -2 - side;
      scratch.output.push_back(cut);
    }
  }
}

std::uint32_t keyOf(const Polygon& reference, const Vertex& vertex, int edgeBefore, bool isOpen,
                    bool referenceIsA) {
  const auto oriented = [&](FeatureKind kind, int ofReference, int ofIncident) {
    const std::uint32_t key = featureKey(kind, ofReference, ofIncident);
    return referenceIsA ? key : swappedKey(key);
  };
  if (vertex.vertex >= 0) return oriented(FeatureKind::kVertexB, 0, vertex.vertex);
  const auto corner = [&](int label) -> const Polygon::Corner& {
    return reference.corners[static_cast<std::size_t>(-1 - label)];
  };
  if (isOpen) return oriented(FeatureKind::kEdges, corner(vertex.vertex + 1).edge, vertex.edge);
  if (edgeBefore >= 0 || vertex.edge >= 0) {
    const int incidentEdge = std::max(edgeBefore, vertex.edge);
    const int side = std::min(edgeBefore, vertex.edge);
    if (side >= 0) return oriented(FeatureKind::kEdges, 0, incidentEdge);
    return oriented(FeatureKind::kEdges, corner(side).edge, incidentEdge);
  }
  // Between sides i and j of the reference: the corner where the later one begins.
  const int i = -1 - std::max(edgeBefore, vertex.edge), j = -1 - std::min(edgeBefore, vertex.edge);
  const int count = static_cast<int>(reference.corners.size());
  const int begin = (i == 0 && j == count - 1) ? 0 : j;
  return oriented(FeatureKind::kVertexA, reference.corners[static_cast<std::size_t>(begin)].vertex,
                  0);
}

/// Turns the sides of the prism over a polygon to run along `normal`.
void leanSides(const Vec3& normal, Polygon& polygon) {
  const std::size_t count = polygon.corners.size();
  for (std::size_t k = 0; k < count; ++k) {
    Polygon::Corner& corner = polygon.corners[k];
    const Vec3& next = polygon.corners[k + 1 == count ? 0 : k + 1].point;
    corner.side = (next - corner.point).cross(normal).normalized();
  }
}

}  // namespace

int incidentFace(const PlacedShape& shape, const Vec3& direction) {
  const Vec3 local = shape.rotation.transpose() * direction;
  if (shape.kind == ShapeKind::kBox) {
    int axis = 0;
    local.cwiseAbs().maxCoeff(&axis);
    return 2 * axis + (local[axis] < 0 ? 1 : 0);
  }
  const Polytope& polytope = *shape.polytope;
  const int vertex = polytope.supportVertex(-local);
  int best = 0;
  Real bestDot = 2;
  for (std::size_t f = 0; f < polytope.faces.size(); ++f) {
    const Polytope::Face& face = polytope.faces[f];
    const Real dot = local.dot(face.normal);
    if (dot >= bestDot) continue;
    const auto* begin = polytope.loop.data() + face.begin;
    const bool holdsVertex =
        std::any_of(begin, begin + face.count,
                    [&](const Polytope::Corner& corner) { return corner.vertex == vertex; });
    if (!holdsVertex) continue;
    bestDot = dot;
    best = static_cast<int>(f);
  }
  return best;
}

void clipToReference(ClipScratch& scratch, const Vec3& normal, const Vec3& origin, Real margin,
                     Real tolerance, bool referenceIsA, Manifold& out) {
  const Polygon& reference = scratch.reference;
  const bool leans = normal != reference.normal;
  const Real square = reference.normal.dot(normal);
  if (leans) leanSides(normal, scratch.reference);
  const bool isOpen = scratch.incident.corners.size() < 3;
  scratch.input.clear();
  for (const Polygon::Corner& corner : scratch.incident.corners) {
    scratch.input.push_back({corner.point, corner.vertex, corner.edge});
  }
  for (std::size_t side = 0; side < reference.corners.size() && !scratch.input.empty(); ++side) {
    const Polygon::Corner& corner = reference.corners[side];
    scratch.distances.clear();
    bool allInside = true;
    for (const Vertex& vertex : scratch.input) {
      scratch.distances.push_back(corner.side.dot(vertex.point - corner.point));
      allInside = allInside && scratch.distances.back() <= tolerance;
    }
    if (allInside) continue;
    if (isOpen) {
      clipOpen(scratch, static_cast<int>(side), tolerance);
    } else {
      clipPolygon(scratch, static_cast<int>(side), tolerance);
    }
    scratch.input.swap(scratch.output);
  }
  out.normal = referenceIsA ? normal : Vec3(-normal);
  const std::size_t count = scratch.input.size();
  for (std::size_t k = 0; k < count; ++k) {
    const Vertex& vertex = scratch.input[k];
    const Real height = reference.normal.dot(vertex.point - reference.corners[0].point);
    const Real gap = leans ? height / square : height;
    if (gap > margin) continue;
    const int edgeBefore = scratch.input[k == 0 ? count - 1 : k - 1].edge;
    out.add(origin + vertex.point - 0.5 * gap * normal, gap,
            keyOf(reference, vertex, edgeBefore, isOpen, referenceIsA));
  }
}

}  // namespace drystone::narrow
