// A step whose velocities or positions would leave all bounds is not finished, and says so.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/worlds.h"

namespace drystone {
namespace {

using test::addUnitBox;
using testing::HasSubstr;

/// Far above what a force may do to a body of 1 kg: h F = 2e298 m/s.
const Vec3 kHugeForce{0, 0, 1e300};

WorldSettings settingsWith(int substeps, Integrator integrator) {
  WorldSettings settings = test::settingsFor("bpp");
  settings.substeps = substeps;
  settings.integrator = integrator;
  return settings;
}

TEST(Divergence, HugeForce_LeavesTheBodiesAsTheyWereAndNamesTheFirst) {
  for (const int substeps : {1, 4}) {
    World world(settingsWith(substeps, Integrator::kSemiImplicitEuler), test::registry());
    const BodyId calm = addUnitBox(world, {5, 0, 0}, {1, 0, 0});
    const BodyId pushed = addUnitBox(world, {0, 0, 0}, {0, 2, 0});
    world.body(pushed).applyForce(kHugeForce);
    const StepReport& report = world.step();
    EXPECT_EQ(report.diverged, pushed);
    EXPECT_TRUE(report.failed);
    EXPECT_FALSE(report.withinTolerance);
    EXPECT_EQ(world.body(pushed).pose().position, Vec3(0, 0, 0));
    EXPECT_EQ(world.body(pushed).linearVelocity(), Vec3(0, 2, 0));
    EXPECT_EQ(world.body(calm).pose().position, Vec3(5, 0, 0));
    // The time passes, or whoever steps up to a time would not end.
    EXPECT_NEAR(world.time(), world.settings().timestep, 1e-15);
    EXPECT_EQ(world.stepCount(), 1);
    EXPECT_NEAR(report.energy.kinetic, 0.5 * (1 + 4), 1e-12);
    EXPECT_THAT(world.observe().failure(), HasSubstr("step 1 diverged"));
  }
}

// The force is gone: from where it stands the box falls for one step, by g h².
TEST(Divergence, NextStep_GoesOnFromThere) {
  World world(settingsWith(1, Integrator::kSemiImplicitEuler), test::registry());
  const BodyId box = addUnitBox(world, {0, 0, 0});
  world.body(box).applyForce(kHugeForce);
  world.step();
  EXPECT_FALSE(world.step().hasDiverged());
  EXPECT_EQ(world.observe().failure(), "");
  const Real h = world.settings().timestep;
  EXPECT_NEAR(world.body(box).pose().position.z(), -9.81 * h * h, 1e-12);
}

TEST(Divergence, PutsNothingToSleep) {
  for (const bool diverges : {false, true}) {
    WorldSettings settings = settingsWith(1, Integrator::kSemiImplicitEuler);
    settings.sleeping = {.enabled = true, .time = settings.timestep / 2};
    World world(settings, test::registry());
    test::addGround(world);
    addUnitBox(world, {0, 0, 0.5});
    const BodyId other = addUnitBox(world, {9, 0, 9}, {1, 0, 0});
    if (diverges) world.body(other).applyForce(kHugeForce);
    EXPECT_EQ(world.step().asleepBodies, diverges ? 0 : 1);
  }
}

TEST(Divergence, SumOfForcesThatIsInfinite_LeavesNoNaN) {
  for (const Integrator integrator : {Integrator::kSemiImplicitEuler, Integrator::kMoreau}) {
    World world(settingsWith(2, integrator), test::registry());
    test::addGround(world);
    const BodyId box = addUnitBox(world, {0, 0, 0.5}, {0.1, 0, 0});
    for (int i = 0; i < 2; ++i) world.body(box).applyForceAt({0, 0, -1.7e308}, {0.3, 0, 0.5});
    EXPECT_EQ(world.step().diverged, box);
    for (int i = 0; i < 10; ++i) {
      EXPECT_FALSE(world.step().hasDiverged()) << i;
      EXPECT_TRUE(world.body(box).pose().position.allFinite());
      EXPECT_LT(world.lastReport().maxSpeed, 1);
    }
  }
}

// 9.9e14 m and 1/60 s at 9e14 m/s are 1.005e15 m; 1e6 m/s is fast, and far from it.
TEST(Divergence, PlaceBeyondTheBound_IsOneToo) {
  WorldSettings settings = settingsWith(1, Integrator::kSemiImplicitEuler);
  settings.gravity.setZero();
  World world(settings, test::registry());
  addUnitBox(world, {0, 0, 0}, {1e6, 0, 0});
  EXPECT_FALSE(world.step().hasDiverged());
  const BodyId far = addUnitBox(world, {9.9e14, 0, 0}, {9e14, 0, 0});
  EXPECT_EQ(world.step().diverged, far);
  EXPECT_EQ(world.body(far).pose().position.x(), 9.9e14);
}

TEST(Divergence, WhatTouched_GoesOnTouching) {
  World world(settingsWith(1, Integrator::kSemiImplicitEuler), test::registry());
  test::addGround(world);
  addUnitBox(world, {0, 0, 0.5});
  const BodyId other = addUnitBox(world, {9, 0, 5});
  world.step();
  world.body(other).applyForce(kHugeForce);
  EXPECT_TRUE(world.step().hasDiverged());
  EXPECT_TRUE(world.lastEvents().contactsEnded.empty());
  world.step();
  EXPECT_TRUE(world.lastEvents().contactsBegun.empty());
  EXPECT_EQ(world.lastEvents().contactsLasting.size(), 1U);
}

}  // namespace
}  // namespace drystone
