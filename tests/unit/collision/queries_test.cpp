#include <gtest/gtest.h>

#include <cmath>

#include "core/input_error.h"
#include "tests/support/constants.h"
#include "tests/unit/collision/collision_fixture.h"

namespace drystone {
namespace {

using test::kPi;

/// Hit of a ray on a shape alone in a world.
std::optional<RayHit> hitOf(const Shape& shape, const Pose& pose, const Vec3& from,
                            const Vec3& to) {
  CollisionWorld world({});
  world.add(shape, pose, {}, true);
  return world.rayCast(from, to);
}

struct RayCase {
  Shape shape;
  Vec3 from, to;
  Real fraction;  ///< negative: no hit
  Vec3 normal;
};

TEST(RayCast, HitsEveryShapeWhereItsSurfaceIs) {
  // Each expected point is where the line x = a + t (b - a) meets the surface's equation.
  const Real side = std::sqrt(0.5);
  const std::vector<RayCase> cases = {
      {Sphere{0.5}, {-2, 0, 0}, {2, 0, 0}, 1.5 / 4, {-1, 0, 0}},
      {Sphere{0.5}, {-2, 0.6, 0}, {2, 0.6, 0}, -1, {}},
      {Sphere{0.5}, {0, 0, 0}, {2, 0, 0}, -1, {}},
      {Box{Vec3(1, 2, 3)}, {0, 0, 7}, {0, 0, -1}, 4.0 / 8, {0, 0, 1}},
      {Box{Vec3(1, 2, 3)}, {0, 0, 0}, {0, 0, 9}, -1, {}},
      {Plane{}, {0, 0, 3}, {4, 0, -1}, 3.0 / 4, {0, 0, 1}},
      {Plane{}, {0, 0, -3}, {0, 0, 1}, -1, {}},
      {Capsule{0.5, 1}, {-2, 0, 0.5}, {2, 0, 0.5}, 1.5 / 4, {-1, 0, 0}},
      {Capsule{0.5, 1}, {0, 0, 4}, {0, 0, 0}, 2.5 / 4, {0, 0, 1}},
      {Cylinder{0.5, 1}, {-2, 0, 0.5}, {2, 0, 0.5}, 1.5 / 4, {-1, 0, 0}},
      {Cylinder{0.5, 1}, {0.2, 0, 4}, {0.2, 0, 0}, 3.0 / 4, {0, 0, 1}},
      {Cylinder{0.5, 1}, {-2, 0, 1.1}, {2, 0, 1.1}, -1, {}},
      // Side of the cone with r = h/2·2 = 1: x = 0.5 - z + ... at z = 0 the radius is 0.5.
      {Cone{1, 1}, {-2, 0, 0}, {2, 0, 0}, 1.5 / 4, {-side, 0, side}},
      {Cone{1, 1}, {0.3, 0, -3}, {0.3, 0, 1}, 2.5 / 4, {0, 0, -1}},
      // x²/4 + z² = 1 at z = 0.6: x = -1.6; the normal is (x/4, z).
      {Ellipsoid{{2, 1, 1}}, {-4, 0, 0.6}, {4, 0, 0.6}, 2.4 / 8, Vec3(-0.4, 0, 0.6).normalized()},
      {Ellipsoid{{2, 1, 1}}, {0, 0, 0}, {3, 0, 0}, -1, {}},
      {makeHull({{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}}),
       {-2, 0.1, 0.1},
       {2, 0.1, 0.1},
       1.2 / 4,
       Vec3(-1, 1, 1).normalized()},
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const RayCase& c = cases[i];
    // The pose must not matter.
    for (const Pose& pose : {poseAt({0, 0, 0}), poseAt({1, 2, 3}, turnAbout({1, 2, 3}, 0.7))}) {
      const auto hit = hitOf(c.shape, pose, pose * c.from, pose * c.to);
      ASSERT_EQ(hit.has_value(), c.fraction >= 0) << "case " << i;
      if (!hit) continue;
      EXPECT_NEAR(hit->fraction, c.fraction, 1e-12) << "case " << i;
      EXPECT_LT((hit->normal - pose.rotation * c.normal).norm(), 1e-9) << "case " << i;
      EXPECT_LT((hit->position - pose * (c.from + c.fraction * (c.to - c.from))).norm(), 1e-11);
    }
  }
}

TEST(RayCast, HitsSurfacesFromBothSides) {
  auto mesh = std::make_shared<MeshData>();
  mesh->vertices = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
  mesh->triangles = {{0, 1, 2}, {0, 2, 3}};
  auto field = std::make_shared<HeightfieldData>();
  field->columns = 5;
  field->rows = 4;
  field->heights.assign(20, 0.25);
  for (const Real side : {1.0, -1.0}) {
    const auto onMesh =
        hitOf(TriangleMesh{mesh}, poseAt({0, 0, 0}), {0.3, 0.2, side}, {0.3, 0.2, -side});
    ASSERT_TRUE(onMesh);
    EXPECT_NEAR(onMesh->fraction, 0.5, 1e-12);
    EXPECT_LT((onMesh->normal - Vec3(0, 0, side)).norm(), 1e-12);
    // A slanting ray across several cells.
    const auto onField = hitOf(Heightfield{field}, poseAt({0, 0, 0}), {-1.9, -1.2, 0.25 + side},
                               {1.9, 1.3, 0.25 - side});
    ASSERT_TRUE(onField);
    EXPECT_NEAR(onField->fraction, 0.5, 1e-12);
    EXPECT_LT((onField->normal - Vec3(0, 0, side)).norm(), 1e-12);
  }
}

TEST(RayCast, FindsTheNearestOfManyAndMindsFilterAndPose) {
  CollisionWorld world({});
  for (int i = 0; i < 20; ++i) {
    world.add(Sphere{0.4}, poseAt({static_cast<Real>(i), 0, 0}), {i == 0 ? 2u : 1u, ~0u}, false);
  }
  const auto first = world.rayCast({-5, 0, 0}, {25, 0, 0});
  ASSERT_TRUE(first);
  EXPECT_EQ(first->collider, 0);
  const auto second = world.rayCast({-5, 0, 0}, {25, 0, 0}, {1, 1});
  ASSERT_TRUE(second);
  EXPECT_EQ(second->collider, 1);
  EXPECT_NEAR(second->position.x(), 0.6, 1e-12);
  // A pose set after the last detection counts.
  world.setPose(0, poseAt({0, 50, 0}));
  EXPECT_EQ(world.rayCast({-5, 0, 0}, {25, 0, 0})->collider, 1);
  EXPECT_EQ(world.rayCast({-5, 50, 0}, {25, 50, 0})->collider, 0);
}

TEST(ShapeCast, StopsAtTheFirstTouch) {
  CollisionWorld world({});
  world.add(Box{Vec3(5, 5, 1)}, poseAt({0, 0, -1}), {}, true);
  world.add(Sphere{0.5}, poseAt({0, 0, 0.5}), {}, false);
  // A ball of 0.25 over the floor's bare part meets it with its centre at 0.25.
  const auto floor = world.shapeCast(Sphere{0.25}, poseAt({3, 0, 2.25}), {3, 0, -1.75});
  ASSERT_TRUE(floor);
  EXPECT_EQ(floor->collider, 0);
  EXPECT_NEAR(floor->fraction, 0.5, 1e-8);
  EXPECT_LT((floor->normal - Vec3::UnitZ()).norm(), 1e-6);
  EXPECT_LT((floor->position - Vec3(3, 0, 0)).norm(), 1e-6);
  // Over the sphere, off its axis by 0.45: centres are 0.75 apart at the height 0.5 + 0.6.
  const auto ball = world.shapeCast(Sphere{0.25}, poseAt({0.45, 0, 3.1}), {0.45, 0, -0.9});
  ASSERT_TRUE(ball);
  EXPECT_EQ(ball->collider, 1);
  EXPECT_NEAR(ball->fraction, 0.5, 1e-8);
  EXPECT_LT((ball->normal - Vec3(0.6, 0, 0.8)).norm(), 1e-6);
  EXPECT_FALSE(world.shapeCast(Sphere{0.25}, poseAt({3, 0, 2}), {3, 0, 0.3}));
  const auto box = world.shapeCast(Box{Vec3::Constant(0.5)}, poseAt({3, 3, 2.5}), {3, 3, -1.5});
  ASSERT_TRUE(box);
  EXPECT_NEAR(box->fraction, 0.5, 1e-8);
  EXPECT_THROW(world.shapeCast(Plane{}, poseAt({0, 0, 1}), {0, 0, 0}), InputError);
}

TEST(Overlap, ListsWhatTouchesInOrder) {
  CollisionWorld world({});
  world.add(Plane{}, poseAt({0, 0, 0}), {}, true);
  world.add(Sphere{0.5}, poseAt({0, 0, 2}), {}, false);
  world.add(Box{Vec3::Constant(0.5)}, poseAt({1, 0, 2}, turnAbout({0, 0, 1}, kPi / 4)), {}, false);
  const auto ids = [&](const Shape& shape, const Vec3& position, CollisionFilter filter = {}) {
    return world.overlap(shape, poseAt(position), filter);
  };
  EXPECT_EQ(ids(Sphere{0.3}, {0.4, 0, 2}), (std::vector<int>{1, 2}));
  EXPECT_EQ(ids(Sphere{2}, {0.4, 0, 1.5}), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(ids(Sphere{2}, {0.4, 0, 1.5}, {1, 0}), std::vector<int>{});
  // Inside the turned box's bounding box, outside of the box itself.
  EXPECT_TRUE(ids(Sphere{0.1}, {1.55, 0.55, 2}).empty());
}

}  // namespace
}  // namespace drystone
