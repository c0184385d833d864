// First overlaps on the way of what moves and turns, against times of plane geometry.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <utility>
#include <variant>
#include <vector>

#include "collision/collision_world.h"

namespace drystone {
namespace {

using std::numbers::pi;
constexpr Real kAllowed = 1e-4;  // [m]

/// A rod of 2 m along x that turns about z.
constexpr Real kRodRadius = 0.01;
Shape rod() { return Capsule{kRodRadius, 1}; }
Pose alongX() { return {Vec3::Zero(), Quat(Eigen::AngleAxisd(pi / 2, Vec3::UnitY()))}; }

ColliderSweep turning(int collider, Real angle) {
  return {.collider = collider,
          .turn = angle * Vec3::UnitZ(),
          .reach = 1 + kRodRadius,
          .turning = angle * (1 + kRodRadius),
          .isFast = true};
}

/// Detects with the mover's motion announced, as a step does, and sweeps.
std::vector<SweptTouch> sweep(CollisionWorld& world, const std::vector<ColliderSweep>& sweeps,
                              const std::vector<Pose>& starts, Real allowed = kAllowed) {
  for (std::size_t i = 0; i < sweeps.size(); ++i) {
    world.setPose(sweeps[i].collider, starts[i], {.way = sweeps[i].way, .turn = sweeps[i].turn});
  }
  std::vector<ContactPoint> contacts;
  world.detect(contacts);
  std::vector<SweptTouch> touches;
  world.sweep(
      sweeps, [&](int, int) { return allowed; }, touches);
  return touches;
}

/// When the axis of the rod is as near to the centre of a ball at `angle` and `distance` as both
/// radii less `depth`, in turns of `whole`.
Real timeOfBall(Real angle, Real distance, Real radius, Real depth, Real whole) {
  return (angle - std::asin((kRodRadius + radius - depth) / distance)) / whole;
}

TEST(Sweep, RodThatTurns_MeetsABallAtItsAngle) {
  const Real angle = pi / 3, distance = 0.9, radius = 0.02, whole = 2.5;
  CollisionWorld world({});
  world.add(Sphere{radius},
            {{distance * std::cos(angle), distance * std::sin(angle), 0}, Quat::Identity()}, {},
            true);
  const int mover = world.add(rod(), alongX(), {}, false);
  // At the end of the way the rod is beyond the ball: its two ends show nothing.
  const auto touches = sweep(world, {turning(mover, whole)}, {alongX()});
  ASSERT_EQ(touches.size(), 1);
  const Real first = timeOfBall(angle, distance, radius, kAllowed, whole);
  EXPECT_LE(touches[0].free, first);
  EXPECT_GE(touches[0].time, first);
  EXPECT_LT(touches[0].time - touches[0].free, kAllowed / 2);
  EXPECT_GT(touches[0].deep, touches[0].time);
}

TEST(Sweep, BodyThatStopsHalfWay_GetsThereInHalfTheTime) {
  CollisionWorld world({});
  world.add(Sphere{0.1}, {{2, 0, 0}, Quat::Identity()}, {}, true);
  const Pose start{{0, 0.01, 0}, Quat::Identity()};
  const int ball = world.add(Sphere{0.1}, start, {}, false);
  ColliderSweep way{.collider = ball, .center = start.position, .way = {4, 0, 0}, .isFast = true};
  const auto whole = sweep(world, {way}, {start});
  way.share = 0.5;
  const auto half = sweep(world, {way}, {start});
  ASSERT_EQ(whole.size(), 1);
  ASSERT_EQ(half.size(), 1);
  const Real meets = (2 - std::sqrt(0.04 - 1e-4)) / 4;
  EXPECT_NEAR(whole[0].time, meets, 1e-4);
  EXPECT_NEAR(half[0].time, meets / 2, 1e-4);
}

TEST(Sweep, TwoThatMove_MeetInBetween) {
  CollisionWorld world({});
  const Pose left{{-1, 0, 0}, Quat::Identity()}, right{{1, 0, 0}, Quat::Identity()};
  const int a = world.add(Sphere{0.1}, left, {}, false);
  const int b = world.add(Box{{0.1, 0.1, 0.1}}, right, {}, false);
  const std::vector<ColliderSweep> ways = {
      {.collider = a, .center = left.position, .way = {3, 0, 0}, .isFast = true},
      {.collider = b, .center = right.position, .way = {-1, 0, 0}}};
  const auto touches = sweep(world, ways, {left, right});
  ASSERT_EQ(touches.size(), 1);
  EXPECT_NEAR(touches[0].time, 1.8 / 4, 1e-4);
}

/// A plate in the plane z = 0 of each kind, the last a mesh.
std::vector<Shape> plates() {
  auto mesh = std::make_shared<MeshData>();
  mesh->vertices = {{-2, -2, 0}, {2, -2, 0}, {2, 2, 0}, {-2, 2, 0}};
  mesh->triangles = {{0, 1, 2}, {0, 2, 3}};
  return {Box{{2, 2, 5e-4}},
          Compound{{{Box{{1, 2, 5e-4}}, {{-1, 0, 0}, Quat::Identity()}},
                    {Box{{1, 2, 5e-4}}, {{1, 0, 0}, Quat::Identity()}}}},
          TriangleMesh{mesh}};
}

TEST(Sweep, BodyBeyondAThinPlate_TouchedItOnTheWay) {
  for (const Shape& plate : plates()) {
    CollisionWorld world({});
    world.add(plate, {}, {}, true);
    const Pose start{{0.3, 0.2, 1}, Quat::Identity()};
    const int box = world.add(Box{{0.1, 0.1, 0.1}}, start, {}, false);
    const ColliderSweep way{
        .collider = box, .center = start.position, .way = {0, 0, -10}, .isFast = true};
    const auto touches = sweep(world, {way}, {start});
    ASSERT_EQ(touches.size(), 1) << shapeName(plate);
    EXPECT_NEAR(touches[0].time, 0.09, 1e-4) << shapeName(plate);
  }
}

// An overlap that may be there is no touch; what goes deeper is.
TEST(Sweep, AllowedOverlap_IsNoTouch) {
  CollisionWorld world({});
  world.add(Plane{}, {}, {}, true);
  const Pose start{{0, 0, 0.099}, Quat::Identity()};
  const int ball = world.add(Sphere{0.1}, start, {}, false);
  const auto touchesAlong = [&](const Vec3& way, Real allowed) {
    return sweep(world, {{.collider = ball, .center = start.position, .way = way, .isFast = true}},
                 {start}, allowed);
  };
  EXPECT_TRUE(touchesAlong({5, 0, 0}, 0.002).empty());
  EXPECT_TRUE(touchesAlong({5, 0, 0}, 0.0001).empty()) << "it does not grow";
  EXPECT_EQ(touchesAlong({5, 0, -0.01}, 0.002).size(), 1);
  EXPECT_TRUE(touchesAlong({5, 0, -0.01}, std::numeric_limits<Real>::infinity()).empty())
      << "a pair that is left out";
}

TEST(Sweep, SlowBodies_AreNotSwept) {
  CollisionWorld world({});
  world.add(Plane{}, {}, {}, true);
  const Pose start{{0, 0, 0.5}, Quat::Identity()};
  const int ball = world.add(Sphere{0.1}, start, {}, false);
  EXPECT_TRUE(
      sweep(world, {{.collider = ball, .center = start.position, .way = {0, 0, -1}}}, {start})
          .empty());
}

/// A floor under z = 0 and a wall beside x = 0, both thin, as a compound and as a mesh.
std::vector<Shape> trays() {
  auto mesh = std::make_shared<MeshData>();
  mesh->vertices = {{0, -1, 0}, {2, -1, 0}, {2, 1, 0}, {0, 1, 0}, {0, -1, 2}, {0, 1, 2}};
  mesh->triangles = {{0, 1, 2}, {0, 2, 3}, {0, 3, 5}, {0, 5, 4}};
  const Real half = 5e-4;
  return {Compound{{{Box{{1, 1, half}}, {{1, 0, -half}, Quat::Identity()}},
                    {Box{{half, 1, 1}}, {{-half, 0, 1}, Quat::Identity()}}}},
          TriangleMesh{mesh}};
}

// The ball falls beside the wall and stops at the floor after a quarter of the time. Neither of the
// two goes far by itself; the wall goes over the ball.
TEST(Sweep, WallOfAHollowBody_MeetsABallThatStops) {
  for (const Shape& shape : trays()) {
    CollisionWorld world({});
    const Pose start{{0.06, 0, 0.07}, Quat::Identity()};
    const int tray = world.add(shape, {}, {}, false);
    const int ball = world.add(Sphere{0.05}, start, {}, false);
    const auto touchesOf = [&](const Vec3& wayOfTray, const Vec3& wayOfBall) {
      return sweep(world,
                   {{.collider = tray, .way = wayOfTray},
                    {.collider = ball, .center = start.position, .way = wayOfBall, .share = 0.25}},
                   {Pose{}, start});
    };
    const auto touches = touchesOf({0.2, 0, 0}, {0, 0, -0.02});
    ASSERT_EQ(touches.size(), 1) << shapeName(shape);
    EXPECT_NEAR(touches[0].time, 0.05, 1e-3) << shapeName(shape);
    EXPECT_LT((touches[0].closest.normal - Vec3(1, 0, 0)).norm(), 1e-6) << shapeName(shape);
    EXPECT_TRUE(touchesOf({0.04, 0, 0}, {0, 0, -0.005}).empty())
        << "the end of so short a way shows the wall";
    EXPECT_EQ(touchesOf({0.2, 0, 0}, {0.1, 0, 0}).size(), 1) << "the tray goes on alone";
  }
}

// What moves against each other by more than half of the thicknesses together, and no other.
TEST(Sweep, PairsOfThinParts_CountByTheirWayAgainstEachOther) {
  CollisionWorld world({});
  const Pose start{{0, 0, 1}, Quat::Identity()};
  const Compound plate{{{Box{{2, 2, 5e-4}}, {}}}};
  const int tray = world.add(plate, {}, {}, false);
  const int ball = world.add(Sphere{0.05}, start, {}, false);
  const auto sweptOf = [&](const ColliderSweep& ofTray, const ColliderSweep& ofBall) {
    for (const auto& [way, pose] : {std::pair(ofTray, Pose{}), {ofBall, start}}) {
      world.setPose(way.collider, pose, {.way = {0, 0, -2}});
    }
    std::vector<ContactPoint> contacts;
    world.detect(contacts);
    std::vector<SweptTouch> touches;
    return world.sweep(
        std::vector{ofTray, ofBall}, [](int, int) { return kAllowed; }, touches);
  };
  const auto wayOf = [](int collider, const Vec3& way, Real share = 1) {
    return ColliderSweep{.collider = collider, .way = way, .share = share};
  };
  const Real half = 0.5 * (1e-3 + 0.1);
  EXPECT_EQ(sweptOf(wayOf(tray, {1, 0, 0}), wayOf(ball, {1, 0, 0.99 * half})), 0);
  EXPECT_EQ(sweptOf(wayOf(tray, {1, 0, 0}), wayOf(ball, {1, 0, 1.01 * half})), 2);
  // One stops after half of the time: the other one goes on by half of its way.
  EXPECT_EQ(sweptOf(wayOf(tray, {1.98 * half, 0, 0}), wayOf(ball, {0.99 * half, 0, 0}, 0.5)), 0);
  EXPECT_EQ(sweptOf(wayOf(tray, {2.02 * half, 0, 0}), wayOf(ball, {1.01 * half, 0, 0}, 0.5)), 2);
  EXPECT_EQ(sweptOf(wayOf(tray, {1.01 * half, 0, 0}, 0.5), wayOf(ball, {2.02 * half, 0, 0})), 2);
  // Turning leads either one anywhere.
  ColliderSweep turns = wayOf(tray, {1, 0, 0});
  turns.turning = 0.6 * half;
  EXPECT_EQ(sweptOf(turns, wayOf(ball, {1, 0, 0.3 * half})), 0);
  EXPECT_EQ(sweptOf(turns, wayOf(ball, {1, 0, 0.5 * half})), 2);
  // A fast one is counted by itself.
  ColliderSweep fast = wayOf(ball, {0, 0, 1});
  fast.isFast = true;
  EXPECT_EQ(sweptOf(wayOf(tray, {0, 0, 1}), fast), 1);
}

/// The way of a body whose centre stands in its frame.
ColliderSweep wayOf(const CollisionWorld& world, int collider, const Pose& start, const Vec3& way,
                    const Vec3& turn, Real reach) {
  return {.collider = collider,
          .center = start.position,
          .way = way,
          .turn = turn,
          .reach = reach,
          .turning = world.turningOf(collider, start.position, turn, reach),
          .isFast = true};
}

// A blade turns by 2.5 rad above a larger table, at less than its thickness. That leads it no
// nearer.
TEST(Sweep, ThinBladeThatTurnsAboveATable_TouchesItOnlyWhereItSinks) {
  const Real half = 5e-4, clearance = 4e-4;
  for (const Real sinks : {0.0, 1e-3}) {
    CollisionWorld world({});
    world.add(Box{{0.5, 0.5, 0.05}}, {{0.2, 0, -0.05}, Quat::Identity()}, {}, true);
    const Pose start{{0, 0, half + clearance}, Quat::Identity()};
    const int blade = world.add(Box{{0.3, 0.02, half}}, start, {}, false);
    const auto touches =
        sweep(world, {wayOf(world, blade, start, {0, 0, -sinks}, {0, 0, 2.5}, 0.301)}, {start});
    if (sinks == 0) {
      EXPECT_TRUE(touches.empty());
      continue;
    }
    ASSERT_EQ(touches.size(), 1);
    EXPECT_NEAR(touches[0].time, (clearance + kAllowed) / sinks, 0.03);
    EXPECT_LE(touches[0].free, (clearance + kAllowed) / sinks);
  }
}

// The end of a rod passes a wall by a hundredth of its thickness, or meets it where the arc of the
// end cuts it.
TEST(Sweep, RodWhoseEndPassesAWall_MeetsItOnlyWhereTheArcReachesIt) {
  const Real radius = 2e-4;
  for (const Real gap : {4e-6, -0.001}) {
    CollisionWorld world({});
    world.add(Box{{0.05, 1, 1}}, {{1 + radius + gap + 0.05, 0, 0}, Quat::Identity()}, {}, true);
    // Along x at half of its turn.
    const Quat before(Eigen::AngleAxisd(-1.25, Vec3::UnitZ()));
    const Pose start{Vec3::Zero(), before * alongX().rotation};
    const int mover = world.add(Capsule{radius, 1}, start, {}, false);
    const auto touches = sweep(
        world, {wayOf(world, mover, start, Vec3::Zero(), {0, 0, 2.5}, 1 + radius)}, {start}, 1e-6);
    if (gap > 0) {
      EXPECT_TRUE(touches.empty());
      continue;
    }
    ASSERT_EQ(touches.size(), 1);
    const Real meets = (1.25 - std::acos(1 + gap + 1e-6)) / 2.5;
    EXPECT_LE(touches[0].free, meets);
    EXPECT_NEAR(touches[0].time, meets, 1e-6);
  }
}

// So many turns that no search gets past them in strides of its thickness: a box whose corners
// clear the ground is left alone, and one that sinks is found soon after it may.
TEST(Sweep, WhatSpinsTooFastToBeSearched_IsFoundWhereItIsDeep) {
  for (const Real sinks : {0.0, 0.5}) {
    CollisionWorld world({});
    world.add(Plane{}, {}, {}, true);
    const Real reach = 0.1 * std::sqrt(3.0);
    const Pose start{{0, 0, reach + 1e-3}, Quat::Identity()};
    const int box = world.add(Box{{0.1, 0.1, 0.1}}, start, {}, false);
    const auto touches =
        sweep(world, {wayOf(world, box, start, {0, 0, -sinks}, {1e5, 2e4, 0}, reach)}, {start});
    if (sinks == 0) {
      EXPECT_TRUE(touches.empty());
      continue;
    }
    ASSERT_EQ(touches.size(), 1);
    EXPECT_GT(touches[0].time, (1e-3 + kAllowed) / sinks);
    EXPECT_LT(touches[0].time, (1e-3 + reach - 0.1) / sinks);
  }
}

// The end of the axis of what is round goes round, and what is beside the centre.
TEST(Sweep, TurningOfWhatIsRound_IsThatOfItsAxis) {
  CollisionWorld world({});
  const Real reach = std::hypot(0.3, 0.1);
  const int disc = world.add(Cylinder{0.3, 0.1}, {}, {}, false);
  const int ball = world.add(Sphere{0.3}, {}, {}, false);
  const int box = world.add(Box{{0.3, 0.3, 0.1}}, {}, {}, false);
  const auto turningAbout = [&](int collider, const Vec3& center, const Vec3& turn) {
    return world.turningOf(collider, center, turn, reach + center.norm());
  };
  EXPECT_EQ(turningAbout(disc, Vec3::Zero(), {0, 0, 5}), 0);
  EXPECT_EQ(turningAbout(disc, {0, 0, 1}, {0, 0, 5}), 0);
  EXPECT_NEAR(turningAbout(disc, Vec3::Zero(), {0.2, 0, 5}), 0.2 * reach, 1e-15);
  EXPECT_NEAR(turningAbout(disc, {0.5, 0, 0}, {0, 0, 5}), 5 * 0.5, 1e-15);
  EXPECT_NEAR(turningAbout(disc, {0.5, 0, 0}, {5, 0, 0}), 5 * (reach + 0.5), 1e-15);
  EXPECT_NEAR(turningAbout(ball, {0.5, 0, 0}, {0, 3, 4}), 5 * 0.5, 1e-15);
  EXPECT_NEAR(turningAbout(box, Vec3::Zero(), {0, 0, 5}), 5 * reach, 1e-15);
}

TEST(Sweep, Threads_DoNotChangeABit) {
  std::vector<std::vector<SweptTouch>> found;
  for (const int threads : {1, 4}) {
    CollisionWorld world({.threads = threads});
    world.add(Plane{}, {}, {}, true);
    std::vector<ColliderSweep> ways;
    std::vector<Pose> starts;
    for (int i = 0; i < 500; ++i) {
      starts.push_back({{0.25 * (i % 25), 0.25 * (i / 25), 1 + 0.001 * i}, Quat::Identity()});
      const int box = world.add(Box{{0.1, 0.05, 0.02}}, starts.back(), {}, false);
      ways.push_back({.collider = box,
                      .center = starts.back().position,
                      .way = {0.1, 0, -1.5},
                      .turn = {0.01 * i, 3, 1},
                      .reach = 0.12,
                      .turning = 0.12 * Vec3(0.01 * i, 3, 1).norm(),
                      .isFast = true});
    }
    found.push_back(sweep(world, ways, starts));
  }
  ASSERT_GE(found[0].size(), 500);
  ASSERT_EQ(found[0].size(), found[1].size());
  for (std::size_t i = 0; i < found[0].size(); ++i) {
    EXPECT_EQ(found[0][i].colliderA, found[1][i].colliderA);
    EXPECT_EQ(found[0][i].colliderB, found[1][i].colliderB);
    EXPECT_EQ(found[0][i].time, found[1][i].time);
  }
}

// A ball from above, and whichever collider comes first: the normal leads from A to B, and the
// feature names the part, the second one of the compound and the second triangle of the mesh.
TEST(Sweep, ClosestPointsOfATouch_SayWhereAndWhichParts) {
  const Real radius = 0.1;
  const Pose start{{1.2, 1.5, 1}, Quat::Identity()};
  for (const Shape& plate : plates()) {
    for (const bool ballIsFirst : {false, true}) {
      CollisionWorld world({});
      if (!ballIsFirst) world.add(plate, {}, {}, true);
      const int ball = world.add(Sphere{radius}, start, {}, false);
      if (ballIsFirst) world.add(plate, {}, {}, true);
      const auto touches = sweep(
          world, {{.collider = ball, .center = start.position, .way = {0, 0, -3}, .isFast = true}},
          {start});
      ASSERT_EQ(touches.size(), 1);
      const ContactPoint& closest = touches[0].closest;
      EXPECT_EQ(closest.colliderA, 0);
      EXPECT_EQ(closest.colliderB, 1);
      EXPECT_LT((closest.normal - Vec3(0, 0, ballIsFirst ? -1 : 1)).norm(), 1e-6);
      EXPECT_LT((closest.position - Vec3(1.2, 1.5, 0)).norm(), 6e-4);
      EXPECT_LT(closest.gap, -kAllowed);
      EXPECT_GT(closest.gap, -2 * kAllowed);
      const TouchedPart part = world.touchedParts(closest)[ballIsFirst ? 1 : 0];
      EXPECT_EQ(part.part, std::holds_alternative<Compound>(plate) ? 1 : -1);
      EXPECT_EQ(part.triangle, std::holds_alternative<TriangleMesh>(plate) ? 1 : -1);
      EXPECT_EQ(world.touchedParts(closest)[ballIsFirst ? 0 : 1], TouchedPart{});
    }
  }
}

}  // namespace
}  // namespace drystone
