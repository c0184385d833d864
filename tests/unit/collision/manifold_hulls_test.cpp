#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/constants.h"
#include "tests/unit/collision/collision_fixture.h"

namespace drystone {
namespace {

using test::kPi;

ConvexHull hullOfBox(const Vec3& half) {
  std::vector<Vec3> points;
  for (int i = 0; i < 8; ++i) {
    points.emplace_back(i & 1 ? half.x() : -half.x(), i & 2 ? half.y() : -half.y(),
                        i & 4 ? half.z() : -half.z());
  }
  return makeHull(points);
}

TEST(HullManifold, BoxMadeAsHull_CollidesLikeTheBox) {
  Random random(21);
  const Vec3 halfA(0.3, 0.4, 0.5), halfB(0.25, 0.2, 0.45);
  for (int trial = 0; trial < 500; ++trial) {
    const Pose poseA = poseAt({1, 2, 3}, randomRotation(random));
    const Pose poseB =
        poseAt(poseA.position + random.uniform(0.4, 0.9) * (randomRotation(random) * Vec3::UnitX()),
               randomRotation(random));
    const auto boxes = contactsOf(Box{halfA}, poseA, Box{halfB}, poseB, false);
    const auto mixed = contactsOf(hullOfBox(halfA), poseA, Box{halfB}, poseB, false);
    const auto hulls = contactsOf(hullOfBox(halfA), poseA, hullOfBox(halfB), poseB, false);
    ASSERT_EQ(boxes.empty(), mixed.empty()) << trial;
    ASSERT_EQ(boxes.empty(), hulls.empty()) << trial;
    if (boxes.empty()) continue;
    EXPECT_NEAR(lowestGap(boxes), lowestGap(mixed), 1e-9) << trial;
    EXPECT_NEAR(lowestGap(boxes), lowestGap(hulls), 1e-9) << trial;
    EXPECT_EQ(boxes.size(), mixed.size()) << trial;
    EXPECT_EQ(boxes.size(), hulls.size()) << trial;
  }
}

TEST(HullManifold, ArchStones_TouchAtTheFourCornersOfTheirJoint) {
  // Two neighbouring voussoirs of a semicircular arch of 25: their joint faces coincide.
  const int count = 25;
  const Real half = kPi / (2 * count);
  std::vector<Vec3> points;
  for (const Real radius : {4.5, 5.5}) {
    for (const Real side : {-1.0, 1.0}) {
      for (const Real y : {-0.5, 0.5}) {
        points.emplace_back(radius * std::cos(half), y, side * radius * std::sin(half));
      }
    }
  }
  const ConvexHull stone = makeHull(points);
  const auto pose = [&](int i) {
    return poseAt(Vec3::Zero(), turnAbout(Vec3::UnitY(), -(i + 0.5) * kPi / count));
  };
  CollisionWorld world({});
  for (int i = 0; i < count; ++i) world.add(stone, pose(i), {}, false);
  std::vector<ContactPoint> contacts;
  world.detect(contacts);
  ASSERT_EQ(contacts.size(), 4u * (count - 1));
  for (const ContactPoint& c : contacts) {
    EXPECT_EQ(c.colliderB, c.colliderA + 1);
    EXPECT_NEAR(c.gap, 0, 1e-14);
    EXPECT_NEAR(std::abs(c.position.y()), 0.5, 1e-12);
    const Real angle = (c.colliderA + 1) * kPi / count;
    EXPECT_LT((c.normal - Vec3(-std::sin(angle), 0, std::cos(angle))).norm(), 1e-12);
  }
  // Rounding noise changes neither what touches nor the normals.
  Random random(2);
  std::vector<ContactPoint> again;
  for (int step = 0; step < 20; ++step) {
    for (int i = 0; i < count; ++i) {
      Pose moved = pose(i);
      for (Real& x : moved.position) x = random.uniform(-1e-9, 1e-9);
      world.setPose(i, moved);
    }
    world.detect(again);
    ASSERT_EQ(again.size(), contacts.size());
    for (std::size_t i = 0; i < again.size(); ++i) {
      EXPECT_EQ(again[i].feature, contacts[i].feature);
      EXPECT_LT((again[i].normal - contacts[i].normal).norm(), 1e-6);
    }
  }
}

TEST(HullManifold, TetrahedronOnItsTip_HasOneExactPoint) {
  const ConvexHull tip = makeHull({{0, 0, 0}, {1, 0, 1}, {-1, 1, 1}, {-1, -1, 1}});
  for (const Shape& floor : {Shape(Box{Vec3(5, 5, 1)}), Shape(hullOfBox(Vec3(5, 5, 1)))}) {
    const auto contacts = contactsOf(floor, poseAt({0, 0, -1}), tip, poseAt({0.3, 0.2, -2e-3}));
    ASSERT_EQ(contacts.size(), 1u);
    EXPECT_NEAR(contacts[0].gap, -2e-3, 1e-15);
    EXPECT_LT((contacts[0].normal - Vec3::UnitZ()).norm(), 1e-15);
  }
}

}  // namespace
}  // namespace drystone
