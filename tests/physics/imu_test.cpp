// What inertial units on bodies measure, against closed forms.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "tests/support/constants.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

using test::kGravity;

struct ImuCase {
  Integrator integrator;
  int substeps;
};

class Imu : public testing::TestWithParam<ImuCase> {
 protected:
  static WorldSettings settings() {
    WorldSettings settings = test::settingsFor("bpp-auto");
    settings.integrator = GetParam().integrator;
    settings.substeps = GetParam().substeps;
    settings.sleeping.enabled = false;
    return settings;
  }
};

INSTANTIATE_TEST_SUITE_P(Steps, Imu,
                         testing::Values(ImuCase{Integrator::kSemiImplicitEuler, 1},
                                         ImuCase{Integrator::kSemiImplicitEuler, 4},
                                         ImuCase{Integrator::kMoreau, 1},
                                         ImuCase{Integrator::kMoreau, 4}),
                         [](const auto& parameter) {
                           const bool isEuler =
                               parameter.param.integrator == Integrator::kSemiImplicitEuler;
                           return (isEuler ? "Euler" : "Moreau") +
                                  std::to_string(parameter.param.substeps);
                         });

TEST_P(Imu, OfABoxAtRest_ReadsGUpwardsInTheAxesOfItsSite) {
  World world(settings(), test::registry());
  test::addGround(world);
  const BodyId box = test::addUnitBox(world, {0, 0, 0.5});
  EXPECT_FALSE(world.body(box).imu());  // no step yet
  test::simulate(world, 0.5);
  const Quat tilt = test::turn(Vec3::UnitY(), 0.5);
  const std::optional<ImuReading> read = world.body(box).imu({{0.3, -0.2, 0.4}, tilt});
  ASSERT_TRUE(read);
  EXPECT_NEAR((read->specificForce - tilt.conjugate() * Vec3(0, 0, kGravity)).norm(), 0, 1e-6);
  EXPECT_NEAR(read->angularVelocity.norm(), 0, 1e-7);
  EXPECT_NEAR(read->angularAcceleration.norm(), 0, 1e-5);
}

// A free sphere keeps its spin: a site feels only what turning makes of it, wherever it is by now.
TEST_P(Imu, OfASphereInFreeFall_ReadsOnlyItsTurning) {
  World world(settings(), test::registry());
  BodyDefinition definition{.shape = Sphere{0.5}};
  definition.angularVelocity = {0, 3, 0};
  definition.linearVelocity = {1, 2, 3};
  const BodyId ball = world.addBody(definition);
  definition.pose.position = {5, 0, 0};
  definition.gravityScale = 0.5;  // a field of its own, in which it falls freely, too
  const BodyId light = world.addBody(definition);
  for (int i = 0; i < 20; ++i) {
    world.step();
    for (const BodyId id : {ball, light}) {
      EXPECT_NEAR(world.body(id).imu()->specificForce.norm(), 0, 1e-10);
      const ImuReading read = *world.body(id).imu({{0.4, 0, 0}});
      EXPECT_NEAR((read.specificForce - Vec3(-3 * 3 * 0.4, 0, 0)).norm(), 0, 1e-10);
      EXPECT_NEAR((read.angularVelocity - Vec3(0, 3, 0)).norm(), 0, 1e-12);
    }
  }
}

TEST_P(Imu, OnATurntable_ReadsTheCentripetalAcceleration) {
  World world(settings(), test::registry());
  BodyDefinition table{.kind = BodyKind::kKinematic};
  table.angularVelocity = {0, 0, 5};
  const BodyId steady = world.addBody(table);
  // Gathers speed by 4 rad/s², about an axis that lies.
  table.motion = {{0, Vec3::Zero(), Vec3::Zero()}, {1, Vec3::Zero(), {4, 0, 0}}};
  const BodyId faster = world.addBody(table);
  // Falls with half of g.
  table.motion = {{0, Vec3::Zero(), Vec3::Zero()}, {1, {0, 0, -kGravity / 2}, Vec3::Zero()}};
  const BodyId lift = world.addBody(table);
  const Real h = world.settings().substep();
  for (int i = 0; i < 30; ++i) {
    world.step();
    const ImuReading turning = *world.body(steady).imu({{2, 0, 0}});
    EXPECT_NEAR((turning.specificForce - Vec3(-25 * 2, 0, kGravity)).norm(), 0, 1e-10);
    EXPECT_NEAR((turning.angularVelocity - Vec3(0, 0, 5)).norm(), 0, 1e-12);
    const ImuReading spun = *world.body(faster).imu({{0, 2, 0}});
    const Real middle = world.time() - h / 2, rate = 4 * middle, angle = 2 * middle * middle;
    EXPECT_NEAR(spun.angularVelocity.x(), rate, 1e-10);
    EXPECT_NEAR(spun.angularAcceleration.x(), 4, 1e-9);
    // Of the angle of the middle the step knows as much as its mean rate tells: 2 (h/2)² of it.
    const Vec3 up(0, kGravity * std::sin(angle), kGravity * std::cos(angle));
    EXPECT_NEAR((spun.specificForce - Vec3(0, -rate * rate * 2, 4 * 2) - up).norm(), 0,
                kGravity * h * h);
    EXPECT_NEAR(world.body(lift).imu()->specificForce.z(), kGravity / 2, 1e-9);
  }
}

TEST_P(Imu, OnABelt_ReadsMuGUntilTheBoxGoesAlong) {
  World world(settings(), test::registry());
  world.setMaterialPair(0, 0, {.friction = 0.4});
  BodyDefinition belt{.kind = BodyKind::kStatic, .shape = Box{{50, 50, 1}}};
  belt.pose.position = {0, 0, -1};
  belt.surfaceVelocity = {2, 0, 0};
  world.addBody(belt);
  const BodyId box = test::addBody(world, Box{{0.5, 0.5, 0.05}}, 2, {{0, 0, 0.05}});
  test::simulate(world, 0.3);
  EXPECT_NEAR((world.body(box).imu()->specificForce - Vec3(0.4 * kGravity, 0, kGravity)).norm(), 0,
              1e-5);
  test::simulate(world, 0.5);
  EXPECT_NEAR((world.body(box).imu()->specificForce - Vec3(0, 0, kGravity)).norm(), 0, 1e-5);
}

/// A rod of mass m and inertia I swings down from horizontal, its centre L below the pivot: ω² =
/// 2 m g L sin θ / (I + m L²). What its readings miss within 0.3 rad of the lowest point, at most.
struct SwingErrors {
  Real center = 0;  ///< of g sin θ + ω² L along the rod, at the centre of mass [m/s²]
  Real pivot = 0;   ///< of g upwards at the pivot, which rests [m/s²]
};

SwingErrors swing(WorldSettings settings, Real substep) {
  constexpr Real kLength = 0.7, kMass = 3, kInertia = 0.5;
  settings.timestep = settings.substeps * substep;
  World world(settings, test::registry());
  const BodyId post = world.addBody({.kind = BodyKind::kStatic});
  BodyDefinition rod;
  rod.mass = MassProperties{kMass, Vec3::Zero(), kInertia * Mat3::Identity()};
  rod.pose.position = {kLength, 0, 0};
  const BodyId id = world.addBody(rod);
  // About the y axis of the world.
  const Quat frame = test::turn(Vec3::UnitZ(), std::acos(0.0));
  world.addJoint(hingeJoint(post, id, {Vec3::Zero(), frame}, {{-kLength, 0, 0}, frame}));
  const Real back = settings.integrator == Integrator::kMoreau ? substep / 2 : substep;
  SwingErrors errors;
  while (world.time() < 0.75) {
    world.step();
    const Vec3 along = world.body(id).pose().rotation * Vec3::UnitX();
    const Real angle =
        std::atan2(-along.z(), along.x()) - back * world.body(id).angularVelocity().y();
    if (std::abs(angle - std::acos(0.0)) > 0.3) continue;
    const Real squared =
        2 * kMass * kGravity * kLength * std::sin(angle) / (kInertia + kMass * kLength * kLength);
    const Real pull = kGravity * std::sin(angle) + squared * kLength;
    const Vec3 up = kGravity * Vec3(-std::sin(angle), 0, std::cos(angle));
    const ImuReading center = *world.body(id).imu();
    const ImuReading pivot = *world.body(id).imu({{-kLength, 0, 0}});
    errors.center = std::max(errors.center, std::abs(center.specificForce.x() + pull));
    errors.pivot = std::max(errors.pivot, (pivot.specificForce - up).norm());
  }
  return errors;
}

TEST_P(Imu, OnAPendulum_ReadsTheClosedFormToSecondOrder) {
  const SwingErrors coarse = swing(settings(), 0.01), fine = swing(settings(), 0.005);
  EXPECT_LT(coarse.center, 0.003);  // of 3 g
  EXPECT_LT(coarse.pivot, 0.004);
  EXPECT_NEAR(coarse.center / fine.center, 4, 0.4);
  EXPECT_NEAR(coarse.pivot / fine.pivot, 4, 0.4);
}

// It would turn by half a radian in the step, and waits at the floor after half of it. The force
// acts until then, along the x axis that it has at the start.
TEST(ImuOnTheWay, OfABallThatWaits_ReadsInTheAxesOfItsStart) {
  WorldSettings settings = test::settingsFor("bpp-auto");
  settings.gravity.setZero();
  World world(settings, test::registry());
  world.setMaterialPair(0, 0, {.friction = 0, .restitution = 1});
  test::addPlane(world);
  const BodyId ball = test::addBody(world, Sphere{0.1}, 2, {{0, 0, 0.15}}, {0, 0, -6}, {0, 0, 30});
  world.body(ball).applyForce({4, 0, 0});
  world.step();
  ASSERT_NEAR(world.body(ball).centerOfMass().z(), 0.1, 1e-9);
  const std::optional<ImuReading> read = world.body(ball).imu();
  ASSERT_TRUE(read);
  EXPECT_NEAR((read->specificForce - Vec3(1, 0, 0)).norm(), 0, 1e-9);
}

// Only what the step did is acceleration, and what it was done with counts.
TEST_P(Imu, WhatIsChangedFromOutside_IsNoAcceleration) {
  World world(settings(), test::registry());
  test::addGround(world);
  const BodyId box = test::addUnitBox(world, {0, 0, 0.5});
  test::simulate(world, 0.2);
  const ImuReading before = *world.body(box).imu();
  world.body(box).setVelocity({1, 2, 3}, {4, 5, 6});
  world.body(box).applyImpulse({1, 0, 0}, {0, 0, 1});
  world.setGravity({0, 0, -1});
  const ImuReading after = *world.body(box).imu();
  EXPECT_EQ(after.specificForce, before.specificForce);
  EXPECT_EQ(after.angularVelocity, before.angularVelocity);
  EXPECT_EQ(after.angularAcceleration, before.angularAcceleration);
}

TEST_P(Imu, OfWhatIsNotAsInTheLastStep_IsNone) {
  World world(settings(), test::registry());
  const BodyId moved = test::addUnitBox(world, {0, 0, 0});
  const BodyId remade = test::addUnitBox(world, {5, 0, 0});
  const BodyId removed = test::addUnitBox(world, {10, 0, 0});
  const BodyId post = world.addBody({.kind = BodyKind::kStatic});
  EXPECT_EQ(world.body(post).imu()->specificForce, Vec3(0, 0, kGravity));
  world.step();
  world.body(moved).setPose({{0, 0, 5}});
  EXPECT_FALSE(world.body(moved).imu());
  world.body(remade).setMass({2, {0.1, 0, 0}, Mat3::Identity()});
  EXPECT_FALSE(world.body(remade).imu());
  world.removeBody(removed);
  const BodyId next = test::addUnitBox(world, {10, 0, 0});
  ASSERT_EQ(next.index, removed.index);
  EXPECT_FALSE(world.body(next).imu());
  world.step();
  for (const BodyId id : {moved, remade, next}) {
    EXPECT_NEAR(world.body(id).imu()->specificForce.norm(), 0, 1e-10);
  }
  world.body(moved).applyForce({1e300, 0, 0});
  ASSERT_TRUE(world.step().hasDiverged());
  EXPECT_FALSE(world.body(remade).imu());
}

TEST_P(Imu, AfterARestore_IsNoneUntilTheNextStepThatReadsTheSameBits) {
  World world(settings(), test::registry());
  test::addGround(world);
  const BodyId box = test::addUnitBox(world, {0, 0, 0.6}, {1, 0, 0});
  test::simulate(world, 0.1);
  const auto state = world.save();
  world.step();
  const Vec3 first = world.body(box).imu({{0.1, 0.2, 0.3}})->specificForce;
  world.restore(state);
  EXPECT_FALSE(world.body(box).imu());
  world.step();
  EXPECT_EQ(world.body(box).imu({{0.1, 0.2, 0.3}})->specificForce, first);
}

TEST_P(Imu, OfWhatSleeps_ReadsRest) {
  WorldSettings sleepy = settings();
  sleepy.sleeping.enabled = true;
  World world(sleepy, test::registry());
  test::addGround(world);
  const BodyId box = test::addUnitBox(world, {0, 0, 0.5});
  while (world.body(box).isAwake() && world.time() < 5) world.step();
  ASSERT_FALSE(world.body(box).isAwake());
  test::simulate(world, 0.1);
  EXPECT_EQ(world.body(box).imu()->specificForce, Vec3(0, 0, kGravity));
  world.restore(world.save());
  EXPECT_EQ(world.body(box).imu()->specificForce, Vec3(0, 0, kGravity));
  world.body(box).wake();
  EXPECT_FALSE(world.body(box).imu());  // none of a step with it since
  world.step();
  EXPECT_NEAR(world.body(box).imu()->specificForce.z(), kGravity, 1e-6);
}

}  // namespace
}  // namespace drystone
