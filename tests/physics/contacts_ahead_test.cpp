// Contacts that motions lead to beyond the margin: what is fast neither passes through thin bodies
// nor ends within others, and what misses them meets nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/worlds.h"

namespace drystone {
namespace {

WorldSettings adrift() {
  WorldSettings settings = test::settingsFor("auto");
  settings.gravity.setZero();
  return settings;
}

/// A plate in the plane z = 0 whose top is there.
std::vector<std::pair<std::string, Shape>> plates() {
  auto mesh = std::make_shared<MeshData>();
  mesh->vertices = {{-2, -2, 0}, {2, -2, 0}, {2, 2, 0}, {-2, 2, 0}};
  mesh->triangles = {{0, 1, 2}, {0, 2, 3}};
  return {{"box", Box{{2, 2, 1e-3}}}, {"mesh", TriangleMesh{mesh}}, {"plane", Plane{}}};
}

std::vector<std::pair<std::string, Shape>> movers() {
  return {{"sphere", Sphere{0.05}},
          {"box", Box{{0.05, 0.05, 0.05}}},
          {"capsule", Capsule{0.05, 0.1}},
          {"cylinder", Cylinder{0.05, 0.1}}};
}

// 100 m/s are 1.67 m a step, 800 times the thickness of the plate. What lands on its side does not
// turn; on one end it would by several rad a step.
TEST(ContactsAhead, FastBody_DoesNotPassAThinOne) {
  for (const auto& [plateName, plate] : plates()) {
    for (const auto& [name, shape] : movers()) {
      World world(adrift(), test::registry());
      BodyDefinition still{.name = "plate", .kind = BodyKind::kStatic, .shape = plate};
      world.addBody(still);
      const BodyId body = test::addBody(
          world, shape, 1, {{0.1, 0.2, 3}, test::turn(Vec3::UnitX(), std::numbers::pi / 2)},
          {0, 0, -100});
      for (int i = 0; i < 30; ++i) {
        world.step();
        EXPECT_LT(world.lastReport().maxPenetration, 2e-3) << name << " on a " << plateName;
      }
      EXPECT_GT(world.body(body).centerOfMass().z(), 0.03) << name << " on a " << plateName;
    }
  }
}

// What only comes down arrives at the surface, to the round-off of a gap in metres.
TEST(ContactsAhead, BodyWithoutTurning_EndsAtTheSurface) {
  World world(adrift(), test::registry());
  test::addGround(world);
  const BodyId box = test::addUnitBox(world, {0, 0, 0.7}, {0, 0, -15});
  world.step();
  EXPECT_NEAR(world.body(box).centerOfMass().z(), 0.5, 1e-6);
  world.step();
  EXPECT_NEAR(world.body(box).linearVelocity().z(), 0, 1e-6);
  EXPECT_LT(world.lastReport().maxPenetration, 1e-6);
}

// It passes 0.1 m beside the corner, which planes through the nearest point would not let it.
TEST(ContactsAhead, BodyThatMisses_KeepsItsVelocity) {
  World world(adrift(), test::registry());
  BodyDefinition still{.name = "block", .kind = BodyKind::kStatic, .shape = Box{{1, 1, 1}}};
  world.addBody(still);
  const BodyId ball =
      test::addBody(world, Sphere{0.1}, 1, {{-3, 0, 1.2}, Quat::Identity()}, {60, 0, 0});
  for (int i = 0; i < 10; ++i) {
    world.step();
    EXPECT_EQ(world.lastReport().contacts, 0);
  }
  EXPECT_EQ(world.body(ball).linearVelocity(), Vec3(60, 0, 0));
}

// Without a rebound they end with the mean velocity, 10 m/s, side by side.
// 5 mm a step, half of the margin: contacts are there all along, and lean across the way.
TEST(ContactsAhead, WithinTheMargin_OnlyWhatTouchesOnItsWayIsTurnedAside) {
  for (const auto& [name, mover] : movers()) {
    if (name == "capsule" || name == "cylinder") continue;  // lie along z, farther than 0.05
    for (const Real beside : {1e-6, 1e-3, -1e-3}) {
      for (const bool isMesh : {false, true}) {
        WorldSettings settings = adrift();
        settings.timestep = 1e-3;
        World world(settings, test::registry());
        BodyDefinition still{.name = "block", .kind = BodyKind::kStatic, .shape = Box{{1, 1, 1}}};
        if (isMesh) still.shape = plates()[1].second;
        still.pose.position = isMesh ? Vec3(-2, 0, 0) : Vec3(-1, 0, -1);
        world.addBody(still);
        const Vec3 velocity(0, 0, -5);
        const BodyId body =
            test::addBody(world, mover, 1, {{0.05 + beside, 0.3, 0.2}, Quat::Identity()}, velocity);
        for (int i = 0; i < 60; ++i) world.step();
        const bool isKept = world.body(body).linearVelocity() == velocity;
        EXPECT_EQ(isKept, beside > 0) << name << " at " << beside << (isMesh ? ", mesh" : "");
      }
    }
  }
}

// A force pushes it into the block beside its way. What is not looked for late keeps its contact.
TEST(ContactsAhead, FlightThatAForceBends_EndsAtTheSurface) {
  for (const bool isSoft : {false, true}) {
    WorldSettings settings = adrift();
    settings.timestep = 0.01;
    if (isSoft) settings.stepping = Stepping::kSoft;
    if (!isSoft) settings.holdJoints = false;
    World world(settings, test::registry());
    world.addBody({.kind = BodyKind::kStatic, .shape = Box{{0.5, 0.5, 0.5}}});
    const BodyId ball =
        test::addBody(world, Sphere{0.1}, 1, {{0.601, 0, 0.53}, Quat::Identity()}, {0, 0, -5});
    world.body(ball).applyForce({-200, 0, 0});
    world.step();
    EXPECT_GT(world.body(ball).centerOfMass().x(), 0.599) << isSoft;
  }
}

TEST(ContactsAhead, BallsThatPassWithinTheMargin_KeepTheirMomenta) {
  for (const Real offset : {0.200001, 0.201, 0.199}) {
    WorldSettings settings = adrift();
    settings.timestep = 1e-3;
    World world(settings, test::registry());
    const BodyId a =
        test::addBody(world, Sphere{0.1}, 1, {{-0.2, 0, 0}, Quat::Identity()}, {2, 0, 0});
    const BodyId b =
        test::addBody(world, Sphere{0.1}, 3, {{0.2, offset, 0}, Quat::Identity()}, {-2, 0, 0});
    for (int i = 0; i < 250; ++i) world.step();
    const Vec3 ofA = world.body(a).linearVelocity(), ofB = world.body(b).linearVelocity();
    EXPECT_EQ(ofA == Vec3(2, 0, 0) && ofB == Vec3(-2, 0, 0), offset > 0.2) << offset;
    EXPECT_LT((ofA + 3 * ofB - Vec3(-4, 0, 0)).norm(), 1e-12);
  }
}

TEST(ContactsAhead, TwoThatMeetHeadOn_ArriveTogetherAndKeepTheirMomentum) {
  World world(adrift(), test::registry());
  const BodyId left =
      test::addBody(world, Sphere{0.1}, 1, {{-0.5, 0, 0}, Quat::Identity()}, {50, 0, 0});
  const BodyId right =
      test::addBody(world, Sphere{0.1}, 1, {{0.5, 0, 0}, Quat::Identity()}, {-30, 0, 0});
  world.step();
  // The gap of 0.8 m closes at 80 m/s within 10 ms of the step's 16.7.
  const Real apart = world.body(right).centerOfMass().x() - world.body(left).centerOfMass().x();
  EXPECT_NEAR(apart, 0.2, 1e-6);
  world.step();
  EXPECT_NEAR(world.body(left).linearVelocity().x(), 10, 1e-6);
  EXPECT_NEAR(world.body(right).linearVelocity().x(), 10, 1e-6);
}

/// A surface at z = 0 of square cells.
Shape cells(Real size) {
  auto mesh = std::make_shared<MeshData>();
  const int count = static_cast<int>(8 / size);
  for (int y = 0; y <= count; ++y) {
    for (int x = 0; x <= count; ++x) mesh->vertices.push_back({x * size - 4, y * size - 4, 0});
  }
  for (int y = 0; y < count; ++y) {
    for (int x = 0; x < count; ++x) {
      const int i = y * (count + 1) + x;
      mesh->triangles.push_back({i, i + 1, i + count + 2});
      mesh->triangles.push_back({i, i + count + 2, i + count + 1});
    }
  }
  return TriangleMesh{mesh};
}

// Without friction an oblique way leaves the velocity along the surface and no spin, in either
// order of the bodies, on cells much smaller than the way of 0.57 m, and where the floor may move.
TEST(ContactsAhead, ObliqueBall_SlidesOnWithoutSpin) {
  const Shape floors[] = {cells(8), cells(0.25), Box{{4, 4, 1e-3}}};
  for (const Shape& floor : floors) {
    for (const BodyKind kind : {BodyKind::kStatic, BodyKind::kKinematic}) {
      for (const bool floorFirst : {true, false}) {
        World world(adrift(), test::registry());
        world.setMaterialPair(0, 0, {.friction = 0});
        BodyDefinition still{.kind = kind, .shape = floor};
        if (floorFirst) world.addBody(still);
        const BodyId ball = test::addBody(world, Sphere{0.1}, 1,
                                          {{-2.9, 0.06, 0.35}, Quat::Identity()}, {30, 0, -16});
        if (!floorFirst) world.addBody(still);
        for (int i = 0; i < 6; ++i) {
          world.step();
          EXPECT_LT(world.lastReport().maxPenetration, 2e-3);
        }
        EXPECT_NEAR(world.body(ball).linearVelocity().x(), 30, 1e-3);
        EXPECT_NEAR(world.body(ball).linearVelocity().z(), 0, 5e-3);  // what takes overlap back
        EXPECT_LT(world.body(ball).angularVelocity().norm(), 1e-3);
      }
    }
  }
}

// Balls of radius R that meet off centre by c: n is at asin(c / 2R) to the way, and a plastic
// impact without friction gives either half of the velocity along n: v/2 cos² = v/2 (1 − c²/4R²)
// along the way. For c = 0.14 m and R = 0.1 m that is 0.255 v. At 5 m/s the way of a step is 0.08
// m; the faster ones pass each other within the step of the touch, and share what is left of it.
TEST(ContactsAhead, BallsThatMeetOffCentre_ShareTheirMomentumWithoutSpin) {
  for (const Real speed : {5.0, 20.0, 50.0}) {
    World world(adrift(), test::registry());
    world.setMaterialPair(0, 0, {.friction = 0});
    const BodyId left =
        test::addBody(world, Sphere{0.1}, 1, {{-0.4, 0, 0}, Quat::Identity()}, {speed, 0, 0});
    const BodyId right = test::addBody(world, Sphere{0.1}, 1, {{0, 0.14, 0}, Quat::Identity()});
    for (int i = 0; i < 20; ++i) world.step();
    EXPECT_LT(world.body(left).angularVelocity().norm(), 1e-9);
    EXPECT_LT(world.body(right).angularVelocity().norm(), 1e-9);
    const Vec3 after = world.body(right).linearVelocity();
    EXPECT_NEAR(world.body(left).linearVelocity().x() + after.x(), speed, 1e-9 * speed);
    EXPECT_GT(after.x(), 0.1 * speed);
    if (speed > 5) continue;
    EXPECT_NEAR(after.x(), 0.255 * speed, 0.05 * 0.255 * speed);
  }
}

// It stops at the plate in one step and leaves in the next, with its whole share of the speed.
TEST(ContactsAhead, BallThatBounces_DoesNotPassAThinPlate) {
  for (const Real speed : {10.0, 20.0, 40.0, 100.0}) {
    World world(adrift(), test::registry());
    world.setMaterialPair(0, 0, {.restitution = 0.7});
    BodyDefinition still{.name = "plate", .kind = BodyKind::kStatic, .shape = Box{{2, 2, 1e-3}}};
    world.addBody(still);
    const BodyId ball =
        test::addBody(world, Sphere{0.02}, 1, {{0, 0, 3}, Quat::Identity()}, {0, 0, -speed});
    test::simulate(world, 0.4);
    EXPECT_NEAR(world.body(ball).linearVelocity().z(), 0.7 * speed, 1e-6);
    EXPECT_GT(world.body(ball).centerOfMass().z(), 0);
  }
}

// A rod stands on one end; the other one comes down at 16 m/s, 0.27 m a step, and arrives without
// more overlap than turning by 0.13 rad within a step makes to second order.
TEST(ContactsAhead, EndThatTurnsDown_DoesNotGoThroughTheGround) {
  World world(adrift(), test::registry());
  test::addGround(world);
  test::addBody(world, Capsule{0.1, 1}, 1,
                {{0, 0, 0.6}, test::turn(Vec3::UnitY(), std::numbers::pi / 3)},
                {0, 0, -8 * std::sin(std::numbers::pi / 3)}, {0, 8, 0});
  Real deepest = 0;
  for (int i = 0; i < 10; ++i) deepest = std::max(deepest, world.step().maxPenetration);
  EXPECT_LT(deepest, 0.13 * 0.13 / 2);
}

}  // namespace
}  // namespace drystone
