#include "collision/narrow/clip.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/support/allocation_counter.h"

namespace drystone::narrow {
namespace {

/// A regular polygon about the origin at height z, its normal along `up` (1 or -1).
void fillRegular(int corners, Real turn, Real z, Real up, Polygon& out) {
  out.normal = up * Vec3::UnitZ();
  const Real half = std::numbers::pi / corners;
  for (int k = 0; k < corners; ++k) {
    const Real angle = turn + up * 2 * half * k, side = angle + up * half;
    out.corners.push_back({.point = {std::cos(angle), std::sin(angle), z},
                           .side = {std::cos(side), std::sin(side), 0},
                           .vertex = k,
                           .edge = k});
  }
}

// Turned by half a side, each of 32 sides cuts a corner off: 64 points, on the circle where the
// sides cross, of radius cos(π/32)/cos(π/64).
TEST(Clip, TwoFacesOf32Corners_CrossIn64PointsWithoutTouchingTheHeap) {
  constexpr int kSides = ClipScratch::kCorners / 2;
  Manifold manifold;
  manifold.points.reserve(ClipScratch::kCorners);
  ClipScratch scratch;
  const std::int64_t before = test::allocationCount();
  fillRegular(kSides, 0, 0, 1, scratch.reference);
  fillRegular(kSides, std::numbers::pi / kSides, -0.001, -1, scratch.incident);
  clipToReference(scratch, scratch.reference.normal, Vec3::Zero(), 0.01, 1e-9, true, manifold);
  EXPECT_EQ(test::allocationCount(), before);
  ASSERT_EQ(manifold.points.size(), 64u);
  const Real half = std::numbers::pi / kSides;
  for (const ManifoldPoint& point : manifold.points) {
    EXPECT_NEAR(std::hypot(point.position.x(), point.position.y()),
                std::cos(half) / std::cos(half / 2), 1e-12);
    EXPECT_NEAR(point.gap, -0.001, 1e-15);
  }
}

}  // namespace
}  // namespace drystone::narrow
