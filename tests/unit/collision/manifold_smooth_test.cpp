#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/constants.h"
#include "tests/unit/collision/collision_fixture.h"

namespace drystone {
namespace {

using test::kPi;
const Box kFloorBox{Vec3(5, 5, 1)};
const Pose kBelow = poseAt({0, 0, -1});

/// A floor as half-space and as box: what rests on them must not tell the difference.
struct Floor {
  Shape shape;
  Pose pose;
};
std::vector<Floor> floors() { return {{Plane{}, poseAt(Vec3::Zero())}, {kFloorBox, kBelow}}; }

TEST(SmoothManifold, UprightCylinder_StandsOnPointsAroundItsDisc) {
  for (const Floor& floor : floors()) {
    const auto contacts =
        contactsOf(floor.shape, floor.pose, Cylinder{0.5, 0.4}, poseAt({0.1, 0.2, 0.4}));
    ASSERT_GE(contacts.size(), 3u);
    Vec3 center = Vec3::Zero();
    for (const ContactPoint& c : contacts) {
      EXPECT_NEAR(c.gap, 0, 1e-12);
      EXPECT_LT((c.normal - Vec3::UnitZ()).norm(), 1e-12);
      EXPECT_NEAR((c.position - Vec3(0.1, 0.2, 0)).norm(), 0.5, 1e-12);
      center += c.position / static_cast<Real>(contacts.size());
    }
    // The four points kept form a square about the axis.
    EXPECT_LT((center - Vec3(0.1, 0.2, 0)).norm(), 0.05);
  }
}

TEST(SmoothManifold, TiltedCylinder_ReportsItsDeepestRimPoint) {
  // The lowest point of a cylinder (r, h) tilted by a lies r sin a + h cos a below its centre.
  for (const Floor& floor : floors()) {
    for (const Real tilt : {1e-5, 1e-3, 0.02, 0.3, 1.0, 1.5}) {
      const Quat turn = turnAbout(Vec3(1, 2, 0), tilt) * turnAbout(Vec3::UnitZ(), 0.3);
      const Real reach = 0.5 * std::sin(tilt) + 0.4 * std::cos(tilt);
      const auto contacts = contactsOf(floor.shape, floor.pose, Cylinder{0.5, 0.4},
                                       poseAt({0, 0, reach - 0.002}, turn));
      EXPECT_NEAR(lowestGap(contacts), -0.002, 1e-9) << "tilt " << tilt;
    }
  }
}

TEST(SmoothManifold, LyingCylinderAndCapsule_TouchAtTheEndsOfTheirLine) {
  const Quat lying = turnAbout(Vec3::UnitY(), kPi / 2);
  for (const Floor& floor : floors()) {
    for (const Shape& shape : {Shape(Cylinder{0.3, 0.5}), Shape(Capsule{0.3, 0.5})}) {
      const auto contacts = contactsOf(floor.shape, floor.pose, shape, poseAt({0, 0, 0.3}, lying));
      ASSERT_EQ(contacts.size(), 2u) << shapeName(shape);
      for (const ContactPoint& c : contacts) {
        EXPECT_NEAR(c.gap, 0, 1e-12);
        EXPECT_NEAR(std::abs(c.position.x()), 0.5, 1e-12);
        EXPECT_LT((c.normal - Vec3::UnitZ()).norm(), 1e-12);
      }
    }
  }
}

TEST(SmoothManifold, Cone_StandsOnItsBaseAndLiesOnItsSide) {
  const Cone cone{0.3, 0.8};
  for (const Floor& floor : floors()) {
    const auto standing = contactsOf(floor.shape, floor.pose, cone, poseAt({0, 0, 0.4 - 1e-3}));
    ASSERT_GE(standing.size(), 3u);
    for (const ContactPoint& c : standing) EXPECT_NEAR(c.gap, -1e-3, 1e-12);
    // Lying: the side makes the angle atan(r/h) with the axis, so the axis tilts by 90° plus that;
    // apex and base rim touch. Height of the centre: half the distance of the apex over the floor.
    const Real half = std::atan2(0.3, 0.8);
    const Quat turn = turnAbout(Vec3::UnitY(), kPi / 2 + half);
    const Vec3 apex = turn * Vec3(0, 0, 0.4);
    const auto lying = contactsOf(floor.shape, floor.pose, cone, poseAt({0, 0, -apex.z()}, turn));
    ASSERT_EQ(lying.size(), 2u);
    for (const ContactPoint& c : lying) EXPECT_NEAR(c.gap, 0, 1e-9);
    EXPECT_NEAR((lying[0].position - lying[1].position).norm(), std::hypot(0.3, 0.8), 1e-9);
  }
}

TEST(SmoothManifold, CrossedCapsules_HaveTheDistanceOfTheirAxes) {
  const Quat across = turnAbout(Vec3::UnitX(), kPi / 2);
  for (const Real gap : {-0.1, -1e-3, 0.0, 5e-3}) {
    const auto contacts =
        contactsOf(Capsule{0.2, 1}, poseAt({0, 0, 0}, turnAbout(Vec3::UnitY(), kPi / 2)),
                   Capsule{0.3, 1}, poseAt({0.3, 0.1, 0.5 + gap}, across));
    ASSERT_EQ(contacts.size(), 1u);
    EXPECT_NEAR(contacts[0].gap, gap, 1e-12);
    EXPECT_LT((contacts[0].normal - Vec3::UnitZ()).norm(), 1e-12);
  }
}

TEST(SmoothManifold, ParallelCapsules_TouchAlongTheLineTheyShare) {
  const auto contacts =
      contactsOf(Capsule{0.2, 1}, poseAt({0, 0, 0}), Capsule{0.3, 1}, poseAt({0.501, 0, 0.5}));
  ASSERT_EQ(contacts.size(), 2u);
  for (const ContactPoint& c : contacts) EXPECT_NEAR(c.gap, 1e-3, 1e-12);
  EXPECT_NEAR(contacts[0].position.z() + contacts[1].position.z(), -0.5 + 1, 1e-9);
}

TEST(SmoothManifold, StackedCylinders_ShareAFaceContact) {
  const auto contacts = contactsOf(Cylinder{0.5, 0.4}, poseAt({0, 0, 0}), Cylinder{0.5, 0.4},
                                   poseAt({0.05, 0, 0.8}), true);
  ASSERT_EQ(contacts.size(), 4u);
  for (const ContactPoint& c : contacts) {
    EXPECT_NEAR(c.gap, 0, 1e-12);
    EXPECT_LT((c.normal - Vec3::UnitZ()).norm(), 1e-12);
  }
}

TEST(SmoothManifold, SphereInCylinder_LeavesThroughTheNearestSurface) {
  // Centre 0.1 inside the side of a cylinder of radius 0.5: depth 0.1 + 0.2.
  const auto contacts =
      contactsOf(Sphere{0.2}, poseAt({0.4, 0, 0}), Cylinder{0.5, 2}, poseAt({0, 0, 0}));
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_NEAR(contacts[0].gap, -0.3, 1e-6);
  EXPECT_LT((contacts[0].normal - Vec3(-1, 0, 0)).norm(), 1e-3);
}

TEST(SmoothManifold, ObliqueCylinderOverlap_MatchesTheSampledLeastDepth) {
  // Least depth over directions by brute force: the overlap along n is h_A(n) + h_B(-n), smallest
  // over the sphere. Sampling 0.3° apart finds it to 1e-4.
  Random random(9);
  for (int trial = 0; trial < 20; ++trial) {
    const Real r = 0.4, h = 0.5;
    const Quat qa = randomRotation(random), qb = randomRotation(random);
    const Vec3 d = 0.65 * (randomRotation(random) * Vec3::UnitX());
    const auto contacts =
        contactsOf(Cylinder{r, h}, poseAt({0, 0, 0}, qa), Cylinder{r, h}, poseAt(d, qb));
    const auto reach = [&](const Quat& q, const Vec3& n) {
      const Real along = n.dot(q * Vec3::UnitZ());
      return h * std::abs(along) + r * std::sqrt(std::max(Real(0), 1 - along * along));
    };
    Real least = 1e300;
    for (int i = 0; i <= 600; ++i) {
      const Real theta = kPi * i / 600;
      for (int j = 0; j < 1200; ++j) {
        const Real phi = 2 * kPi * j / 1200;
        const Vec3 n(std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi),
                     std::cos(theta));
        least = std::min(least, reach(qa, n) + reach(qb, n) - n.dot(d));
      }
    }
    if (least < -0.009) continue;
    ASSERT_FALSE(contacts.empty()) << "trial " << trial;
    EXPECT_NEAR(lowestGap(contacts), -least, 2e-3) << "trial " << trial;
  }
}

}  // namespace
}  // namespace drystone
