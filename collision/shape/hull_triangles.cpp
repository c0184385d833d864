// Quickhull (Barber, Dobkin, Huhdanpaa 1996) on an integer grid. Rounding is what breaks hull
// codes: a point that sees a face but not the one beside it, by an error of the last bit, leaves a
// horizon that is no loop. Here points are first rounded to a grid of 2^40 cells a side, 1e-12 of
// the size, and every side test is then an exact 128-bit determinant, so the surface stays a closed
// convex polyhedron whatever the input.
#include "collision/shape/hull.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/check.h"
#include "core/input_error.h"

namespace drystone::detail {
namespace {

__extension__ using Int128 = __int128;

// Differences of coordinates stay below 2^40, a 3×3 determinant of them below 6 · 2^120 < 2^127.
constexpr Real kGridCells = 0x1p40;

// Share of the hull's size by which points may miss a plane and still make one flat face. Text
// formats carry six digits: a side that was planar in the modeller comes back off by 1e-6.
constexpr Real kFlatness = 1e-6;
// On a thin body that would be no longer flat but a good part of it, so there: of its thickness.
constexpr Real kThinFlatness = 1e-3;

struct GridPoint {
  std::int64_t x = 0, y = 0, z = 0;
};

struct GridVector {
  Int128 x = 0, y = 0, z = 0;
};

GridVector difference(const GridPoint& a, const GridPoint& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}

GridVector cross(const GridVector& a, const GridVector& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

Int128 dot(const GridVector& a, const GridVector& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

Real norm(const GridVector& a) {
  return Vec3(static_cast<Real>(a.x), static_cast<Real>(a.y), static_cast<Real>(a.z)).norm();
}

struct Face {
  std::array<int, 3> corners{};
  std::array<int, 3> neighbors{};
  GridVector normal;  ///< not normalised, exact
  Real normalLength = 0;
  std::vector<int> outside;  ///< points that see this face and wait for it
  bool alive = true;
};

struct HorizonEdge {
  int from = 0, to = 0;
  int beyond = 0;  ///< the face that stays
};

class Quickhull {
 public:
  Quickhull(const std::vector<Vec3>& points, Real size) : cellSize_(size / kGridCells) {
    Vec3 low = points.front();
    for (const Vec3& point : points) low = low.cwiseMin(point);
    grid_.reserve(points.size());
    for (const Vec3& point : points) {
      const Vec3 cells = (point - low) / size * kGridCells;
      grid_.push_back({std::llround(cells.x()), std::llround(cells.y()), std::llround(cells.z())});
    }
    faceFrom_.assign(points.size(), -1);
  }

  HullTriangles run() {
    buildSimplex();
    while (!pending_.empty()) {
      const int face = pending_.back();
      pending_.pop_back();
      if (faces_[face].alive && !faces_[face].outside.empty()) grow(face);
    }
    return compact();
  }

 private:
  /// Six times the volume of the tetrahedron of face and point; positive: the point sees the face.
  Int128 side(const Face& face, int point) const {
    return dot(face.normal, difference(grid_[point], grid_[face.corners[0]]));
  }

  /// Distance of a point above a face [cells].
  Real height(const Face& face, int point) const {
    return static_cast<Real>(side(face, point)) / face.normalLength;
  }

  int addFace(int a, int b, int c) {
    Face face;
    face.corners = {a, b, c};
    face.normal = cross(difference(grid_[b], grid_[a]), difference(grid_[c], grid_[a]));
    face.normalLength = norm(face.normal);
    faces_.push_back(std::move(face));
    return static_cast<int>(faces_.size()) - 1;
  }

  template <class Measure>
  int farthest(Measure measure) const {
    int best = 0;
    Real bestValue = measure(0);
    for (int i = 1; i < static_cast<int>(grid_.size()); ++i) {
      const Real value = measure(i);
      if (value > bestValue) {
        best = i;
        bestValue = value;
      }
    }
    return best;
  }

  void buildSimplex() {
    const auto distance = [&](int i, int j) { return norm(difference(grid_[i], grid_[j])); };
    const int a = farthest([&](int i) { return distance(i, 0); });
    const int b = farthest([&](int i) { return distance(i, a); });
    const GridVector axis = difference(grid_[b], grid_[a]);
    const auto area = [&](int i) { return norm(cross(axis, difference(grid_[i], grid_[a]))); };
    const int c = farthest(area);
    const Real width = area(c) / norm(axis);
    if (width <= kFlatness * kGridCells) throwFlat("line", width);
    const GridVector normal = cross(axis, difference(grid_[c], grid_[a]));
    const auto volume = [&](int i) {
      return std::abs(static_cast<Real>(dot(normal, difference(grid_[i], grid_[a]))));
    };
    const int d = farthest(volume);
    const Real thickness = volume(d) / norm(normal);
    if (thickness <= kFlatness * kGridCells) throwFlat("plane", thickness);
    toleranceCells_ = std::min(kFlatness * kGridCells, kThinFlatness * thickness);

    const bool above = dot(normal, difference(grid_[d], grid_[a])) > 0;
    const std::array<int, 4> v = above ? std::array{a, c, b, d} : std::array{a, b, c, d};
    addFace(v[0], v[1], v[2]);
    addFace(v[0], v[3], v[1]);
    addFace(v[1], v[3], v[2]);
    addFace(v[2], v[3], v[0]);
    faces_[0].neighbors = {1, 2, 3};
    faces_[1].neighbors = {3, 2, 0};
    faces_[2].neighbors = {1, 3, 0};
    faces_[3].neighbors = {2, 1, 0};
    for (int point = 0; point < static_cast<int>(grid_.size()); ++point) assign(point, 0);
  }

  [[noreturn]] void throwFlat(const char* what, Real cells) const {
    throw InputError(
        fmt::format("hull: the points do not span a volume, they lie within {:.3g} m of a {} (at "
                    "least {:.3g} m "
                    "is needed); give points off it, or use a box for a thin plate",
                    cells * cellSize_, what, kFlatness * kGridCells * cellSize_));
  }

  /// Hands a point to the face, from `firstFace` on, that it is farthest above, if there is one.
  void assign(int point, int firstFace) {
    int best = -1;
    Real bestHeight = 0;
    for (int f = firstFace; f < static_cast<int>(faces_.size()); ++f) {
      if (!faces_[f].alive) continue;
      const Real above = height(faces_[f], point);
      if (above > bestHeight) {
        best = f;
        bestHeight = above;
      }
    }
    if (best < 0) return;
    faces_[best].outside.push_back(point);
    pending_.push_back(best);
  }

  /// Adds the farthest of the points that wait for a face to the hull. Points too close to matter
  /// are dropped.
  void grow(int start) {
    orphans_ = std::move(faces_[start].outside);
    faces_[start].outside.clear();
    int apex = *std::max_element(orphans_.begin(), orphans_.end(), [&](int p, int q) {
      return side(faces_[start], p) < side(faces_[start], q);
    });
    if (height(faces_[start], apex) <= toleranceCells_) {
      std::erase_if(orphans_, [&](int point) { return isClose(point, start); });
      if (orphans_.empty()) return;
      apex = orphans_.front();
    }
    findHorizon(start, apex);
    replaceVisible(apex);
  }

  /// Within the tolerance of the hull's surface. Height above planes does not tell: beyond a sharp
  /// edge a point can be far away and still hardly above the two planes that meet there.
  bool isClose(int point, int likelyFace) const {
    if (distance(faces_[likelyFace], point) <= toleranceCells_) return true;
    return std::ranges::any_of(faces_, [&](const Face& face) {
      return face.alive && distance(face, point) <= toleranceCells_;
    });
  }

  /// Distance of a point from a triangle [cells].
  Real distance(const Face& face, int point) const {
    const Vec3 p = position(point);
    const Vec3 normal(static_cast<Real>(face.normal.x), static_cast<Real>(face.normal.y),
                      static_cast<Real>(face.normal.z));
    bool above = true;
    Real toEdges = std::numeric_limits<Real>::infinity();
    for (int i = 0; i < 3; ++i) {
      const Vec3 a = position(face.corners[i]);
      const Vec3 edge = position(face.corners[(i + 1) % 3]) - a;
      const Real along = std::clamp<Real>(edge.dot(p - a) / edge.squaredNorm(), 0, 1);
      toEdges = std::min(toEdges, (a + along * edge - p).norm());
      above = above && normal.dot(edge.cross(p - a)) >= 0;
    }
    return above ? std::abs(height(face, point)) : toEdges;
  }

  Vec3 position(int point) const {
    const GridPoint& p = grid_[point];
    return {static_cast<Real>(p.x), static_cast<Real>(p.y), static_cast<Real>(p.z)};
  }

  /// Removes the faces that the apex sees, and collects their boundary and waiting points. Faces in
  /// one plane with the apex stay, so no new triangle is degenerate.
  void findHorizon(int start, int apex) {
    horizon_.clear();
    visible_ = {start};
    faces_[start].alive = false;
    for (std::size_t next = 0; next < visible_.size(); ++next) {
      Face& face = faces_[visible_[next]];
      orphans_.insert(orphans_.end(), face.outside.begin(), face.outside.end());
      face.outside.clear();
      for (int i = 0; i < 3; ++i) {
        const int neighbor = face.neighbors[i];
        if (!faces_[neighbor].alive) continue;
        if (side(faces_[neighbor], apex) > 0) {
          faces_[neighbor].alive = false;
          visible_.push_back(neighbor);
        }
      }
    }
    for (int f : visible_) {
      for (int i = 0; i < 3; ++i) {
        const Face& face = faces_[f];
        if (!faces_[face.neighbors[i]].alive) continue;
        horizon_.push_back({face.corners[i], face.corners[(i + 1) % 3], face.neighbors[i]});
      }
    }
  }

  void replaceVisible(int apex) {
    const int first = static_cast<int>(faces_.size());
    for (const HorizonEdge& edge : horizon_) {
      const int f = addFace(edge.from, edge.to, apex);
      DRYSTONE_ASSERT(faces_[f].normalLength > 0);
      faceFrom_[edge.from] = f;
      faces_[f].neighbors[0] = edge.beyond;
      Face& beyond = faces_[edge.beyond];
      for (int i = 0; i < 3; ++i) {
        if (beyond.corners[i] == edge.to && beyond.corners[(i + 1) % 3] == edge.from) {
          beyond.neighbors[i] = f;
        }
      }
    }
    // The horizon is a simple loop: the face after this one starts where this one's edge ends.
    for (int f = first; f < static_cast<int>(faces_.size()); ++f) {
      const int after = faceFrom_[faces_[f].corners[1]];
      faces_[f].neighbors[1] = after;
      faces_[after].neighbors[2] = f;
    }
    for (int point : orphans_) {
      if (point != apex) assign(point, first);
    }
  }

  HullTriangles compact() const {
    std::vector<int> newIndex(faces_.size(), -1);
    HullTriangles hull;
    hull.tolerance = toleranceCells_ * cellSize_;
    for (std::size_t f = 0; f < faces_.size(); ++f) {
      if (!faces_[f].alive) continue;
      newIndex[f] = static_cast<int>(hull.corners.size());
      hull.corners.push_back(faces_[f].corners);
    }
    for (const Face& face : faces_) {
      if (!face.alive) continue;
      hull.neighbors.push_back(
          {newIndex[face.neighbors[0]], newIndex[face.neighbors[1]], newIndex[face.neighbors[2]]});
    }
    return hull;
  }

  Real cellSize_;            ///< [m]
  Real toleranceCells_ = 0;  ///< HullTriangles::tolerance
  std::vector<GridPoint> grid_;
  std::vector<Face> faces_;
  std::vector<int> pending_;  ///< faces with points outside
  std::vector<int> visible_;
  std::vector<int> orphans_;  ///< points whose face was removed
  std::vector<HorizonEdge> horizon_;
  std::vector<int> faceFrom_;  ///< by point: the newest face whose horizon edge starts there
};

}  // namespace

HullTriangles triangulateHull(const std::vector<Vec3>& points, Real size) {
  return Quickhull(points, size).run();
}

}  // namespace drystone::detail
