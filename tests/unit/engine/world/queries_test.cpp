// What queries of a world say of what they hit, against closed forms, and what they leave out.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/random.h"
#include "engine/world/world.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

World worldToAsk() { return {test::settingsFor("bpp-auto"), test::registry()}; }

/// A square of side 2 in the plane z = 0: triangle 0 has the corner (1, -1), triangle 1 (-1, 1).
Shape squareMesh() {
  auto data = std::make_shared<MeshData>();
  data->vertices = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
  data->triangles = {{0, 1, 2}, {0, 2, 3}};
  return TriangleMesh{data};
}

/// 3 × 2 cells of 1 m; z = x / 2.
Shape rampField() {
  auto data = std::make_shared<HeightfieldData>();
  data->columns = 4;
  data->rows = 3;
  for (int i = 0; i < 12; ++i) data->heights.push_back(0.5 * (i % 4 - 1.5));
  return Heightfield{data};
}

/// Two balls of 0.5 at x = ±1.
Shape dumbbell() { return Compound{{{Sphere{0.5}, {{-1, 0, 0}}}, {Sphere{0.5}, {{1, 0, 0}}}}}; }

BodyId addFixed(World& world, const Shape& shape, const Pose& pose = {}) {
  return world.addBody({.kind = BodyKind::kStatic, .shape = shape, .pose = pose});
}

BodyId addSensor(World& world, const Shape& shape, const Pose& pose = {}) {
  return world.addBody({.kind = BodyKind::kStatic, .shape = shape, .pose = pose, .isSensor = true});
}

void expectHit(const std::optional<BodyHit>& hit, const BodyHit& expected) {
  // Casts of shapes stop within 1e-9 of the thickness; curved normals vary with the place.
  constexpr Real kPlaceTolerance = 1e-8, kNormalTolerance = 1e-7;
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->body, expected.body);
  EXPECT_NEAR((hit->position - expected.position).norm(), 0, kPlaceTolerance);
  EXPECT_NEAR((hit->normal - expected.normal).norm(), 0, kNormalTolerance);
  EXPECT_NEAR(hit->fraction, expected.fraction, kPlaceTolerance);
  EXPECT_EQ(hit->part, expected.part);
  EXPECT_EQ(hit->triangle, expected.triangle);
}

bool sameBits(const std::optional<BodyHit>& a, const std::optional<BodyHit>& b) {
  if (!a || !b) return a.has_value() == b.has_value();
  return a->body == b->body && a->position == b->position && a->normal == b->normal &&
         a->fraction == b->fraction && a->part == b->part && a->triangle == b->triangle;
}

// Each shape stands alone. A ray down, and a ball of 0.25 let down along it, from z = 3 to -1.
TEST(QueryHits, SayBodyPlaceNormalFractionPartAndTriangle) {
  const Vec3 up(0, 0, 1), slope = Vec3(-1, 0, 2).normalized();
  struct Case {
    Shape shape;
    Vec3 at;      ///< where the ray comes down (x, y), and meets the shape (z)
    Vec3 normal;  ///< there
    int part, triangle;
  };
  const std::array cases = {
      // x² + z² = 1/4 at x = 0.3: z = 0.4.
      Case{Sphere{0.5}, {0.3, 0, 0.4}, {0.6, 0, 0.8}, -1, -1},
      Case{Box{{1, 1, 0.7}}, {0.3, 0.2, 0.7}, up, -1, -1},
      Case{dumbbell(), {-1, 0, 0.5}, up, 0, -1},
      Case{dumbbell(), {1.3, 0, 0.4}, {0.6, 0, 0.8}, 1, -1},
      Case{Compound{{{squareMesh(), {{0, 0, 0.25}}}}}, {-0.4, 0.5, 0.25}, up, 0, 1},
      Case{squareMesh(), {0.5, -0.4, 0}, up, -1, 0},
      Case{squareMesh(), {-0.4, 0.5, 0}, up, -1, 1},
      // Cell (2, 1) is the sixth, of triangles 10 below its diagonal and 11 above.
      Case{rampField(), {1.2, 0.1, 0.6}, slope, -1, 10},
      Case{rampField(), {0.6, 0.9, 0.3}, slope, -1, 11},
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    SCOPED_TRACE(testing::Message() << "case " << i);
    const Case& c = cases[i];
    World world = worldToAsk();
    addFixed(world, Sphere{0.5}, {{50, 0, 0}});  // so that the index of the body is not 0
    const BodyId body = addFixed(world, c.shape);
    const WorldQueries queries = world.queries();
    BodyHit expected{body, c.at, c.normal, (3 - c.at.z()) / 4, c.part, c.triangle};
    expectHit(queries.rayCast({c.at.x(), c.at.y(), 3}, {c.at.x(), c.at.y(), -1}), expected);
    // The ball touches there when its centre is a radius along the normal from there.
    constexpr Real kRadius = 0.25;
    const Vec3 center = c.at + kRadius * c.normal;
    expected.fraction = (3 - center.z()) / 4;
    expectHit(queries.shapeCast(Sphere{kRadius}, {{center.x(), center.y(), 3}},
                                {center.x(), center.y(), -1}),
              expected);
    // And one a radius farther off is a radius away.
    const Vec3 off = center + kRadius * c.normal;
    for (const auto& apart : {queries.closestBody(Sphere{kRadius}, {off}, 2 * kRadius),
                              std::optional(queries.closestPoints(Sphere{kRadius}, {off}, body))}) {
      ASSERT_TRUE(apart);
      EXPECT_EQ(apart->body, body);
      EXPECT_NEAR(apart->gap, kRadius, 1e-12);
      EXPECT_NEAR((apart->normal + c.normal).norm(), 0, 1e-7);
      EXPECT_NEAR((apart->onOther - c.at).norm(), 0, 1e-7);
      EXPECT_NEAR((apart->onShape - center).norm(), 0, 1e-7);
      EXPECT_EQ(apart->part, c.part);
      EXPECT_EQ(apart->triangle, c.triangle);
    }
    EXPECT_FALSE(queries.closestBody(Sphere{kRadius}, {off}, 0.9 * kRadius));
  }
}

// Along z: the ball's top at 2.5, both balls of a dumbbell on end with tops at 1.5 and -0.5, the
// square at -2. It begins at 4 and is 8 long.
TEST(RayCastAll, ListsEverySurfaceEnteredInOrder) {
  World world = worldToAsk();
  const BodyId square = addFixed(world, squareMesh(), {{0.2, 0.3, -2}});
  const BodyId pair =
      addFixed(world, dumbbell(), {{0, 0, 0}, test::turn({0, 1, 0}, -std::acos(0))});
  const BodyId ball = addFixed(world, Sphere{0.5}, {{0, 0, 2}});
  addFixed(world, Sphere{0.5}, {{2, 0, 0}});
  const Vec3 up(0, 0, 1), from(0, 0, 4), to(0, 0, -4);
  const std::vector<BodyHit> hits = world.queries().rayCastAll(from, to);
  const std::array expected = {
      BodyHit{ball, {0, 0, 2.5}, up, 1.5 / 8}, BodyHit{pair, {0, 0, 1.5}, up, 2.5 / 8, 1},
      BodyHit{pair, {0, 0, -0.5}, up, 4.5 / 8, 0}, BodyHit{square, {0, 0, -2}, up, 6.0 / 8, -1, 0}};
  ASSERT_EQ(hits.size(), expected.size());
  for (std::size_t i = 0; i < hits.size(); ++i) expectHit(hits[i], expected[i]);
  EXPECT_TRUE(sameBits(hits[0], world.queries().rayCast(from, to)));
  EXPECT_TRUE(world.queries().rayCastAll({0, 5, 4}, {0, 5, -4}).empty());
}

// Every query looks at the same column of three unit boxes, the middle one in group 2, and a sensor
// above them.
TEST(QueryFilter, LeavesOutGroupsBodiesAndSensors_InEveryQuery) {
  World world = worldToAsk();
  std::array<BodyId, 3> boxes;
  for (int i = 0; i < 3; ++i) {
    boxes[i] = world.addBody({.kind = BodyKind::kStatic,
                              .shape = Box{},
                              .pose = {{0, 0, 2.0 * i}},
                              .filter = {.group = i == 1 ? 2U : 1U}});
  }
  const BodyId sensor = addSensor(world, Box{}, {{0, 0, 6}});
  const WorldQueries queries = world.queries();
  const std::array top = {boxes[2]};
  const std::array both = {boxes[2], boxes[1]};
  struct Case {
    QueryFilter filter;
    std::vector<BodyId> seen;  ///< from above
  };
  for (const Case& c :
       {Case{{}, {boxes[2], boxes[1], boxes[0]}},
        Case{{.filter = {.mask = 1}}, {boxes[2], boxes[0]}},
        Case{{.filter = {.mask = 2}}, {boxes[1]}}, Case{{.without = top}, {boxes[1], boxes[0]}},
        Case{{.without = both}, {boxes[0]}},
        Case{{.filter = {.mask = 1}, .without = top}, {boxes[0]}},
        Case{{.sensors = true}, {sensor, boxes[2], boxes[1], boxes[0]}},
        Case{{.filter = {.mask = 4}}, {}}}) {
    const Vec3 from(0, 0, 9), to(0, 0, -3);
    std::vector<BodyId> onRay;
    for (const BodyHit& hit : queries.rayCastAll(from, to, c.filter)) onRay.push_back(hit.body);
    EXPECT_EQ(onRay, c.seen);
    std::vector<BodyId> ascending = c.seen;
    std::ranges::sort(ascending, {}, &BodyId::index);
    EXPECT_EQ(queries.overlap(Box{{1, 1, 9}}, {}, c.filter), ascending);
    const auto ray = queries.rayCast(from, to, c.filter);
    const auto cast = queries.shapeCast(Sphere{0.1}, {from}, to, c.filter);
    const auto closest = queries.closestBody(Sphere{0.1}, {from}, 100, c.filter);
    std::array<std::optional<BodyHit>, 1> batch;
    queries.rayCasts(std::array{Ray{from, to}}, batch, 1, c.filter);
    EXPECT_TRUE(sameBits(batch[0], ray));
    ASSERT_EQ(ray.has_value(), !c.seen.empty());
    ASSERT_EQ(cast.has_value(), !c.seen.empty());
    ASSERT_EQ(closest.has_value(), !c.seen.empty());
    if (c.seen.empty()) continue;
    EXPECT_EQ(ray->body, c.seen[0]);
    EXPECT_EQ(cast->body, c.seen[0]);
    EXPECT_EQ(closest->body, c.seen[0]);
  }
}

TEST(ClosestBody, IsTheNearestOrTheDeepestOverlap) {
  World world = worldToAsk();
  addFixed(world, Sphere{0.5}, {{-2, 0, 0}});
  const BodyId right = addFixed(world, Sphere{0.5}, {{1.9, 0, 0}});
  const auto apart = world.queries().closestBody(Sphere{0.25}, {}, 10);
  ASSERT_TRUE(apart);
  EXPECT_EQ(apart->body, right);
  EXPECT_NEAR(apart->gap, 1.15, 1e-12);
  // Both of these overlap the shape, by 0.1 and by 0.15.
  addFixed(world, Sphere{0.5}, {{0, 0.65, 0}});
  const BodyId deep = addFixed(world, Sphere{0.5}, {{0, -0.6, 0}});
  const auto inside = world.queries().closestBody(Sphere{0.25}, {}, 10);
  ASSERT_TRUE(inside);
  EXPECT_EQ(inside->body, deep);
  EXPECT_NEAR(inside->gap, -0.15, 1e-9);
}

// A lidar: rays all around over a scene of every kind of surface, some of them into the sky.
TEST(RayCasts, GiveTheBitsOfSingleCastsForEveryThreadCount) {
  World world = worldToAsk();
  Random random(3);
  addFixed(world, rampField(), {{0, 0, -2}});
  addFixed(world, squareMesh(), {{3, 0, 0}, test::turn({0, 1, 0}, 1.2)});
  const BodyId own = addFixed(world, Box{{0.2, 0.2, 0.2}});
  for (int i = 0; i < 60; ++i) {
    const Vec3 place(random.uniform(-6, 6), random.uniform(-6, 6), random.uniform(-2, 2));
    addFixed(world, i % 2 == 0 ? Shape(Cylinder{0.3, 0.4}) : dumbbell(),
             {place, test::turn({0, 0, 1}, random.uniform(0, 3))});
  }
  std::vector<Ray> rays;
  for (int i = 0; i < 3000; ++i) {
    const Real height = random.uniform(-1, 1), angle = 0.01 * i,
               flat = std::sqrt(1 - height * height);
    rays.push_back(
        {Vec3::Zero(), 20 * Vec3(flat * std::cos(angle), flat * std::sin(angle), height)});
  }
  const QueryFilter filter{.without = {&own, 1}};
  std::vector<std::optional<BodyHit>> single;
  int hits = 0;
  for (const Ray& ray : rays) {
    single.push_back(world.queries().rayCast(ray.from, ray.to, filter));
    hits += single.back() ? 1 : 0;
  }
  EXPECT_GT(hits, 300);
  EXPECT_LT(hits, 2700);
  for (const int threads : {1, 2, 4}) {
    // What was there before must go.
    std::vector<std::optional<BodyHit>> batch(rays.size(), BodyHit{});
    world.queries().rayCasts(rays, batch, threads, filter);
    for (std::size_t i = 0; i < rays.size(); ++i) {
      ASSERT_TRUE(sameBits(batch[i], single[i])) << "ray " << i << ", threads " << threads;
    }
  }
}

// A box of 1 kg at rest on the ground: four points at its corners, which push up with m g h.
TEST(BodyContacts, SayWhatTheOtherBodyDoesToThisOne) {
  World world = worldToAsk();
  const BodyId ground = test::addGround(world);
  const BodyId box = test::addUnitBox(world, {0, 0, 0.5});
  const BodyId flying = test::addUnitBox(world, {5, 0, 9});
  EXPECT_TRUE(world.body(box).contacts().empty());
  world.step();
  const Real weight = 9.81 * world.settings().timestep;
  ASSERT_NEAR(world.settings().gravity.z(), -9.81, 0);
  for (const BodyId id : {box, ground}) {
    const bool isBox = id == box;
    const std::vector<BodyContact> contacts = world.body(id).contacts();
    ASSERT_EQ(contacts.size(), 4);
    Vec3 impulse = Vec3::Zero();
    Real pushed = 0;
    for (const BodyContact& contact : contacts) {
      EXPECT_EQ(contact.other, isBox ? ground : box);
      EXPECT_NEAR((contact.normal - Vec3(0, 0, isBox ? 1 : -1)).norm(), 0, 1e-12);
      EXPECT_NEAR((contact.position.cwiseAbs() - Vec3(0.5, 0.5, 0)).norm(), 0, 1e-9);
      EXPECT_NEAR(contact.gap, 0, 1e-12);
      EXPECT_NEAR(contact.impulse.dot(contact.normal), contact.normalImpulse, 1e-12);
      impulse += contact.impulse;
      pushed += contact.normalImpulse;
    }
    EXPECT_NEAR((impulse - Vec3(0, 0, isBox ? weight : -weight)).norm(), 0, 1e-9);
    EXPECT_NEAR(pushed, weight, 1e-9);
  }
  EXPECT_TRUE(world.body(flying).contacts().empty());
}

TEST(BodyJoints, AreThoseOnItThatHold) {
  World world = worldToAsk();
  const BodyId ground = test::addGround(world);
  const BodyId a = test::addUnitBox(world, {0, 0, 3});
  const BodyId b = test::addUnitBox(world, {2, 0, 3});
  const JointId hung = world.addJoint(ballJoint(ground, a, Vec3(0, 0, 4), Vec3(0, 0, 1)));
  const JointId linked = world.addJoint(ballJoint(a, b, Vec3(1, 0, 0), Vec3(-1, 0, 0)));
  EXPECT_EQ(world.body(a).joints(), (std::vector{hung, linked}));
  EXPECT_EQ(world.body(b).joints(), std::vector{linked});
  EXPECT_EQ(world.body(ground).joints(), std::vector{hung});
  // This one bears 1 kg for a step, and breaks.
  JointDefinition weak = ballJoint(ground, b, Vec3(2, 0, 4), Vec3(0, 0, 1));
  weak.breakingImpulse = 1e-3;
  const JointId broken = world.addJoint(weak);
  EXPECT_EQ(world.body(b).joints(), (std::vector{linked, broken}));
  world.step();
  ASSERT_FALSE(world.contains(broken));
  EXPECT_EQ(world.body(b).joints(), std::vector{linked});
  world.removeJoint(linked);
  EXPECT_EQ(std::as_const(world).body(a).joints(), std::vector{hung});
  EXPECT_TRUE(world.body(b).joints().empty());
}

}  // namespace
}  // namespace drystone
