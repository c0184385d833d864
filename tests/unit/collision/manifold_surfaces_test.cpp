#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <set>
#include <vector>

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

TEST(SurfaceManifold, BoxOnAFineMesh_HasTheFourContactsOfAPlane) {
  // 200 triangles under the box, and its corners on faces, edges and vertices of the mesh. It leans
  // by up to 4e-4 rad, where some triangles have the box's normal and others the floor's.
  const Box box{Vec3::Constant(0.5)};
  for (int step = 0; step < 60; ++step) {
    const Real x = 0.0125 * step, lean = 1e-4 * (step % 5);
    const Quat turned = turnAbout({1, 0.3, 0}, lean) * turnAbout(Vec3::UnitZ(), 0.1 * (step % 7));
    const Pose pose = poseAt({x, 0.5 * x, 0.5 - 1e-4}, turned);
    const auto onMesh = contactsOf(flatMesh(40, 0.1), poseAt({0, 0, 0}), box, pose);
    const auto onPlane = contactsOf(Plane{}, poseAt({0, 0, 0}), box, pose);
    ASSERT_EQ(onMesh.size(), 4u) << step;
    ASSERT_EQ(onPlane.size(), 4u) << step;
    for (const ContactPoint& c : onPlane) {
      const auto isSame = [&](const ContactPoint& other) {
        return (other.position - c.position).norm() < 1e-6 && std::abs(other.gap - c.gap) < 1e-6 &&
               (other.normal - c.normal).norm() < 1e-3;
      };
      EXPECT_TRUE(std::any_of(onMesh.begin(), onMesh.end(), isSame))
          << step << " " << c.position.transpose() << " " << c.gap << " mesh "
          << onMesh[0].position.transpose() << "; " << onMesh[1].position.transpose() << "; "
          << onMesh[2].position.transpose() << "; " << onMesh[3].position.transpose();
    }
  }
}

/// A floor z = 0 of many triangles with cones of 1 cell around peaks of the given heights.
Heightfield bumps(int n, Real cell, const std::vector<Vec3>& peaks) {
  auto data = std::make_shared<HeightfieldData>();
  data->columns = data->rows = n + 1;
  data->spacingX = data->spacingY = cell;
  data->heights.assign(static_cast<std::size_t>((n + 1) * (n + 1)), 0.0);
  for (const Vec3& peak : peaks) {
    const int i = static_cast<int>(std::lround(peak.x() / cell + 0.5 * n));
    const int j = static_cast<int>(std::lround(peak.y() / cell + 0.5 * n));
    data->heights[static_cast<std::size_t>(j * (n + 1) + i)] = peak.z();
  }
  return {data};
}

TEST(SurfaceManifold, BoxOnBumps_StandsOnThoseThatTouch) {
  // The two in the middle are lower by more than what counts as none. The floor, 5 mm under the
  // box, has hundreds of points within the margin, of which those under its corners span the
  // polygon.
  const std::vector<Vec3> peaks = {{-0.4, -0.4, 0.005}, {0.4, -0.3, 0.005}, {0.3, 0.4, 0.005},
                                   {-0.3, 0.4, 0.005},  {0, 0, 0.0045},     {0.1, -0.2, 0.0045}};
  const auto contacts = contactsOf(bumps(40, 0.05, peaks), poseAt({0, 0, 0}),
                                   Box{Vec3::Constant(0.5)}, poseAt({0, 0, 0.505 - 1e-6}));
  std::vector<ContactPoint> upright;
  std::copy_if(contacts.begin(), contacts.end(), std::back_inserter(upright),
               [](const ContactPoint& c) { return c.normal.z() > 0.9999; });
  EXPECT_LE(upright.size(), 8u);
  for (std::size_t k = 0; k < 4; ++k) {
    const auto stands = [&](const ContactPoint& c) {
      return (c.position - peaks[k]).norm() < 1e-5 && std::abs(c.gap + 1e-6) < 1e-9;
    };
    EXPECT_TRUE(std::any_of(upright.begin(), upright.end(), stands)) << k;
  }
}

TEST(SurfaceManifold, BoxAcrossACrease_TouchesBothSides) {
  // A floor that rises by 3° from x = 0, in strips: a box of 1 m with its edges on either side.
  const Real rise = std::tan(3 * M_PI / 180);
  auto data = std::make_shared<HeightfieldData>();
  data->columns = data->rows = 41;
  data->spacingX = data->spacingY = 0.05;
  for (int j = 0; j <= 40; ++j) {
    for (int i = 0; i <= 40; ++i) data->heights.push_back(std::max(0, i - 20) * 0.05 * rise);
  }
  const Quat lean = turnAbout(Vec3::UnitY(), -std::atan2(0.5 * rise, 1.0));
  const Vec3 up = lean * Vec3::UnitZ();
  const auto contacts = contactsOf(Heightfield{data}, poseAt({0, 0, 0}), Box{Vec3::Constant(0.5)},
                                   poseAt(Vec3(0, 0, 0.25 * rise) + 0.4999 * up, lean));
  for (const Real side : {-0.5, 0.5}) {
    for (const Real y : {-0.5, 0.5}) {
      const auto holds = [&](const ContactPoint& c) {
        return std::abs(c.position.x() - side) < 0.02 && std::abs(c.position.y() - y) < 1e-3;
      };
      EXPECT_TRUE(std::any_of(contacts.begin(), contacts.end(), holds)) << side << " " << y;
    }
  }
  const auto has = [&](const Vec3& normal) {
    return std::any_of(contacts.begin(), contacts.end(),
                       [&](const ContactPoint& c) { return (c.normal - normal).norm() < 1e-3; });
  };
  EXPECT_TRUE(has(Vec3::UnitZ()));
  EXPECT_TRUE(has(Vec3(-rise, 0, 1).normalized()));
  EXPECT_LE(contacts.size(), 12u);
}

TEST(SurfaceManifold, BoxAtARise_TouchesItBesideTheFloor) {
  // It reaches 0.5 mm into a floor that rises by 20°: the rise adds little to the polygon, but it
  // bars the way.
  const Real rise = std::tan(20 * M_PI / 180);
  auto data = std::make_shared<HeightfieldData>();
  data->columns = data->rows = 41;
  data->spacingX = data->spacingY = 0.05;
  for (int j = 0; j <= 40; ++j) {
    for (int i = 0; i <= 40; ++i) data->heights.push_back(std::max(0, i - 20) * 0.05 * rise);
  }
  const auto contacts = contactsOf(Heightfield{data}, poseAt({0, 0, 0}), Box{Vec3::Constant(0.4)},
                                   poseAt({-0.3995, 0, 0.4}));
  const auto along = [&](const Vec3& normal, Real y) {
    return std::count_if(contacts.begin(), contacts.end(), [&](const ContactPoint& c) {
      return (c.normal - normal).norm() < 1e-6 && std::abs(c.position.y() - y) < 1e-3;
    });
  };
  for (const Real y : {-0.4, 0.4}) {
    EXPECT_EQ(along(Vec3::UnitZ(), y), 2) << y;
    EXPECT_GE(along(Vec3(-rise, 0, 1).normalized(), y), 1) << y;
  }
}

TEST(SurfaceManifold, BodyThatTremblesOnAMesh_KeepsItsFeatures) {
  // By less than the preference for what was kept, which is 1e-4 of the extent. The first choice
  // has nothing to prefer, and the second one begins with another point of it.
  Random random(3);
  for (const Shape& shape : bodies()) {
    CollisionWorld world(CollisionSettings{});
    world.add(flatMesh(40, 0.1), poseAt({0, 0, 0}), {}, true);
    const int body = world.add(shape, poseAt({0.21, 0.13, 0.5}), {}, false);
    std::vector<ContactPoint> contacts;
    std::vector<std::uint64_t> first;
    for (int step = 0; step < 50; ++step) {
      const Quat lean = turnAbout({random.uniform(-1, 1), random.uniform(-1, 1), 0.1}, 1e-6);
      world.setPose(body, poseAt({0.21, 0.13, 0.5 - 1e-5}, lean));
      world.detect(contacts);
      std::vector<std::uint64_t> features;
      for (const ContactPoint& c : contacts) features.push_back(c.feature);
      if (step <= 2) first = features;
      EXPECT_EQ(features, first) << shapeName(shape) << " at " << step;
    }
  }
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
