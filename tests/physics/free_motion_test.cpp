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

const Vec3 kMoments = massProperties(kBrick, 2 / 0.048).inertia.diagonal();

/// A brick that turns about none of its axes, and its momentum.
struct SpunBrick {
  World world;
  BodyId body;
  SpunBrick(Integrator integrator, Real h, const Vec3& spin)
      : world([&] {
          WorldSettings settings = settingsFor("bpp-auto");
          settings.integrator = integrator;
          settings.timestep = h;
          return weightless(settings);
        }()),
        body(addBody(world, kBrick, 2, {Vec3::Zero(), Quat::Identity()}, Vec3::Zero(), spin)) {}

  Vec3 momentum() {
    const Quat q = world.body(body).pose().rotation;
    return q * kMoments.cwiseProduct(q.conjugate() * world.body(body).angularVelocity());
  }
  Real energy() { return 0.5 * momentum().dot(world.body(body).angularVelocity()); }
};

// 60 s near the unstable middle axis, where the body turns over again and again: 40 rad/s are 0.17
// rad a step. The midpoint rule keeps both to round-off, at any speed.
TEST(SpunBody, KeepsItsEnergyAndTheSizeOfItsMomentum) {
  for (const Integrator integrator : {Integrator::kSemiImplicitEuler, Integrator::kMoreau}) {
    for (const Real speed : {40.0, 1e4}) {
      SpunBrick spun(integrator, 1.0 / 240, {0.01 * speed, speed, 0.01 * speed});
      const Real energy = spun.energy(), momentum = spun.momentum().norm();
      Real lostEnergy = 0, lostMomentum = 0;
      const int steps = speed < 1e3 ? 14400 : 240;
      for (int i = 0; i < steps; ++i) {
        spun.world.step();
        lostEnergy = std::max(lostEnergy, std::abs(spun.energy() / energy - 1));
        lostMomentum = std::max(lostMomentum, std::abs(spun.momentum().norm() / momentum - 1));
      }
      EXPECT_LE(lostEnergy, 1e-12) << speed;
      EXPECT_LE(lostMomentum, 1e-12) << speed;
      EXPECT_LE(std::abs(spun.world.lastReport().energy.gyroscopic), 1e-12 * energy) << speed;
    }
  }
}

// Over a fixed time the drift of L halves with h where velocities are those of the step's end, and
// is quartered where they are those at its ends. So the term has the right sign and size.
TEST(SpunBody, DirectionOfItsMomentumIsOfTheOrderOfTheIntegrator) {
  const auto driftOfMomentum = [](Integrator integrator, Real h) {
    SpunBrick spun(integrator, h, {1, 2, 3});
    const Vec3 before = spun.momentum();
    test::simulate(spun.world, 1);
    return (spun.momentum() - before).norm() / before.norm();
  };
  for (const auto& [integrator, ratio] :
       {std::pair(Integrator::kSemiImplicitEuler, 2.0), std::pair(Integrator::kMoreau, 4.0)}) {
    const Real coarse = driftOfMomentum(integrator, 1.0 / 100);
    const Real fine = driftOfMomentum(integrator, 1.0 / 200);
    EXPECT_LT(coarse, 0.1);
    EXPECT_NEAR(coarse / fine, ratio, 0.05 * ratio);
  }
}

// A disc whose axis leans 0.1 rad off its spin of 20 rad/s nutates: seen from the body, the spin
// circles its axis with (I_3 / I_1 - 1) ω_3, and keeps its distance from it.
TEST(SpunBody, NutationOfADiscDoesNotDie) {
  World world = weightless([] {
    WorldSettings settings = settingsFor("bpp-auto");
    settings.timestep = 1.0 / 240;
    return settings;
  }());
  const BodyId disc = addBody(world, Cylinder{0.2, 0.01}, 1, {Vec3::Zero(), Quat::Identity()},
                              Vec3::Zero(), {2, 0, 20});
  for (int i = 0; i < 2400; ++i) world.step();
  const Vec3 spin =
      world.body(disc).pose().rotation.conjugate() * world.body(disc).angularVelocity();
  EXPECT_NEAR(spin.z(), 20, 1e-10);
  EXPECT_NEAR(spin.head<2>().norm(), 2, 1e-10);
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
