#include "collision/shape/polytope.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "collision/shape/shape_operations.h"
#include "core/check.h"

namespace drystone {
namespace {

int findEdge(const Polytope& polytope, int from, int to) {
  for (std::size_t e = 0; e < polytope.edges.size(); ++e) {
    const Polytope::Edge& edge = polytope.edges[e];
    if ((edge.from == from && edge.to == to) || (edge.from == to && edge.to == from)) {
      return static_cast<int>(e);
    }
  }
  DRYSTONE_ASSERT(false);
  return 0;
}

void addFace(Polytope& out, const Vec3& normal, const std::vector<int>& vertices) {
  Polytope::Face face;
  face.normal = normal;
  face.offset = normal.dot(out.vertices[static_cast<std::size_t>(vertices[0])]);
  face.begin = static_cast<int>(out.loop.size());
  face.count = static_cast<int>(vertices.size());
  for (std::size_t k = 0; k < vertices.size(); ++k) {
    const int next = vertices[(k + 1) % vertices.size()];
    out.loop.push_back({vertices[k], findEdge(out, vertices[k], next)});
  }
  out.faces.push_back(face);
}

/// An edge without its faces.
Polytope::Edge makeEdge(const std::vector<Vec3>& vertices, int from, int to) {
  Polytope::Edge edge;
  edge.from = from;
  edge.to = to;
  edge.direction =
      (vertices[static_cast<std::size_t>(to)] - vertices[static_cast<std::size_t>(from)])
          .normalized();
  return edge;
}

/// The edge between two faces of a solid with these normals.
Polytope::Edge makeEdge(const std::vector<Vec3>& vertices, int from, int to, int faceA,
                        const Vec3& normalA, int faceB, const Vec3& normalB) {
  Polytope::Edge edge = makeEdge(vertices, from, to);
  edge.faceA = faceA;
  edge.faceB = faceB;
  edge.cross = normalB.cross(normalA);
  edge.normalMid = (normalA + normalB).normalized();
  return edge;
}

/// Smallest width between a face and the vertex farthest from it.
Real smallestWidth(const Polytope& polytope) {
  Real width = std::numeric_limits<Real>::infinity();
  for (const Polytope::Face& face : polytope.faces) {
    const int far = polytope.supportVertex(-face.normal);
    width = std::min(
        width, face.offset - face.normal.dot(polytope.vertices[static_cast<std::size_t>(far)]));
  }
  return width;
}

}  // namespace

int Polytope::supportVertex(const Vec3& direction) const {
  int best = 0;
  Real bestDot = direction.dot(vertices[0]);
  for (std::size_t i = 1; i < vertices.size(); ++i) {
    const Real dot = direction.dot(vertices[i]);
    if (dot > bestDot) {
      bestDot = dot;
      best = static_cast<int>(i);
    }
  }
  return best;
}

Polytope makeBoxPolytope(const Vec3& halfExtents) {
  Polytope box;
  for (int i = 0; i < 8; ++i) {
    box.vertices.emplace_back((i & 1) != 0 ? halfExtents.x() : -halfExtents.x(),
                              (i & 2) != 0 ? halfExtents.y() : -halfExtents.y(),
                              (i & 4) != 0 ? halfExtents.z() : -halfExtents.z());
  }
  for (int axis = 0; axis < 3; ++axis) {
    const int axis1 = (axis + 1) % 3, axis2 = (axis + 2) % 3;
    for (int signs = 0; signs < 4; ++signs) {
      const int s1 = signs & 1, s2 = signs >> 1;
      const int from = s1 << axis1 | s2 << axis2;
      box.edges.push_back(makeEdge(box.vertices, from, from | 1 << axis, 2 * axis1 + s1,
                                   Vec3::Unit(axis1) * (2 * s1 - 1), 2 * axis2 + s2,
                                   Vec3::Unit(axis2) * (2 * s2 - 1)));
    }
  }
  for (int axis = 0; axis < 3; ++axis) {
    const int u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3;
    addFace(box, -Vec3::Unit(axis), {u | v, u, 0, v});
    addFace(box, Vec3::Unit(axis), {1 << axis | u | v, 1 << axis | v, 1 << axis, 1 << axis | u});
  }
  box.size = 2 * halfExtents.minCoeff();
  return box;
}

Polytope makeHullPolytope(const HullData& hull) {
  Polytope polytope;
  polytope.vertices = hull.vertices;
  for (std::size_t e = 0; e < hull.edges.size(); ++e) {
    const auto [faceA, faceB] = hull.edgeFaces[e];
    polytope.edges.push_back(makeEdge(hull.vertices, hull.edges[e].first, hull.edges[e].second,
                                      faceA, hull.faceNormals[static_cast<std::size_t>(faceA)],
                                      faceB, hull.faceNormals[static_cast<std::size_t>(faceB)]));
  }
  for (std::size_t f = 0; f < hull.faces.size(); ++f) {
    addFace(polytope, hull.faceNormals[f], hull.faces[f]);
  }
  polytope.size = smallestWidth(polytope);
  return polytope;
}

void setTriangle(const std::array<Vec3, 3>& corners, Polytope& out) {
  const Vec3 normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalized();
  out.isFlat = true;
  out.vertices.assign(corners.begin(), corners.end());
  out.edges.clear();
  Real shortest = std::numeric_limits<Real>::infinity();
  for (int k = 0; k < 3; ++k) {
    const int next = (k + 1) % 3;
    Polytope::Edge edge = makeEdge(out.vertices, k, next);
    edge.faceB = 1;
    edge.normalMid = edge.direction.cross(normal);
    out.edges.push_back(edge);
    shortest = std::min(
        shortest,
        (corners[static_cast<std::size_t>(next)] - corners[static_cast<std::size_t>(k)]).norm());
  }
  const Real offset = normal.dot(corners[0]);
  out.faces.assign({{normal, offset, 0, 3}, {-normal, -offset, 3, 3}});
  out.loop.assign({{0, 0}, {1, 1}, {2, 2}, {0, 2}, {2, 1}, {1, 0}});
  out.size = shortest;
}

void faceCorners(const PlacedShape& shape, int face, const Vec3& origin, Polygon& out) {
  DRYSTONE_ASSERT(shape.polytope != nullptr);
  const Polytope& polytope = *shape.polytope;
  const Polytope::Face& data = polytope.faces[static_cast<std::size_t>(face)];
  const Vec3 offset = shape.position - origin;
  out.normal = shape.rotation * data.normal;
  out.corners.resize(static_cast<std::size_t>(data.count));
  for (int k = 0; k < data.count; ++k) {
    const Polytope::Corner& corner = polytope.loop[static_cast<std::size_t>(data.begin + k)];
    Polygon::Corner& made = out.corners[static_cast<std::size_t>(k)];
    made.point =
        shape.rotation * polytope.vertices[static_cast<std::size_t>(corner.vertex)] + offset;
    made.vertex = corner.vertex;
    made.edge = corner.edge;
  }
}

void facePolygon(const PlacedShape& shape, int face, const Vec3& origin, Polygon& out) {
  faceCorners(shape, face, origin, out);
  if (shape.kind == ShapeKind::kBox) {
    // Edges 4a to 4a + 3 run along axis a, and a face has those of two axes in turn.
    const auto across = [&](const Polygon::Corner& corner) -> Vec3 {
      return shape.rotation.col(corner.edge / 4).cross(out.normal);
    };
    const Vec3 sides[2] = {across(out.corners[0]), across(out.corners[1])};
    for (std::size_t k = 0; k < 4; ++k) {
      Polygon::Corner& corner = out.corners[k];
      const bool isFrom =
          shape.polytope->edges[static_cast<std::size_t>(corner.edge)].from == corner.vertex;
      corner.side = isFrom ? sides[k % 2] : Vec3(-sides[k % 2]);
    }
    return;
  }
  for (Polygon::Corner& corner : out.corners) {
    const Polytope::Edge& edge = shape.polytope->edges[static_cast<std::size_t>(corner.edge)];
    const Vec3 along = shape.rotation * edge.direction;
    corner.side = edge.from == corner.vertex ? along.cross(out.normal) : out.normal.cross(along);
  }
}

void polytopeFeature(const PlacedShape& shape, const Vec3& direction, const Vec3& origin,
                     Polygon& out) {
  const Polytope& polytope = *shape.polytope;
  const Vec3 local = shape.rotation.transpose() * direction;
  int face = -1;
  Real straightest = kSquareCosine;
  for (std::size_t f = 0; f < polytope.faces.size(); ++f) {
    const Real cosine = polytope.faces[f].normal.dot(local);
    if (cosine <= straightest) continue;
    straightest = cosine;
    face = static_cast<int>(f);
  }
  if (face >= 0) {
    facePolygon(shape, face, origin, out);
    return;
  }
  const int vertex = polytope.supportVertex(local);
  Real squarest = kSquareSine;
  const Polytope::Edge* edge = nullptr;
  for (const Polytope::Edge& candidate : polytope.edges) {
    if (candidate.from != vertex && candidate.to != vertex) continue;
    const Real sine = std::abs(candidate.direction.dot(local));
    if (sine >= squarest) continue;
    squarest = sine;
    edge = &candidate;
  }
  const auto placed = [&](int v) -> Vec3 {
    return shape.rotation * polytope.vertices[static_cast<std::size_t>(v)] +
           (shape.position - origin);
  };
  if (edge == nullptr) {
    out.setPoint(placed(vertex), vertex);
  } else {
    out.setEdge(placed(edge->from), edge->from, placed(edge->to), edge->to,
                static_cast<int>(edge - polytope.edges.data()));
  }
}

// Convex polyhedron as an intersection of half-spaces (Cyrus and Beck 1978).
void castPolytope(const PlacedShape& shape, RayCast& cast) {
  Real enter = -1, leave = 1;
  const Polytope::Face* entered = nullptr;
  for (const Polytope::Face& face : shape.polytope->faces) {
    const Real height = face.normal.dot(cast.from) - face.offset;
    const Real speed = face.normal.dot(cast.d);
    if (speed == 0) {
      if (height > 0) return;
      continue;
    }
    const Real t = -height / speed;
    if (speed > 0) {
      leave = std::min(leave, t);
    } else if (t > enter) {
      enter = t;
      entered = &face;
    }
  }
  if (entered != nullptr && enter <= leave) cast.offer(enter, entered->normal);
}

void polytopePoints(const PlacedShape& shape, const Vec3&, PointReceiver& out) {
  for (std::size_t i = 0; i < shape.polytope->vertices.size(); ++i) {
    out.add(shape.position + shape.rotation * shape.polytope->vertices[i], static_cast<int>(i));
  }
}

Real polytopeThickness(const PlacedShape& shape) { return shape.polytope->size; }

}  // namespace drystone
