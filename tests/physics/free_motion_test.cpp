// Motion without contact against its closed form.
#include <gtest/gtest.h>

#include "tests/support/worlds.h"

namespace drystone {
namespace {

using test::addBody;
using test::settingsFor;

const Shape kBrick = Box{{0.1, 0.2, 0.3}};

World weightless(WorldSettings settings) {
  settings.gravity.setZero();
  return World(settings, test::registry());
}

TEST(FreeFall, SemiImplicitEuler_FallsByItsDiscreteSum) {
  World world(settingsFor("bpp-auto"), test::registry());
  const BodyId body = addBody(world, kBrick, 2, {{0, 0, 100}, Quat::Identity()});
  test::simulate(world, 1);
  // v_n = -g n h, z_n = z_0 - g h² n (n + 1) / 2 with n = 60, h = 1/60.
  const Real h = 1.0 / 60, expected = 100 - 9.81 * h * h * 60 * 61 / 2;
  EXPECT_NEAR(world.body(body).centerOfMass().z(), expected, 1e-11);  // round-off of 60 additions
  EXPECT_NEAR(world.body(body).linearVelocity().z(), -9.81, 1e-12);
}

TEST(FreeFall, Moreau_FollowsTheParabolaExactly) {
  WorldSettings settings = settingsFor("bpp-auto");
  settings.integrator = Integrator::kMoreau;
  World world(settings, test::registry());
  const BodyId body = addBody(world, kBrick, 2, {{0, 0, 100}, Quat::Identity()}, {3, 0, 5});
  test::simulate(world, 1);
  // The midpoint rule is exact for constant acceleration: z = z_0 + v t - g t² / 2.
  EXPECT_NEAR(world.body(body).centerOfMass().z(), 100 + 5 - 9.81 / 2, 1e-11);
  EXPECT_NEAR(world.body(body).centerOfMass().x(), 3, 1e-12);
}

TEST(SpunBody, AboutAPrincipalAxis_KeepsItsSpinAndTurnsByOmegaT) {
  World world = weightless(settingsFor("bpp-auto"));
  const BodyId body =
      addBody(world, kBrick, 2, {Vec3::Zero(), Quat::Identity()}, Vec3::Zero(), {0, 0, 1.5});
  test::simulate(world, 2);
  EXPECT_NEAR((world.body(body).angularVelocity() - Vec3(0, 0, 1.5)).norm(), 0, 1e-12);
  const Quat expected = test::turn(Vec3::UnitZ(), 3.0);
  EXPECT_NEAR(world.body(body).pose().rotation.angularDistance(expected), 0, 1e-7);  // acos near 1
}

TEST(SpunBody, ImplicitGyroscopicTerm_NeverGainsEnergy) {
  World world = weightless(settingsFor("bpp-auto"));
  // Fast spin near the unstable middle axis: the explicit term explodes here.
  addBody(world, kBrick, 2, {Vec3::Zero(), Quat::Identity()}, Vec3::Zero(), {0.1, 40, 0.1});
  Real previous = world.step().energy.kinetic;
  for (int i = 0; i < 600; ++i) {
    const Real now = world.step().energy.kinetic;
    ASSERT_LE(now, previous * (1 + 1e-12)) << "step " << i;
    previous = now;
  }
  EXPECT_GT(previous, 0);
}

TEST(SpunBody, GyroscopicTerm_ConservesAngularMomentumToFirstOrder) {
  // Over a fixed time the drift of L halves with h, so the term has the right sign and size.
  const auto driftOfMomentum = [](Real h) {
    WorldSettings settings = settingsFor("bpp-auto");
    settings.timestep = h;
    World world = weightless(settings);
    const BodyId body =
        addBody(world, kBrick, 2, {Vec3::Zero(), Quat::Identity()}, Vec3::Zero(), {1, 2, 3});
    const Vec3 moments = massProperties(kBrick, 2 / 0.048).inertia.diagonal();
    const auto momentum = [&] {
      const Quat q = world.body(body).pose().rotation;
      return Vec3(q * moments.cwiseProduct(q.conjugate() * world.body(body).angularVelocity()));
    };
    const Vec3 before = momentum();
    test::simulate(world, 1);
    return (momentum() - before).norm() / before.norm();
  };
  const Real coarse = driftOfMomentum(1.0 / 100), fine = driftOfMomentum(1.0 / 200);
  EXPECT_LT(coarse, 0.1);
  EXPECT_NEAR(coarse / fine, 2, 0.3);
}

TEST(AppliedForce, ActsForOneStepAtItsPoint) {
  World world = weightless(settingsFor("bpp-auto"));
  const BodyId body = addBody(world, Box{{0.5, 0.5, 0.5}}, 3, {});
  world.body(body).applyForceAt({0, 6, 0}, {0.5, 0, 0});
  world.step();
  world.step();
  const Real h = 1.0 / 60;
  // Δv = h F / m; Δω = h r × F / I with I = m a² / 6 = 0.5.
  EXPECT_NEAR(world.body(body).linearVelocity().y(), h * 6 / 3, 1e-15);
  EXPECT_NEAR(world.body(body).angularVelocity().z(), h * 0.5 * 6 / 0.5, 1e-14);
}

TEST(KinematicBody, FollowsItsMotionKeys) {
  World world = weightless(settingsFor("bpp-auto"));
  BodyDefinition definition;
  definition.kind = BodyKind::kKinematic;
  definition.shape = Box{};
  definition.motion = {{0, {0, 0, 0}, {0, 0, 0}}, {1, {2, 0, 0}, {0, 0, 0}}};
  const BodyId body = world.addBody(definition);
  test::simulate(world, 1);
  // ∫ 2 t dt over 1 s; the velocity at mid-step integrates a ramp exactly.
  EXPECT_NEAR(world.body(body).centerOfMass().x(), 1, 1e-12);
  test::simulate(world, 1);
  EXPECT_NEAR(world.body(body).centerOfMass().x(), 3, 1e-12);  // the last key's velocity is held
}

}  // namespace
}  // namespace drystone
