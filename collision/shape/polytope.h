#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "collision/shape/shape.h"
#include "core/types.h"

namespace drystone {

struct PlacedShape;
struct Polygon;
struct RayCast;
class PointReceiver;

/// Convex polyhedron in its own frame with flat arrays: what separating axes and clipping need of
/// boxes, hulls and (as a body with two faces and no thickness) triangles.
struct Polytope {
  struct Face {
    Vec3 normal = Vec3::Zero();  ///< unit, outwards
    Real offset = 0;             ///< normal · vertex [m]
    int begin = 0, count = 0;    ///< range in `loop`, counter-clockwise from outside
  };
  /// One corner of a face: its vertex and the edge that leads to the next corner.
  struct Corner {
    int vertex = 0;
    int edge = 0;
  };
  struct Edge {
    int from = 0, to = 0;
    int faceA = 0, faceB = 0;       ///< the arc of outward normals at this edge ends at theirs
    Vec3 direction = Vec3::Zero();  ///< unit
    Vec3 cross = Vec3::Zero();      ///< normal of face B × that of face A; zero of a triangle
    /// A direction inside the arc: tells which half circle a triangle's edge has.
    Vec3 normalMid = Vec3::Zero();
  };

  std::vector<Vec3> vertices;
  std::vector<Face> faces;
  std::vector<Corner> loop;
  std::vector<Edge> edges;
  Real size = 0;        ///< smallest extent that tolerances are relative to [m]
  bool isFlat = false;  ///< a triangle: normals of an edge span half a circle

  /// Index of the vertex farthest along `direction` (lowest index among equals).
  int supportVertex(const Vec3& direction) const;
};

/// A box of the given half extents. Vertex i has its x, y, z at +h where bits 0, 1, 2 of i are set;
/// face 2a + s is the one at ±axis a (s = 1: +); edge 4a + s1 + 2 s2 runs along axis a at the signs
/// of the axes a+1 and a+2.
Polytope makeBoxPolytope(const Vec3& halfExtents);
Polytope makeHullPolytope(const HullData& hull);
/// Makes `out` the triangle; keeps its memory.
void setTriangle(const std::array<Vec3, 3>& corners, Polytope& out);

/// Writes face `face` of a box or polytope, its points relative to `origin`.
void facePolygon(const PlacedShape& shape, int face, const Vec3& origin, Polygon& out);
/// The same without the sides, which only a reference of clipping needs.
void faceCorners(const PlacedShape& shape, int face, const Vec3& origin, Polygon& out);

// Operations that boxes and hulls share; ShapeOperations says what they are.
void polytopeFeature(const PlacedShape& shape, const Vec3& direction, const Vec3& origin,
                     Polygon& out);
void polytopePoints(const PlacedShape& shape, const Vec3& direction, PointReceiver& out);
void castPolytope(const PlacedShape& shape, RayCast& cast);
Real polytopeThickness(const PlacedShape& shape);

}  // namespace drystone
