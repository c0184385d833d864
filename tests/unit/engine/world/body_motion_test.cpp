// Damping, scaled gravity and locked axes against closed forms.
#include <gtest/gtest.h>

#include <cmath>

#include "core/input_error.h"
#include "tests/unit/engine/world/live_bodies.h"

namespace drystone {
namespace {

constexpr int kSteps = 50;
constexpr Real kRoundOff = 1e-12;

WorldSettings settingsWithoutGravity() {
  WorldSettings settings = test::settingsFor("bpp-auto");
  settings.gravity.setZero();
  return settings;
}

// u_n = u_0 / (1 + h c)^n, for v and ω by themselves.
TEST(Damping, DividesTheVelocityOfEveryStep) {
  World world(settingsWithoutGravity(), test::registry());
  const BodyId box = test::addUnitBox(world, {0, 0, 0}, {3, 0, 4});
  world.body(box).setVelocity({3, 0, 4}, {0, 2, 0});
  world.body(box).setDamping(0.7, 4);
  const Real h = world.settings().timestep;
  for (int i = 0; i < kSteps; ++i) world.step();
  const Real linear = 5 / std::pow(1 + 0.7 * h, kSteps);
  const Real angular = 2 / std::pow(1 + 4 * h, kSteps);
  EXPECT_NEAR(world.body(box).linearVelocity().norm(), linear, kRoundOff);
  EXPECT_NEAR(world.body(box).angularVelocity().norm(), angular, kRoundOff);
}

// What falls ends at v = g / c: u = (u + h g) / (1 + h c) stands there.
TEST(Damping, OfWhatFalls_EndsAtGOverC) {
  World world = test::groundedWorld();
  const BodyId box = test::addUnitBox(world, {0, 0, 1000});
  world.body(box).setDamping(10, 0);
  test::simulate(world, 5);
  EXPECT_NEAR(world.body(box).linearVelocity().z(), -0.981, kRoundOff);
}

// The work of the damping is all of what a free body loses, and the ledger closes.
TEST(Damping, ItsWorkIsInTheLedger) {
  for (const bool isMoreau : {false, true}) {
    WorldSettings settings = settingsWithoutGravity();
    if (isMoreau) settings.integrator = Integrator::kMoreau;
    World world(settings, test::registry());
    const BodyId box = test::addBody(world, Box{{0.5, 0.3, 0.2}}, 2, {}, {1, 2, 3}, {1, 0.2, 2});
    world.body(box).setDamping(1, 2);
    for (int i = 0; i < 20; ++i) {
      const EnergyLedger ledger = world.step().energy;
      EXPECT_LT(ledger.damping, -0.01);
      EXPECT_NEAR(ledger.external, 0, kRoundOff);
      EXPECT_NEAR(ledger.ledgerError, 0, kRoundOff);
      EXPECT_NEAR(ledger.kineticAfter - ledger.kineticBefore, ledger.damping + ledger.gyroscopic,
                  kRoundOff);
    }
  }
}

TEST(GravityScale, OfZero_Floats) {
  World world = test::groundedWorld();
  const BodyId box = test::addUnitBox(world, {0, 0, 5});
  world.body(box).setGravityScale(0);
  test::simulate(world, 1);
  EXPECT_EQ(world.body(box).pose().position, Vec3(0, 0, 5));
}

TEST(GravityScale, OfZero_SleepsInTheAir) {
  World world = test::groundedWorld(test::sleepy());
  const BodyId box = test::addUnitBox(world, {0, 0, 5});
  world.body(box).setGravityScale(0);
  test::simulate(world, 2);
  EXPECT_FALSE(world.body(box).isAwake());
  world.body(box).setGravityScale(1);
  test::simulate(world, 0.5);
  EXPECT_LT(world.body(box).pose().position.z(), 4.5);
}

// ½ m v² + s m g z stays, with the scale in the potential.
TEST(GravityScale, IsInThePotential) {
  World world = test::groundedWorld();
  const BodyId box = test::addUnitBox(world, {0, 0, 5});
  world.body(box).setGravityScale(0.25);
  const StepReport& report = world.step();
  const Real z = world.body(box).pose().position.z();
  EXPECT_NEAR(report.energy.potential, 0.25 * 9.81 * z, kRoundOff);
  EXPECT_NEAR(world.body(box).linearVelocity().z(), -0.25 * 9.81 / 60, kRoundOff);
}

TEST(LockedAxes, NothingMovesAlongThem) {
  for (const char* solver : {"bpp-auto", "nsgs", "apgd", "sor-prox"}) {
    World world = test::groundedWorld(test::settingsFor(solver));
    const BodyId box = test::addUnitBox(world, {0, 0, 0.5});
    world.body(box).setLockedAxes({{true, false, true}, {true, true, false}});
    test::addBody(world, Sphere{0.3}, 5, {{-1.5, 0.2, 0.7}, Quat::Identity()}, {4, 1, 0});
    test::addBody(world, Sphere{0.3}, 5, {{0.2, -1.5, 0.7}, Quat::Identity()}, {0, 4, 0});
    for (int i = 0; i < 60; ++i) {
      world.body(box).applyForceAt({30, 5, 20}, {0.4, 0.3, 0.9});
      world.step();
      ASSERT_TRUE(world.lastReport().withinTolerance) << solver;
    }
    const ConstBodyHandle body = world.body(box);
    const Pose pose = body.pose();
    EXPECT_EQ(pose.position.x(), 0);
    EXPECT_EQ(pose.position.z(), 0.5);
    EXPECT_NEAR(pose.rotation.x(), 0, kRoundOff);
    EXPECT_NEAR(pose.rotation.y(), 0, kRoundOff);
    EXPECT_GT(std::abs(pose.position.y()), 0.01) << solver;
    EXPECT_GT(std::abs(pose.rotation.z()), 0.01) << solver;
  }
}

// A ball of mass m against one that is locked along the line of impact bounces as off a wall.
TEST(LockedAxes, AreAsHeavyAsAWall) {
  WorldSettings settings = settingsWithoutGravity();
  World world(settings, test::registry());
  world.setMaterialPair(0, 0, {.friction = 0, .restitution = 1});
  const BodyId ball =
      test::addBody(world, Sphere{0.5}, 3, {{-1.2, 0, 0}, Quat::Identity()}, {2, 0, 0});
  const BodyId locked = test::addBody(world, Sphere{0.5}, 1, {});
  world.body(locked).setLockedAxes({{true, false, false}, {}});
  test::simulate(world, 1);
  EXPECT_NEAR(world.body(ball).linearVelocity().x(), -2, 1e-7);  // contacts yield by 1e-9/kg
  EXPECT_EQ(world.body(locked).linearVelocity().x(), 0);
}

// The ledger of a body that turns about one axis only, off its principal axes, in a joint.
TEST(LockedAxes, TheLedgerCloses) {
  World world = test::groundedWorld();
  const BodyId post = world.addBody({.kind = BodyKind::kStatic});
  const BodyId bob = test::addBody(world, Box{{0.5, 0.3, 0.2}}, 2,
                                   {{1, 0, 5}, test::turn(Vec3(1, 2, 3).normalized(), 1)});
  world.addJoint(ballJoint(post, bob, {0, 0, 5}, world.body(bob).pose().inverse() * Vec3(0, 0, 5)));
  world.body(bob).setLockedAxes({{false, true, false}, {true, false, true}});
  for (int i = 0; i < 100; ++i) {
    const StepReport& report = world.step();
    EXPECT_NEAR(report.energy.ledgerError, 0, 1e-10);
    EXPECT_LT(report.maxJointDrift, 1e-3);
  }
  EXPECT_EQ(world.body(bob).linearVelocity().y(), 0);
  EXPECT_GT(std::abs(world.body(bob).angularVelocity().y()), 0.1);
}

// A body free to turn about two axes keeps its energy to the second order in h.
TEST(LockedAxes, OneLockedRotation_KeepsTheEnergy) {
  WorldSettings settings = settingsWithoutGravity();
  settings.timestep = 1e-3;
  World world(settings, test::registry());
  const BodyId box = test::addBody(world, Box{{0.5, 0.3, 0.2}}, 2,
                                   {{0, 0, 0}, test::turn(Vec3(1, 2, 3).normalized(), 1)});
  world.body(box).setLockedAxes({{}, {true, false, false}});
  world.body(box).setVelocity(Vec3::Zero(), {7, 2, 3});
  EXPECT_EQ(world.body(box).angularVelocity(), Vec3(0, 2, 3));
  const Real before = world.step().energy.kinetic;
  test::simulate(world, 1);
  EXPECT_NEAR(world.lastReport().energy.kinetic / before, 1, 0.02);
}

}  // namespace
}  // namespace drystone
