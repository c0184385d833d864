// Surfaces that move relative to their bodies: belts.
#include <gtest/gtest.h>

#include "tests/support/constants.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

constexpr Real kMu = 0.4;
using test::kGravity;

BodyId addBelt(World& world, BodyKind kind, const Vec3& surfaceVelocity,
               const Quat& rotation = Quat::Identity()) {
  BodyDefinition belt{.name = "belt", .kind = kind, .shape = Box{{50, 50, 1}}};
  belt.pose = {rotation * Vec3(0, 0, -1), rotation};
  belt.surfaceVelocity = surfaceVelocity;
  return world.addBody(belt);
}

BodyId addFlatBox(World& world, const Vec3& position, const Vec3& velocity = Vec3::Zero()) {
  return test::addBody(world, Box{{0.5, 0.5, 0.05}}, 2, {position, Quat::Identity()}, velocity);
}

class Conveyor : public testing::TestWithParam<BodyKind> {};

TEST_P(Conveyor, BoxOnIt_AcceleratesAtMuGToItsSpeedAndKeepsIt) {
  World world(test::settingsFor("bpp-auto"), test::registry());
  world.setMaterialPair(0, 0, {.friction = kMu});
  addBelt(world, GetParam(), {2, 0, 0});
  const BodyId box = addFlatBox(world, {0, 0, 0.05});
  Real work = 0;
  for (int i = 1; i <= 60; ++i) {
    const EnergyLedger& ledger = world.step().energy;
    ASSERT_LE(std::abs(ledger.ledgerError), 1e-11) << i;  // round-off of some J
    work += ledger.friction;
    // Sliding until μ g t = 2 m/s, at 0.51 s. The compliance, 1e-9 of the normal impulse, and the
    // judged residual of the solve leave less than 1e-7 m/s.
    EXPECT_NEAR(world.body(box).linearVelocity().x(), std::min(kMu * kGravity * world.time(), 2.0),
                1e-7);
  }
  EXPECT_NEAR(work, 0.5 * 2 * 2 * 2, 1e-6);  // ½ m v²: the belt did it
  EXPECT_NEAR(world.body(box).linearVelocity().tail<2>().norm(), 0, 1e-7);
  EXPECT_NEAR(world.body(box).angularVelocity().norm(), 0, 1e-7);
}

INSTANTIATE_TEST_SUITE_P(Kind, Conveyor, testing::Values(BodyKind::kStatic, BodyKind::kKinematic),
                         [](const auto& parameter) {
                           return parameter.param == BodyKind::kStatic ? "Static" : "Kinematic";
                         });

TEST(ConveyorFrame, SurfaceVelocity_TurnsWithItsBody) {
  World world(test::settingsFor("bpp-auto"), test::registry());
  world.setMaterialPair(0, 0, {.friction = kMu});
  addBelt(world, BodyKind::kStatic, {0.5, 0, 0}, test::turn(Vec3::UnitZ(), std::acos(0.0)));
  const BodyId box = addFlatBox(world, {0, 0, 0.05});
  test::simulate(world, 1);
  EXPECT_NEAR((world.body(box).linearVelocity() - Vec3(0, 0.5, 0)).norm(), 0, 1e-7);
}

TEST(ConveyorFrame, NormalPartOfTheSurfaceVelocity_IsNotFelt) {
  World world(test::settingsFor("bpp-auto"), test::registry());
  addBelt(world, BodyKind::kStatic, {0, 0, 3});
  const BodyId box = addFlatBox(world, {0, 0, 0.05});
  test::simulate(world, 0.5);
  EXPECT_NEAR((world.body(box).centerOfMass() - Vec3(0, 0, 0.05)).norm(), 0, 1e-8);
}

TEST(ConveyorFrame, BeltOfAFreeBody_PushesItBackByWhatItGives) {
  // A car with a belt on top stands on ice and carries a box: nothing pushes the two from outside,
  // so the box gets the speed of the belt relative to the car: v_box - v_car = 1 with
  // m v_box + M v_car = 0, m = 2, M = 6.
  World world(test::settingsFor("bpp-auto"), test::registry());
  const MaterialId ice = world.addMaterial({.friction = 0});
  world.setMaterialPair(0, ice, {.friction = 0});
  world.setMaterialPair(0, 0, {.friction = kMu});
  test::addPlane(world, ice);
  BodyDefinition car{.shape = Box{{2, 1, 0.25}}};
  car.density = 6 / (8 * 2 * 1 * 0.25);
  car.pose.position = {0, 0, 0.25};
  car.surfaceVelocity = {1, 0, 0};
  const BodyId wagon = world.addBody(car);
  const BodyId box = addFlatBox(world, {0, 0, 0.55});
  test::simulate(world, 0.6);
  EXPECT_NEAR(world.body(box).linearVelocity().x(), 0.75, 1e-6);
  EXPECT_NEAR(world.body(wagon).linearVelocity().x(), -0.25, 1e-6);
}

}  // namespace
}  // namespace drystone
