// Loads that a body's definition schedules, against their integrals.
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "tests/support/worlds.h"

namespace drystone {
namespace {

using test::settingsFor;

/// A triangle of 0.3 s to the height of 10 N and 4 N m, of which no corner lies on a step of 1/60
/// s.
const std::vector<ForceKey> kTriangle = {
    {.time = 0.105},
    {.time = 0.211, .force = {10, 0, -5}, .torque = {0, 0, 4}},
    {.time = 0.405},
};
/// ∫ F dt of it: half of base times height [N s], [N m s].
const Vec3 kImpulse = 0.5 * 0.3 * Vec3(10, 0, -5);
const Vec3 kAngularImpulse = 0.5 * 0.3 * Vec3(0, 0, 4);

struct Pushed {
  World world;
  BodyId body;
  explicit Pushed(WorldSettings settings, std::vector<ForceKey> forces = kTriangle)
      : world([&] {
          settings.gravity.setZero();
          return World(settings, test::registry());
        }()) {
    BodyDefinition definition;
    // Apart from the reference frame, in which a force would turn the body.
    definition.mass =
        MassProperties{.mass = 2, .centerOfMass = {0.4, 0, 0}, .inertia = 0.5 * Mat3::Identity()};
    definition.forces = std::move(forces);
    body = world.addBody(definition);
  }
};

TEST(ForceSchedule, GivesItsImpulseWhateverTheStep) {
  for (const Integrator integrator : {Integrator::kSemiImplicitEuler, Integrator::kMoreau}) {
    for (const Real h : {1.0 / 60, 1.0 / 240, 0.5}) {
      for (const int substeps : {1, 3}) {
        WorldSettings settings = settingsFor("bpp-auto");
        settings.integrator = integrator;
        settings.timestep = h;
        settings.substeps = substeps;
        Pushed pushed(settings);
        test::simulate(pushed.world, 0.5);
        const auto body = pushed.world.body(pushed.body);
        EXPECT_LT((body.linearVelocity() - kImpulse / 2).norm(), 1e-12) << h;
        EXPECT_LT((body.angularVelocity() - kAngularImpulse / 0.5).norm(), 1e-12) << h;
      }
    }
  }
}

TEST(ForceSchedule, IsHeldBeforeTheFirstKeyAndAfterTheLast) {
  // 6 N until 0.1 s, down to 2 N at 0.2 s, and 2 N from then on: 0.6 + 0.4 + 0.6 N s until 0.5 s.
  Pushed pushed(settingsFor("bpp-auto"),
                {{.time = 0.1, .force = {6, 0, 0}}, {.time = 0.2, .force = {2, 0, 0}}});
  test::simulate(pushed.world, 0.5);
  EXPECT_NEAR(pushed.world.body(pushed.body).linearVelocity().x(), 1.6 / 2, 1e-12);
}

TEST(ForceSchedule, AddsToWhatIsAppliedAndToTheWorkOfTheLedger) {
  Pushed pushed(settingsFor("bpp-auto"));
  Real work = 0;
  while (pushed.world.time() < 0.5 - 1e-9) {
    pushed.world.body(pushed.body).applyForce({0, 3, 0});
    work += pushed.world.step().energy.external;
  }
  const Vec3 v = pushed.world.body(pushed.body).linearVelocity();
  const Vec3 omega = pushed.world.body(pushed.body).angularVelocity();
  EXPECT_NEAR(v.y(), 3 * 0.5 / 2, 1e-12);
  // ½ m v² + ½ I ω² with m = 2 and I = 0.5.
  EXPECT_NEAR(work, v.squaredNorm() + 0.25 * omega.squaredNorm(), 1e-12);
}

TEST(ForceSchedule, WakesASleeperWhenItBeginsAndNotBefore) {
  for (const int substeps : {1, 4}) {
    WorldSettings settings = settingsFor("bpp-auto");
    settings.sleeping.enabled = true;
    settings.substeps = substeps;
    // Zero until 2.005 s, and zero again from 2.015 s on, all within the step that ends at 2.01667.
    Pushed pushed(settings,
                  {{.time = 2.005}, {.time = 2.01, .force = {100, 0, 0}}, {.time = 2.015}});
    while (pushed.world.time() < 2 - 1e-9) pushed.world.step();
    EXPECT_FALSE(pushed.world.body(pushed.body).isAwake());
    pushed.world.step();
    EXPECT_TRUE(pushed.world.body(pushed.body).isAwake());
    EXPECT_NEAR(pushed.world.body(pushed.body).linearVelocity().x(), 0.5 * 0.01 * 100 / 2, 1e-12);
  }
}

TEST(ForceSchedule, KeepsAwakeWhileItIsNotZero) {
  WorldSettings settings = settingsFor("bpp-auto");
  settings.sleeping.enabled = true;
  World world(settings, test::registry());
  test::addGround(world);
  BodyDefinition definition{.shape = Box{}, .pose = {{0, 0, 0.5}, Quat::Identity()}};
  definition.forces = {{.time = 2, .force = {1, 0, 0}}, {.time = 2.1}};
  const BodyId box = world.addBody(definition);
  // It lies still: friction holds 1 N. It falls asleep with the first step after the load.
  while (world.time() < 2.1 - 1e-9) {
    world.step();
    EXPECT_TRUE(world.body(box).isAwake() || world.time() > 2.1 - 1e-9) << world.time();
  }
  world.step();
  EXPECT_FALSE(world.body(box).isAwake());
}

}  // namespace
}  // namespace drystone
