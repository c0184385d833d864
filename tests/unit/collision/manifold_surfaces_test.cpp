#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "tests/unit/collision/collision_fixture.h"

namespace drystone {
namespace {

/// A flat square of n × n cells of side `cell`, two triangles each, centred on the origin.
TriangleMesh flatMesh(int n, Real cell) {
  auto data = std::make_shared<MeshData>();
  for (int j = 0; j <= n; ++j) {
    for (int i = 0; i <= n; ++i) {
      data->vertices.emplace_back((i - 0.5 * n) * cell, (j - 0.5 * n) * cell, 0);
    }
  }
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      const int v = j * (n + 1) + i;
      data->triangles.push_back({v, v + 1, v + n + 2});
      data->triangles.push_back({v, v + n + 2, v + n + 1});
    }
  }
  return {data};
}

Heightfield slope(int n, Real cell, Real rise) {
  auto data = std::make_shared<HeightfieldData>();
  data->columns = data->rows = n + 1;
  data->spacingX = data->spacingY = cell;
  for (int j = 0; j <= n; ++j) {
    for (int i = 0; i <= n; ++i) data->heights.push_back(rise * (i - 0.5 * n) * cell);
  }
  return {data};
}

std::vector<Shape> bodies() {
  return {Sphere{0.5},  Box{Vec3::Constant(0.5)},  Cylinder{0.5, 0.5}, Capsule{0.25, 0.25},
          Cone{0.5, 1}, Ellipsoid{{0.8, 0.3, 0.5}}};
}

TEST(SurfaceManifold, BodiesOnAFlatMesh_MeetOnlyItsFaceNormal) {
  // Any tilt of the normal on inner edges of a flat floor would be a ghost collision.
  for (const Shape& shape : bodies()) {
    for (int step = 0; step < 60; ++step) {
      const Real x = -0.6 + 0.02 * step;
      const auto contacts =
          contactsOf(flatMesh(8, 0.37), poseAt({0, 0, 0}), shape, poseAt({x, 0.4 * x, 0.499}));
      ASSERT_FALSE(contacts.empty()) << shapeName(shape);
      for (const ContactPoint& c : contacts) {
        EXPECT_LT((c.normal - Vec3::UnitZ()).norm(), 1e-9) << shapeName(shape) << " at " << x;
      }
      EXPECT_NEAR(lowestGap(contacts), -1e-3, 1e-7) << shapeName(shape) << " at " << x;
    }
  }
}

TEST(SurfaceManifold, BodiesBelowAMesh_MeetItsOtherSide) {
  const auto contacts = contactsOf(flatMesh(8, 0.37), poseAt({0, 0, 0}), Box{Vec3::Constant(0.5)},
                                   poseAt({0.1, 0.05, -0.499}));
  ASSERT_FALSE(contacts.empty());
  for (const ContactPoint& c : contacts) EXPECT_LT((c.normal + Vec3::UnitZ()).norm(), 1e-9);
  EXPECT_NEAR(lowestGap(contacts), -1e-3, 1e-12);
}

TEST(SurfaceManifold, BoxOnMesh_IsHeldAtItsFourCorners) {
  const auto contacts = contactsOf(flatMesh(8, 0.37), poseAt({0, 0, 0}), Box{Vec3::Constant(0.5)},
                                   poseAt({0.1, 0.05, 0.5}), false);
  for (const Real x : {-0.4, 0.6}) {
    for (const Real y : {-0.45, 0.55}) {
      const auto isThere = [&](const ContactPoint& c) {
        return (c.position - Vec3(x, y, 0)).norm() < 1e-12 && std::abs(c.gap) < 1e-15;
      };
      EXPECT_TRUE(std::any_of(contacts.begin(), contacts.end(), isThere)) << x << " " << y;
    }
  }
  std::set<std::uint64_t> features;
  for (const ContactPoint& c : contacts) features.insert(c.feature);
  EXPECT_EQ(features.size(), contacts.size());  // every point has a name of its own
}

TEST(SurfaceManifold, TriangleAcrossAnEdgeOfABox_OverlapsByTheLeast) {
  // A level triangle cuts off an upright edge of a box. The axis square to that edge and to the
  // triangle's lies in the very middle of the half circle of the triangle's normals.
  constexpr Real kDepth = 0.01;
  const Real cut = 0.5 - kDepth / std::sqrt(2.0);
  auto data = std::make_shared<MeshData>();
  data->vertices = {{cut + 1, cut - 1, 0}, {2, 2, 0}, {cut - 1, cut + 1, 0}};
  data->triangles = {{0, 1, 2}};
  const auto contacts = contactsOf(Box{Vec3::Constant(0.5)}, poseAt({0, 0, 0.1}),
                                   TriangleMesh{data}, poseAt({0, 0, 0}));
  ASSERT_FALSE(contacts.empty());
  EXPECT_NEAR(lowestGap(contacts), -kDepth, 1e-12);
  for (const ContactPoint& c : contacts) {
    EXPECT_LT((c.normal - Vec3(1, 1, 0).normalized()).norm(), 1e-9);
  }
}

TEST(SurfaceManifold, CapsuleDeepInARidgeOrAHollow_LeavesThroughAFaceThatItOverlaps) {
  // Along the normal of either face the capsule is lowest beyond the other one.
  constexpr Real kRise = 0.2;
  auto data = std::make_shared<HeightfieldData>();
  data->columns = 2;
  data->rows = 2;
  data->heights = {0, kRise, kRise, 0};
  for (const bool isTurned : {false, true}) {
    if (isTurned) data->heights = {kRise, 0, 0, kRise};
    const auto contacts = contactsOf(Heightfield{data}, poseAt({0, 0, 0}), Capsule{0.1, 0.3},
                                     poseAt({0, 0, isTurned ? kRise + 0.1 : 0.1}));
    ASSERT_FALSE(contacts.empty()) << isTurned;
    EXPECT_LT(lowestGap(contacts), 0) << isTurned;
    for (const ContactPoint& c : contacts) EXPECT_GT(c.normal.z(), 0.9) << isTurned;
  }
}

TEST(SurfaceManifold, SphereOnARidge_KeepsTheEdgeNormal) {
  // Two faces that fall away by 45° from the line x = 0: on top of it the normal is z.
  auto data = std::make_shared<MeshData>();
  data->vertices = {{0, -2, 0}, {0, 2, 0}, {2, 0, -2}, {-2, 0, -2}};
  data->triangles = {{0, 2, 1}, {0, 1, 3}};
  const auto contacts =
      contactsOf(TriangleMesh{data}, poseAt({0, 0, 0}), Sphere{0.5}, poseAt({0, 0.1, 0.499}));
  ASSERT_FALSE(contacts.empty());
  for (const ContactPoint& c : contacts) {
    EXPECT_LT((c.normal - Vec3::UnitZ()).norm(), 1e-9);
    EXPECT_NEAR(c.gap, -1e-3, 1e-12);
  }
}

TEST(SurfaceManifold, SphereOnASlopingHeightfield_HasTheDistanceToThePlane) {
  const Real rise = 0.5, length = std::sqrt(1 + rise * rise);
  const Vec3 normal = Vec3(-rise, 0, 1) / length;
  for (int step = 0; step < 30; ++step) {
    const Vec3 foot(-0.7 + 0.05 * step, 0.1 * step - 1.5, rise * (-0.7 + 0.05 * step));
    const auto contacts = contactsOf(slope(16, 0.3, rise), poseAt({0, 0, 0}), Sphere{0.5},
                                     poseAt(foot + 0.502 * normal));
    ASSERT_FALSE(contacts.empty());
    EXPECT_NEAR(lowestGap(contacts), 2e-3, 1e-12);
    for (const ContactPoint& c : contacts) EXPECT_LT((c.normal - normal).norm(), 1e-9);
  }
}

TEST(SurfaceManifold, Compound_CollidesByItsChildren) {
  // A dumbbell: two spheres; each touches the floor at its own child key.
  Compound dumbbell;
  dumbbell.children = {{Sphere{0.2}, poseAt({-0.5, 0, 0})}, {Sphere{0.3}, poseAt({0.5, 0, 0.1})}};
  const auto contacts = contactsOf(Box{Vec3(5, 5, 1)}, poseAt({0, 0, -1}), dumbbell,
                                   poseAt({1, 2, 0.2}, Quat::Identity()));
  ASSERT_EQ(contacts.size(), 2u);
  EXPECT_NE(contacts[0].feature, contacts[1].feature);
  EXPECT_LT((contacts[0].position - Vec3(0.5, 2, 0)).norm(), 1e-12);
  EXPECT_LT((contacts[1].position - Vec3(1.5, 2, 0)).norm(), 1e-12);
  const auto both = contactsOf(dumbbell, poseAt({0, 0, 0}), dumbbell, poseAt({0, 0.405, 0}));
  ASSERT_EQ(both.size(), 2u);  // the small ones are 5 mm apart, the big ones overlap
  EXPECT_NEAR(both[0].gap, 0.005, 1e-12);
  EXPECT_NEAR(both[1].gap, 0.405 - 0.6, 1e-12);
}

TEST(SurfaceManifold, CompoundOnMesh_TouchesWithEveryChild) {
  Compound table;
  for (const Real x : {-0.4, 0.4}) {
    for (const Real y : {-0.4, 0.4}) {
      table.children.push_back({Box{Vec3(0.05, 0.05, 0.3)}, poseAt({x, y, 0})});
    }
  }
  const auto contacts =
      contactsOf(flatMesh(8, 0.37), poseAt({0, 0, 0}), table, poseAt({0.03, 0.02, 0.3}), false);
  EXPECT_GE(contacts.size(), 16u);
  for (const ContactPoint& c : contacts) {
    EXPECT_NEAR(c.gap, 0, 1e-14);
    EXPECT_LT((c.normal - Vec3::UnitZ()).norm(), 1e-9);
  }
}

}  // namespace
}  // namespace drystone
