#include "collision/narrow/polytope.h"

#include <algorithm>
#include <limits>

#include "core/check.h"

namespace drystone::narrow {
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

Polytope::Edge makeEdge(const std::vector<Vec3>& vertices, int from, int to, const Vec3& normalA,
                        const Vec3& normalB) {
  const Vec3& a = vertices[static_cast<std::size_t>(from)];
  const Vec3& b = vertices[static_cast<std::size_t>(to)];
  return {from, to, (b - a).normalized(), normalA, normalB, (normalA + normalB).normalized()};
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
      box.edges.push_back(makeEdge(box.vertices, from, from | 1 << axis,
                                   Vec3::Unit(axis1) * (2 * s1 - 1),
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
                                      hull.faceNormals[static_cast<std::size_t>(faceA)],
                                      hull.faceNormals[static_cast<std::size_t>(faceB)]));
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
    Polytope::Edge edge = makeEdge(out.vertices, k, next, normal, -normal);
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

}  // namespace drystone::narrow
