#include "collision/narrow/distance.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "collision/narrow/pairs.h"

namespace drystone::narrow {
namespace {

/// When the bounds of the depth are close enough: relative to the depth (what follows refines the
/// direction locally), and to the thickness.
constexpr Real kOverlapRelative = 0.01;
constexpr Real kAbsolute = 1e-6;
/// A point counts as in a face's plane within this, relative to the coordinates: rounding.
constexpr Real kOverlapRounding = 1e-14;

/// Inner approximation of A - B by a triangulated convex polyhedron of support points.
class Expansion {
 public:
  static constexpr int kVertices = 64;

  struct Face {
    Vec3 normal;    ///< unit, outwards
    Real distance;  ///< of the plane from the origin; negative: the origin is outside
    std::array<std::int16_t, 3> vertex;    ///< counter-clockwise from outside
    std::array<std::int16_t, 3> neighbor;  ///< beyond the edge from vertex k to k + 1
    bool isAlive;
  };

  Expansion(const PlacedShape& a, const PlacedShape& b)
      : a_(a), b_(b), offset_(b.position - a.position) {}

  /// Adds the support point along the direction and returns its number.
  int addSupport(const Vec3& direction) {
    onA_[count_] = support(a_, direction, false);
    point_[count_] = onA_[count_] - (offset_ + support(b_, -direction, false));
    extent_ = std::max(extent_, point_[count_].cwiseAbs().maxCoeff());
    return count_++;
  }

  /// A tetrahedron with a volume; each new point is the farther one of the two sides.
  void start(const Vec3& direction) {
    addSupport(direction);
    addSupport(-direction);
    const Vec3 line = point_[1] - point_[0];
    addFarther(line.unitOrthogonal(), point_[0]);
    addFarther(line.cross(point_[2] - point_[0]).normalized(), point_[0]);
    const bool isTurned = line.cross(point_[2] - point_[0]).dot(point_[3] - point_[0]) > 0;
    const auto second = static_cast<std::int16_t>(isTurned ? 2 : 1);
    const auto third = static_cast<std::int16_t>(isTurned ? 1 : 2);
    addFace(0, second, third);
    addFace(0, 3, second);
    addFace(second, 3, third);
    addFace(third, 3, 0);
    face_[0].neighbor = {1, 2, 3};
    face_[1].neighbor = {3, 2, 0};
    face_[2].neighbor = {1, 3, 0};
    face_[3].neighbor = {2, 1, 0};
  }

  int nearestFace() const {
    int nearest = -1;
    for (int f = 0; f < faceCount_; ++f) {
      if (face_[f].isAlive && (nearest < 0 || face_[f].distance < face_[nearest].distance)) {
        nearest = f;
      }
    }
    return nearest;
  }

  bool isFull() const { return count_ == kVertices; }
  const Vec3& point(int i) const { return point_[i]; }
  const Face& face(int i) const { return face_[i]; }

  /// Takes the vertex into the polyhedron: the faces that see it make way for a fan around it.
  /// Returns false where rounding tears their outline; the polyhedron is useless then.
  bool expand(int seen, int vertex) {
    removeSeen(seen, point_[vertex]);
    std::fill(startingAt_, startingAt_ + count_, std::int16_t(-1));
    for (int e = 0; e < outlineCount_; ++e) {
      OutlineEdge& edge = outline_[e];
      if (startingAt_[edge.from] >= 0) return false;
      edge.face = addFace(edge.from, edge.to, static_cast<std::int16_t>(vertex));
      startingAt_[edge.from] = edge.face;
    }
    for (int e = 0; e < outlineCount_; ++e) {
      const OutlineEdge& edge = outline_[e];
      const std::int16_t next = startingAt_[edge.to];
      if (next < 0) return false;
      face_[edge.face].neighbor[0] = edge.outer;
      face_[edge.face].neighbor[1] = next;
      face_[next].neighbor[2] = edge.face;
      face_[edge.outer].neighbor[edge.outerSide] = edge.face;
    }
    return outlineCount_ >= 3;
  }

  /// The points of A and B whose difference is the face's point nearest to the origin.
  void witnesses(const Face& face, Vec3& onA, Vec3& onB) const {
    const Vec3 foot = face.distance * face.normal;
    std::array<Real, 3> weight;
    Real sum = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3& p = point_[face.vertex[(k + 1) % 3]];
      const Vec3& q = point_[face.vertex[(k + 2) % 3]];
      weight[k] = std::max(Real(0), face.normal.dot((p - foot).cross(q - foot)));
      sum += weight[k];
    }
    onA.setZero();
    Vec3 difference = Vec3::Zero();
    for (std::size_t k = 0; k < 3; ++k) {
      const Real share = sum > 0 ? weight[k] / sum : 1.0 / 3;
      onA += share * onA_[face.vertex[k]];
      difference += share * point_[face.vertex[k]];
    }
    onB = onA - difference;
  }

 private:
  static constexpr int kFaces = 2 * kVertices;

  struct OutlineEdge {
    std::int16_t from, to;  ///< vertices, in the direction of the face that went
    std::int16_t outer, outerSide;
    std::int16_t face;
  };

  void addFarther(const Vec3& direction, const Vec3& from) {
    const int up = addSupport(direction), down = addSupport(-direction);
    const Real above = direction.dot(point_[up] - from);
    const Real below = direction.dot(from - point_[down]);
    if (below > above) {
      point_[up] = point_[down];
      onA_[up] = onA_[down];
    }
    --count_;
  }

  std::int16_t addFace(std::int16_t u, std::int16_t v, std::int16_t w) {
    const std::int16_t index = freeCount_ > 0 ? free_[--freeCount_] : faceCount_++;
    Face& face = face_[index];
    face.vertex = {u, v, w};
    face.isAlive = true;
    face.normal = (point_[v] - point_[u]).cross(point_[w] - point_[u]);
    const Real area = face.normal.norm();
    face.normal /= area > 0 ? area : 1;
    // A face without area hides nothing.
    face.distance = area > 0 ? face.normal.dot(point_[u]) : 1e300;
    return index;
  }

  /// Takes out the faces that see the point, and lists the edges around them.
  void removeSeen(int first, const Vec3& viewpoint) {
    const Real rounding = kOverlapRounding * extent_;
    outlineCount_ = 0;
    stack_[0] = static_cast<std::int16_t>(first);
    int depth = 1;
    face_[first].isAlive = false;
    int removed = 0;
    while (depth > 0) {
      const std::int16_t index = stack_[--depth];
      const Face& face = face_[index];
      removed_[removed++] = index;
      for (std::size_t k = 0; k < 3; ++k) {
        Face& beyond = face_[face.neighbor[k]];
        if (beyond.isAlive && beyond.normal.dot(viewpoint) - beyond.distance > rounding) {
          beyond.isAlive = false;
          stack_[depth++] = face.neighbor[k];
        }
      }
    }
    for (int r = 0; r < removed; ++r) addToOutline(removed_[r]);
    for (int r = removed - 1; r >= 0; --r) free_[freeCount_++] = removed_[r];
  }

  void addToOutline(std::int16_t index) {
    const Face& face = face_[index];
    for (std::size_t k = 0; k < 3; ++k) {
      const Face& beyond = face_[face.neighbor[k]];
      if (!beyond.isAlive) continue;
      const std::int16_t from = face.vertex[k], to = face.vertex[(k + 1) % 3];
      // The neighbour runs along their edge the other way.
      const auto side = std::find(beyond.vertex.begin(), beyond.vertex.end(), to);
      outline_[outlineCount_++] = {from, to, face.neighbor[k],
                                   static_cast<std::int16_t>(side - beyond.vertex.begin()), 0};
    }
  }

  const PlacedShape& a_;
  const PlacedShape& b_;
  Vec3 offset_;
  Real extent_ = 0;
  int count_ = 0;
  std::int16_t faceCount_ = 0;
  int freeCount_ = 0, outlineCount_ = 0;
  Vec3 point_[kVertices], onA_[kVertices];
  Face face_[kFaces];
  std::int16_t free_[kFaces], stack_[kFaces], removed_[kFaces];
  OutlineEdge outline_[3 * kFaces];
  std::int16_t startingAt_[kVertices];
};

}  // namespace

LeastOverlap leastOverlap(const PlacedShape& a, const PlacedShape& b) {
  Vec3 line = b.position - a.position;
  if (line.squaredNorm() < 1e-24) line = Vec3::UnitZ();
  Expansion inner(a, b);
  inner.start(line.normalized());
  const Real tolerance = kAbsolute * thickness(a, b);
  LeastOverlap best;
  Real leastDepth = 1e300;
  while (true) {
    const int seen = inner.nearestFace();
    const Expansion::Face nearest = inner.face(seen);
    const int vertex = inner.addSupport(nearest.normal);
    const Real depth = nearest.normal.dot(inner.point(vertex));
    if (depth < leastDepth) {
      leastDepth = depth;
      best.normal = nearest.normal;
    }
    if (leastDepth - nearest.distance <= std::max(kOverlapRelative * leastDepth, tolerance) ||
        leastDepth < 0 || inner.isFull() || !inner.expand(seen, vertex)) {
      inner.witnesses(nearest, best.onA, best.onB);
      best.gap = -leastDepth;
      return best;
    }
  }
}

}  // namespace drystone::narrow
