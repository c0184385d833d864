// Faces that lie on each other touch in the polygon that they share. All contact points together
// span it, and the four that are kept hold most of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/random.h"
#include "tests/support/constants.h"
#include "tests/unit/collision/collision_fixture.h"

namespace drystone {
namespace {

using Vec2 = Eigen::Matrix<Real, 2, 1>;
using Corners = std::vector<Vec2>;  ///< convex, counter-clockwise

constexpr int kPoses = 2000;
constexpr Real kHeight = 0.5;

Real cross(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }

/// A rectangle or, with other numbers of corners, a polygon with all of them on an ellipse.
Corners makeCorners(Random& random) {
  const int count = 3 + static_cast<int>(random.uniform() * 10);
  const Real wide = random.uniform(0.3, 1), deep = random.uniform(0.3, 1);
  if (count == 4) return {{-wide, -deep}, {wide, -deep}, {wide, deep}, {-wide, deep}};
  Corners corners;
  for (int k = 0; k < count; ++k) {
    const Real angle = 2 * test::kPi * (k + 0.3 * random.uniform()) / count;
    corners.emplace_back(wide * std::cos(angle), deep * std::sin(angle));
  }
  return corners;
}

/// The upright prism over the corners: a box for four.
Shape makePrism(const Corners& corners) {
  if (corners.size() == 4) return Box{{corners[1].x(), corners[2].y(), kHeight}};
  std::vector<Vec3> points;
  for (const Vec2& corner : corners) {
    for (const Real z : {-kHeight, kHeight}) points.emplace_back(corner.x(), corner.y(), z);
  }
  return makeHull(points);
}

bool isInside(const Vec2& point, const Corners& corners) {
  for (std::size_t k = 0; k < corners.size(); ++k) {
    const Vec2& from = corners[k];
    if (cross(corners[(k + 1) % corners.size()] - from, point - from) < 0) return false;
  }
  return true;
}

/// Points whose convex hull is what two polygons share: corners of each within the other, and all
/// crossings of their sides.
Corners sharedPoints(const Corners& a, const Corners& b) {
  Corners shared;
  for (const Vec2& point : a) {
    if (isInside(point, b)) shared.push_back(point);
  }
  for (const Vec2& point : b) {
    if (isInside(point, a)) shared.push_back(point);
  }
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Vec2 alongA = a[(i + 1) % a.size()] - a[i];
    for (std::size_t j = 0; j < b.size(); ++j) {
      const Vec2 alongB = b[(j + 1) % b.size()] - b[j], between = b[j] - a[i];
      const Real turn = cross(alongA, alongB);
      if (turn == 0) continue;
      const Real s = cross(between, alongB) / turn, t = cross(between, alongA) / turn;
      if (s >= 0 && s <= 1 && t >= 0 && t <= 1) shared.push_back(a[i] + s * alongA);
    }
  }
  return shared;
}

Real supportOf(const Corners& points, const Vec2& direction) {
  Real farthest = -1e300;
  for (const Vec2& point : points) farthest = std::max(farthest, direction.dot(point));
  return farthest;
}

/// The area of the convex hull of points in any order: that of the polygon of the points that are
/// farthest along directions half a degree apart, less than a thousandth too small.
Real areaOf(const Corners& points) {
  constexpr int kDirections = 720;
  std::vector<Vec2> corners;
  for (int k = 0; k < kDirections; ++k) {
    const Vec2 direction = Eigen::Rotation2D<Real>(2 * test::kPi * k / kDirections) * Vec2::UnitX();
    corners.push_back(*std::ranges::max_element(
        points, {}, [&](const Vec2& point) { return direction.dot(point); }));
  }
  Real area = 0;
  for (std::size_t k = 0; k < corners.size(); ++k) {
    area += 0.5 * cross(corners[k], corners[(k + 1) % corners.size()]);
  }
  return area;
}

/// Two prisms, B on top of A at a small gap.
struct Stacked {
  Corners a, b;  ///< both in A's plane
  Shape shapeA, shapeB;
  Pose poseB;

  explicit Stacked(int index) {
    Random random(static_cast<std::uint64_t>(index));
    const Corners own = makeCorners(random), other = makeCorners(random);
    a = own;
    const Real angle = random.uniform(0, 2 * test::kPi);
    const Vec2 moved(random.uniform(-0.8, 0.8), random.uniform(-0.8, 0.8));
    for (const Vec2& corner : other) b.push_back(Eigen::Rotation2D<Real>(angle) * corner + moved);
    shapeA = makePrism(own);
    shapeB = makePrism(other);
    poseB = poseAt({moved.x(), moved.y(), 2 * kHeight + random.uniform(-1e-3, 1e-3)},
                   turnAbout(Vec3::UnitZ(), angle));
  }

  Corners contacts(bool reduce) const {
    Corners points;
    for (const ContactPoint& contact : contactsOf(shapeA, Pose{}, shapeB, poseB, reduce)) {
      EXPECT_NEAR(contact.normal.z(), 1, 1e-12);
      points.emplace_back(contact.position.x(), contact.position.y());
    }
    return points;
  }
};

/// Calls `check(pose, shared points)` where the faces share a patch that is more than a sliver.
template <class Check>
void forEveryPatch(const Check& check) {
  int touching = 0;
  for (int i = 0; i < kPoses && !testing::Test::HasFailure(); ++i) {
    const Stacked pose(i);
    const Corners shared = sharedPoints(pose.a, pose.b);
    if (shared.size() < 3 || areaOf(shared) < 0.01) continue;
    ++touching;
    SCOPED_TRACE(i);
    check(pose, shared);
  }
  EXPECT_GT(touching, kPoses / 2);
}

TEST(ContactPatch, AllPoints_SpanWhatTheFacesShare) {
  // Beyond an edge by up to 1e-5 of the thickness a corner counts as on the face.
  constexpr Real kClip = 1e-5 * 2;
  forEveryPatch([&](const Stacked& pose, const Corners& shared) {
    const Corners points = pose.contacts(false);
    ASSERT_GE(points.size(), 3U);
    for (int k = 0; k < 64; ++k) {
      const Vec2 direction(std::cos(0.1 * k), std::sin(0.1 * k));
      EXPECT_NEAR(supportOf(points, direction), supportOf(shared, direction), kClip);
    }
  });
}

// A square in a circle holds 64 % of its area, and no four points of it hold more.
TEST(ContactPatch, FourPointsKept_HoldHalfOfItsArea) {
  forEveryPatch([](const Stacked& pose, const Corners& shared) {
    const Corners points = pose.contacts(true);
    ASSERT_LE(points.size(), 4U);
    EXPECT_GE(areaOf(points), 0.5 * areaOf(shared));
  });
}

}  // namespace
}  // namespace drystone
