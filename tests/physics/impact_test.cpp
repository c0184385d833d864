// Restitution, stabilisation and impact against closed forms.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/constants.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

using test::kGravity;

World worldWith(Real restitution, Real timestep = 1.0 / 1000) {
  WorldSettings settings = test::settingsFor("bpp-auto");
  settings.timestep = timestep;
  World world(settings, test::registry());
  world.setMaterialPair(0, 0, {.friction = 0.5, .restitution = restitution});
  return world;
}

TEST(Restitution, Ball_ReboundsToESquaredTimesItsHeight) {
  World world = worldWith(0.8);
  test::addGround(world);
  const BodyId ball = test::addBody(world, Sphere{0.1}, 1, {{0, 0, 1.1}, Quat::Identity()});
  // Drop from 1 m of clearance: impact after 0.4515 s; watch the flight after it.
  test::simulate(world, 0.5);
  Real top = 0;
  for (int i = 0; i < 700; ++i) {
    world.step();
    top = std::max(top, world.body(ball).centerOfMass().z() - 0.1);
  }
  // e² h = 0.64 m; a step of 1 ms at 4.4 m/s leaves ± 5 mm of impact height.
  EXPECT_NEAR(top, 0.64, 0.01);
}

TEST(Restitution, EqualBalls_SwapTheirVelocities) {
  WorldSettings settings = test::settingsFor("bpp-auto");
  settings.gravity.setZero();
  World world(settings, test::registry());
  world.setMaterialPair(0, 0, {.restitution = 1});
  const BodyId left =
      test::addBody(world, Sphere{0.5}, 2, {{-1, 0, 0}, Quat::Identity()}, {3, 0, 0});
  const BodyId right = test::addBody(world, Sphere{0.5}, 2, {{0.2, 0, 0}, Quat::Identity()});
  test::simulate(world, 0.5);
  EXPECT_NEAR(world.body(left).linearVelocity().x(), 0,
              1e-8);  // compliance takes 1e-9 of the impulse
  EXPECT_NEAR(world.body(right).linearVelocity().x(), 3, 1e-8);
}

TEST(Restitution, BelowTheThreshold_NothingBounces) {
  for (const auto& [speed, bounces] : {std::pair{0.09, false}, {0.11, true}}) {
    World world = worldWith(1.0, 1.0 / 60);
    test::addGround(world);
    const BodyId box = test::addUnitBox(world, {0, 0, 0.5}, {0, 0, -speed});
    world.step();
    // The threshold is 0.1 m/s; a full rebound keeps the speed before the step.
    EXPECT_NEAR(world.body(box).linearVelocity().z(), bounces ? speed : 0.0, 1e-8) << speed;
  }
}

TEST(Restitution, ImpactThatOverlaps_GainsNoEnergy) {
  // At 10 m/s and 1/60 s a ball enters the ground by up to 16 cm before it is seen; the push-out
  // may not come on top of the rebound, which exceeds the push-out cap of 1 m/s. Gravity acts for
  // half of the step before the impact and for half of it after: g h / 2 more before, and less
  // after it.
  const Real half = kGravity / 120;
  for (const Real e : {1.0, 0.8, 0.5}) {
    World world = worldWith(e, 1.0 / 60);
    test::addPlane(world);
    const BodyId ball = test::addBody(world, Sphere{0.1}, 1, {{0, 0, 5.1}, Quat::Identity()});
    Real before = 0;
    while (world.body(ball).linearVelocity().z() <= 0 && world.time() < 3) {
      before = world.body(ball).linearVelocity().z();
      world.step();
    }
    EXPECT_NEAR(world.body(ball).linearVelocity().z(), e * (half - before) - half, 1e-6)
        << "e = " << e;
  }
}

TEST(Restitution, TangentialPart_ActsWithoutANormalOne) {
  // (M.8): b_t takes e_t w_t⁻ wherever the pair meets fast enough, whatever e_n is.
  WorldSettings settings = test::settingsFor("bpp-auto");
  settings.gravity.setZero();
  World world(settings, test::registry());
  world.setMaterialPair(0, 0, {.friction = 10, .restitution = 0, .tangentialRestitution = 0.5});
  test::addPlane(world);
  const BodyId ball =
      test::addBody(world, Sphere{0.5}, 1, {{0, 0, 0.5}, Quat::Identity()}, {0.8, 0, -2});
  world.step();
  // Sticking with μ = 10: the contact point leaves with -e_t · 0.8 m/s.
  const Vec3 point = world.body(ball).linearVelocity() +
                     world.body(ball).angularVelocity().cross(Vec3(0, 0, -0.5));
  EXPECT_NEAR(point.x(), -0.4, 1e-7);
}

TEST(Stabilisation, Overlap_ShrinksByGammaEachStep) {
  WorldSettings settings = test::settingsFor("bpp-auto");
  settings.stabilization.gamma = 0.25;
  World world(settings, test::registry());
  test::addGround(world);
  const BodyId box = test::addUnitBox(world, {0, 0, 0.5 - 0.008});
  // φ_{k+1} = (1 - γ) φ_k: 0.008 · 0.75⁴ = 2.53 mm after four steps (no cap: γ φ / h < 1 m/s).
  for (int i = 0; i < 4; ++i) world.step();
  EXPECT_NEAR(0.5 - world.body(box).centerOfMass().z(), 0.008 * std::pow(0.75, 4), 1e-8);
}

TEST(Stabilisation, PushOutSpeed_IsCapped) {
  WorldSettings settings = test::settingsFor("bpp-auto");
  settings.stabilization.maxPushSpeed = 0.5;
  settings.gravity.setZero();
  World world(settings, test::registry());
  test::addGround(world);
  const BodyId box = test::addUnitBox(world, {0, 0, 0.5 - 0.2});
  world.step();
  EXPECT_NEAR(world.body(box).linearVelocity().z(), 0.5, 1e-8);
}

TEST(Stabilisation, SpringAndDamper_MatchTheImplicitSpring) {
  // One step of a mass on an implicit spring: m Δv = -h (k (φ + h v) + d v) + h m g.
  WorldSettings settings = test::settingsFor("bpp-auto", FrictionModel::kNone);
  settings.stabilization.stiffness = 4000;
  settings.stabilization.damping = 30;
  settings.stabilization.maxPushSpeed = 100;
  World world(settings, test::registry());
  test::addPlane(world);
  const BodyId ball = test::addBody(world, Sphere{0.5}, 2, {{0, 0, 0.5 - 0.01}, Quat::Identity()});
  world.step();
  const Real h = 1.0 / 60, k = 4000, d = 30, m = 2, z = -0.01;
  const Real expected = (-h * k * z - h * m * kGravity) / (m + h * d + h * h * k);
  EXPECT_NEAR(world.body(ball).linearVelocity().z(), expected, 1e-12);
}

TEST(SpeculativeMargin, FallingBox_LandsWithoutOverlap) {
  World world = worldWith(0, 1.0 / 60);
  test::addGround(world);
  const BodyId box = test::addUnitBox(world, {0, 0, 0.5 + 0.3}, {0, 0, 0});
  Real lowest = 1;
  for (int i = 0; i < 60; ++i) {
    world.step();
    lowest = std::min(lowest, world.body(box).centerOfMass().z());
  }
  // Slower than margin / h at the end of the fall it would stop exactly at the surface; here it
  // arrives at 2.4 m/s, so it may enter by less than h v - margin = 30 mm and is pushed out again.
  EXPECT_GE(lowest, 0.5 - 0.031);
  EXPECT_NEAR(world.body(box).centerOfMass().z(), 0.5, 1e-4);
}

TEST(RestingBox, SmallerThanTheContactMargin_DoesNotTip) {
  // All eight corners lie within the margin of 10 mm; the four lower ones must carry it.
  WorldSettings settings = test::settingsFor("bpp-auto");
  World world(settings, test::registry());
  test::addPlane(world);
  const Vec3 start(0, 0, 0.003);
  const BodyId box =
      test::addBody(world, Box{Vec3::Constant(0.003)}, 2e-4, {start, Quat::Identity()});
  test::simulate(world, 1);
  EXPECT_NEAR((world.body(box).centerOfMass() - start).norm(), 0, 1e-8);
}

TEST(RestingBox, StaysWithin10Micrometres) {
  World world = worldWith(0, 1.0 / 60);
  test::addGround(world);
  const BodyId box = test::addUnitBox(world, {0, 0, 0.5});
  test::simulate(world, 2);
  EXPECT_NEAR((world.body(box).centerOfMass() - Vec3(0, 0, 0.5)).norm(), 0, 1e-5);
}

}  // namespace
}  // namespace drystone
