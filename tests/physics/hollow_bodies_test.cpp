// Bodies that bounce within what moves and has thin walls: trays, boxes and rooms, as compounds and
// as meshes. The box around such a body says nothing of its walls.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <utility>

#include "core/random.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

constexpr Real kWall = 1e-3;  ///< thickness [m]

WorldSettings withoutGravity() {
  WorldSettings settings;
  settings.gravity.setZero();
  return settings;
}

/// A floor with its top at z = 0 and a rear wall with its face at x = 0, each 20 cm wide.
Shape trayOf(bool isMesh) {
  const Real side = 0.1;
  if (!isMesh) {
    return Compound{{{Box{{side, side, kWall / 2}}, {{side, 0, -kWall / 2}, Quat::Identity()}},
                     {Box{{kWall / 2, side, side}}, {{-kWall / 2, 0, side}, Quat::Identity()}}}};
  }
  auto mesh = std::make_shared<MeshData>();
  mesh->vertices = {{0, -side, 0}, {2 * side, -side, 0}, {2 * side, side, 0},
                    {0, side, 0},  {0, -side, 2 * side}, {0, side, 2 * side}};
  mesh->triangles = {{0, 1, 2}, {0, 2, 3}, {0, 3, 5}, {0, 5, 4}};
  return TriangleMesh{mesh};
}

/// A tray that moves along x, and a ball of 10 mm with a restitution of 0.5 that falls into it just
/// before the rear wall, both at one speed.
struct BallInTray {
  static constexpr Real kRadius = 0.005;
  World world{withoutGravity(), test::registry()};
  BodyId tray, ball;

  BallInTray(bool isMesh, Real speed, Real aboveFloor, Real beforeWall) {
    world.setMaterial(0, {.friction = 0, .restitution = 0.5});
    tray = world.addBody({.name = "tray",
                          .kind = BodyKind::kKinematic,
                          .shape = trayOf(isMesh),
                          .linearVelocity = {speed, 0, 0}});
    const Vec3 start(kRadius + beforeWall, 0, kRadius + aboveFloor);
    ball = test::addBody(world, Sphere{kRadius}, 1, {start, Quat::Identity()}, {0, 0, -speed});
  }
  Vec3 ballInTray() const {
    return world.body(ball).pose().position - world.body(tray).pose().position;
  }
};

class Trays : public testing::TestWithParam<bool> {};

TEST_P(Trays, HoldABallThatWaitsAtTheirFloor) {
  for (const Real speed : {0.5, 1.0, 1.5, 2.0, 3.0}) {
    for (int above = 1; above <= 8; ++above) {
      for (int before = 1; before <= 4; ++before) {
        BallInTray two(GetParam(), speed, 0.003 * above, speed / 60 * 0.24 * before);
        for (int step = 0; step < 4; ++step) {
          two.world.step();
          const Vec3 place = two.ballInTray();
          ASSERT_GT(place.x(), BallInTray::kRadius - 1e-3)
              << speed << " m/s, start " << above << ", " << before << ", step " << step;
          ASSERT_GT(place.z(), BallInTray::kRadius - 1e-3)
              << speed << " m/s, start " << above << ", " << before << ", step " << step;
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, Trays, testing::Bool());

// At 2 m/s all goes 33 mm a step, but nothing goes on against the other.
TEST(Trays, WhatMovesAlong_IsNotLookedAt) {
  for (const bool isMesh : {false, true}) {
    BallInTray two(isMesh, 2, 0, 0.02);
    two.world.body(two.ball).setVelocity({2, 0, 0}, Vec3::Zero());
    for (int step = 0; step < 4; ++step) {
      EXPECT_EQ(two.world.step().swept, 1) << "the ball by itself";
    }
    EXPECT_NEAR(two.ballInTray().x(), BallInTray::kRadius + 0.02, 1e-9);
  }
}

/// A room of 2 m between walls of 1 mm, as one body.
Compound room() {
  Compound walls;
  for (int axis = 0; axis < 3; ++axis) {
    for (const Real side : {-1.0, 1.0}) {
      Box wall{{1, 1, 1}};
      wall.halfExtents[axis] = kWall / 2;
      walls.children.push_back({wall, {side * Vec3::Unit(axis), Quat::Identity()}});
    }
  }
  return walls;
}

Vec3 randomVelocity(Random& random, Real most) {
  return {random.uniform(-most, most), random.uniform(-most, most), random.uniform(-most, most)};
}

/// In how many rooms a guest passed a wall.
struct Passed {
  int silently = 0;
  int reported = 0;  ///< where a step had said that it does not hold
};

/// Shakes rooms, each with a body in it that bounces, at this speed [m/s] and spin [rad/s] at most.
Passed shake(BodyKind kind, const Shape& guest, Real speed, Real spin, int rooms) {
  Passed passed;
  for (int seed = 0; seed < rooms; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    World world(withoutGravity(), test::registry());
    world.setMaterial(0, {.friction = 0.5, .restitution = 0.5});
    BodyDefinition hull{.name = "room", .kind = kind, .shape = room()};
    if (kind == BodyKind::kDynamic) {
      hull.mass = MassProperties{1000, Vec3::Zero(), 700 * Mat3::Identity()};
      hull.linearVelocity = randomVelocity(random, speed);
      hull.angularVelocity = randomVelocity(random, spin);
    } else {
      for (int i = 0; i < 4; ++i) {
        const Vec3 linear = randomVelocity(random, speed);
        hull.motion.push_back({0.2 * i, linear, randomVelocity(random, spin)});
      }
    }
    const BodyId outer = world.addBody(hull);
    const Vec3 velocity = randomVelocity(random, speed), turning = randomVelocity(random, 10);
    const BodyId inner =
        test::addBody(world, guest, 1, {{-0.5, 0, 0}, Quat::Identity()}, velocity, turning);
    bool holds = true;
    for (int step = 0; step < 40; ++step) {
      holds = world.step().withinTolerance && holds;
      const Vec3 place = world.body(outer).pose().inverse() * world.body(inner).pose().position;
      if (place.cwiseAbs().maxCoeff() < 1) continue;
      ++(holds ? passed.silently : passed.reported);
      break;
    }
  }
  return passed;
}

TEST(HollowBodies, RoomThatIsShaken_HoldsABallThatBouncesInIt) {
  const Passed passed = shake(BodyKind::kKinematic, Sphere{0.05}, 30, 0, 100);
  EXPECT_EQ(passed.silently, 0);
  EXPECT_EQ(passed.reported, 0);
}

// They come to turn by tens of turns a step, and one or two are more than halved steps hold.
TEST(HollowBodies, RoomThatIsShaken_LosesNoBoxOrRodSilently) {
  for (const Shape& guest : {Shape(Box{{0.1, 0.05, 0.02}}), Shape(Capsule{0.005, 0.3})}) {
    const Passed passed = shake(BodyKind::kKinematic, guest, 30, 0, 60);
    EXPECT_EQ(passed.silently, 0) << shapeName(guest);
    EXPECT_LE(passed.reported, 2) << shapeName(guest);
  }
}

TEST(HollowBodies, RoomThatTurns_HoldsABallThatBouncesInIt) {
  for (const auto& [speed, spin] : {std::pair(30.0, 20.0), {10.0, 10.0}}) {
    const Passed passed = shake(BodyKind::kKinematic, Sphere{0.05}, speed, spin, 60);
    EXPECT_EQ(passed.silently, 0) << speed << " m/s";
    EXPECT_EQ(passed.reported, 0) << speed << " m/s";
  }
}

TEST(HollowBodies, RoomThatIsThrown_HoldsABallThatBouncesInIt) {
  const Passed passed = shake(BodyKind::kDynamic, Sphere{0.05}, 10, 10, 200);
  EXPECT_EQ(passed.silently, 0);
  EXPECT_EQ(passed.reported, 0);
}

}  // namespace
}  // namespace drystone
