// How deep a convex shape reaches through one triangle, measured straight along the triangle's
// normal. Over the part of the triangle that lies inside the shape this depth is a concave function
// of the point, and outside of it the gauge of the shape is a convex one: so a climb from any point
// of the triangle finds that part, and the deepest point of it.
#include <algorithm>
#include <cmath>

#include "collision/narrow/pairs.h"
#include "collision/narrow/triangle_surface.h"

namespace drystone::narrow {
namespace {

constexpr int kSides = 8;                            ///< of every step of the climb
constexpr Real kFirstStep = 0.25, kLastStep = 1e-4;  ///< relative to the longest edge
constexpr int kMostMoves = 200;
/// How far to pull the start towards the middle of the triangle, relative to the way there.
constexpr Real kPullIn = 1e-5;

/// A point inside a shape: its frame's origin, but of hulls the mean of the vertices.
Vec3 centerOf(const PlacedShape& convex) {
  if (convex.kind != ShapeKind::kHull) return convex.position;
  Vec3 sum = Vec3::Zero();
  for (const Vec3& vertex : convex.polytope->vertices) sum += vertex;
  return convex.position +
         convex.rotation * (sum / static_cast<Real>(convex.polytope->vertices.size()));
}

/// The point of a segment that is nearest to the one from `center - half` to `center + half`, or
/// nearly so where the ends count.
Vec3 nearestTo(const Vec3& from, const Vec3& to, const Vec3& center, const Vec3& half) {
  const Vec3 along = to - from, d = center - from;
  const Real aa = along.squaredNorm(), bb = half.squaredNorm(), ab = along.dot(half);
  const Real determinant = aa * bb - ab * ab;
  Real t = 0;  // along the other
  if (determinant > 1e-12 * aa * bb) {
    t = std::clamp((ab * d.dot(along) - aa * d.dot(half)) / determinant, Real(-1), Real(1));
  }
  const Real s = std::clamp((d + t * half).dot(along) / aa, Real(0), Real(1));
  return from + s * along;
}

/// Points of the triangle at which it is likely to lie inside the shape: where the axis of a round
/// shape crosses it or the point given, the points of its edges nearest to the axis (or the middle
/// of other shapes), and its own middle.
std::array<Vec3, 5> startsOf(const PlacedShape& convex, const std::array<Vec3, 3>& corners,
                             const Vec3& given) {
  const Vec3 center = centerOf(convex);
  const Vec3 half = convex.halfAxis * convex.axis(2);
  std::array<Vec3, 5> starts = {given, nearestTo(corners[0], corners[1], center, half),
                                nearestTo(corners[1], corners[2], center, half),
                                nearestTo(corners[2], corners[0], center, half),
                                (corners[0] + corners[1] + corners[2]) / 3};
  if (convex.halfAxis > 0) {
    const auto crossed = castRay(corners, center - half, center + half);
    if (crossed) starts[0] = center + (2 * crossed->fraction - 1) * half;
  }
  return starts;
}

/// The depth below the points of a triangle (world corners).
class FaceDepth {
 public:
  FaceDepth(const PlacedShape& convex, const std::array<Vec3, 3>& corners, const Vec3& normal)
      : convex_(convex), corners_(corners), normal_(normal), center_(centerOf(convex)) {
    const Vec3 lowest = convex.position + support(convex, -normal, false);
    reach_ = 1.01 * normal.dot(corners[0] - lowest);
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 edge = corners[(k + 1) % 3] - corners[k];
      longest_ = std::max(longest_, edge.norm());
      sides_[k] = edge.cross(triangleNormal(corners));
    }
  }

  Real longestEdge() const { return longest_; }

  /// Inside the shape the depth [m]; outside a number that rises to zero towards it.
  Real at(const Vec3& point) const {
    for (std::size_t k = 0; k < 3; ++k) {
      if (sides_[k].dot(point - corners_[k]) > kRounding * longest_ * longest_) return -1e300;
    }
    const Real outside = gauge(point) - 1;
    if (outside >= 0) return -outside;
    const Vec3 below = point - reach_ * normal_;
    const auto entered = castRay(convex_, below, point);
    return entered ? (1 - entered->fraction) * reach_ : 0;
  }

 private:
  static constexpr Real kRounding = 1e-9;

  /// By how much the shape would have to grow around its center to reach the point.
  Real gauge(const Vec3& point) const {
    const Real distance = (point - center_).norm();
    if (distance < 1e-12) return 0;
    const Vec3 towards = (point - center_) / distance;
    const Real far =
        1.01 * towards.dot(convex_.position + support(convex_, towards, false) - center_);
    const auto hit = castRay(convex_, center_ + far * towards, center_);
    return hit ? distance / ((1 - hit->fraction) * far) : 1e300;
  }

  const PlacedShape& convex_;
  const std::array<Vec3, 3>& corners_;
  Vec3 normal_, center_;
  std::array<Vec3, 3> sides_;
  Real reach_ = 0, longest_ = 0;
};

/// Climbs to a point of larger value by steps to all sides, until the value exceeds `enough`. Steps
/// grow while they gain, for the way along the ridge that a thin shape makes may be long.
Real climb(const FaceDepth& depth, const Vec3& normal, Real enough, Vec3& point) {
  Real value = depth.at(point);
  const Vec3 u = normal.unitOrthogonal(), v = normal.cross(u);
  Real step = kFirstStep * depth.longestEdge();
  const Real last = kLastStep * depth.longestEdge();
  for (int move = 0; move < kMostMoves && step > last && value <= enough; ++move) {
    const Vec3 from = point;
    for (int k = 0; k < kSides; ++k) {
      // The sides turn from step to step, so that a ridge between two slopes does not hold it up.
      const Real angle = 0.3 * move + 2 * 3.14159265358979 / kSides * k;
      const Vec3 next = from + step * (std::cos(angle) * u + std::sin(angle) * v);
      const Real reached = depth.at(next);
      if (reached <= value) continue;
      value = reached;
      point = next;
    }
    step *= point != from ? 1.5 : 0.5;
  }
  return value;
}

}  // namespace

void collideThroughFace(const PlacedShape& convex, const std::array<Vec3, 3>& corners,
                        const LostOverlap& lost, Manifold& out) {
  out.clear();
  Vec3 normal = triangleNormal(corners);
  // A normal over an edge, which all triangles left to others, tells nothing of the side.
  if (normal.dot(centerOf(convex) - corners[0]) < 0) normal = -normal;
  const FaceDepth depth(convex, corners, normal);
  const Vec3 middle = (corners[0] + corners[1] + corners[2]) / 3;
  bool isInside = false;
  Vec3 point;
  for (const Vec3& start : startsOf(convex, corners, lost.start)) {
    point = start - normal.dot(start - corners[0]) * normal;
    // Found points may lie outside the triangle by their rounding.
    point += kPullIn * (middle - point);
    isInside = climb(depth, normal, 0, point) > 0;
    if (isInside) break;
  }
  if (!isInside) return;
  const Real deepest = climb(depth, normal, 1e300, point);
  out.normal = -normal;
  out.add(point - 0.5 * deepest * normal, -deepest, featureKey(FeatureKind::kSpecial, 0, 0));
}

}  // namespace drystone::narrow
