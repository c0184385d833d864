// Islands at rest that are left out of the step: when they fall asleep, why they do not, and what
// wakes them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <vector>

#include "core/input_error.h"
#include "tests/support/worlds.h"
#include "tests/unit/engine/step/sleepers.h"

namespace drystone {
namespace {

using test::addStack;
using test::awakeOf;
using test::sleepy;

class Sleep : public testing::TestWithParam<int> {};

TEST_P(Sleep, OfARestingStack_ComesAfterItsTimeAndCostsNoRows) {
  World world(sleepy(true, GetParam()), test::registry());
  test::addGround(world);
  const std::vector<BodyId> stack = addStack(world, 5);
  for (int i = 1; i < 30; ++i) {
    const StepReport& report = world.step();
    ASSERT_EQ(report.islands.size(), 1u);
    EXPECT_EQ(report.islands[0].awake, AwakeReason::kNotLongEnough) << i;
    EXPECT_EQ(report.asleepBodies, 0);
  }
  // 30 steps of 1/60 s are the half second that it takes.
  EXPECT_EQ(world.step().islands[0].awake, AwakeReason::kNone);
  EXPECT_EQ(world.lastReport().asleepBodies, 5);
  EXPECT_EQ(world.lastReport().asleepIslands, 1);
  const std::uint64_t before = world.observe().hash();
  const Pose top = world.body(stack.back()).pose();
  for (int i = 0; i < 10; ++i) {
    const StepReport& report = world.step();
    EXPECT_EQ(report.rows, 0);
    EXPECT_EQ(report.contacts, 0);
    EXPECT_EQ(report.asleepIslands, 1);
    EXPECT_TRUE(world.lastEvents().contactsEnded.empty());
    EXPECT_LE(report.maxPenetration, 1e-8);  // half a second at some 1e-8 m/s
  }
  EXPECT_NE(world.observe().hash(), before);  // time goes on
  EXPECT_EQ(world.body(stack.back()).pose().position, top.position);
  EXPECT_EQ(world.body(stack.back()).pose().rotation.coeffs(), top.rotation.coeffs());
}

TEST_P(Sleep, BeforeIt_NotABitDiffers) {
  World with(sleepy(true, GetParam()), test::registry());
  World without(sleepy(false, GetParam()), test::registry());
  for (World* world : {&with, &without}) {
    test::addGround(*world);
    addStack(*world, 3);
    test::addBody(*world, Sphere{0.3}, 1, {{4, 0, 2}, Quat::Identity()}, {1, 0, 0});
  }
  while (with.lastReport().asleepBodies == 0 && with.time() < 2) {
    for (const BodyId body : with.bodies()) {
      ASSERT_EQ(with.body(body).linearVelocity(), without.body(body).linearVelocity());
      ASSERT_EQ(with.body(body).angularVelocity(), without.body(body).angularVelocity());
      ASSERT_EQ(with.body(body).pose().position, without.body(body).pose().position);
      ASSERT_EQ(with.body(body).pose().rotation.coeffs(),
                without.body(body).pose().rotation.coeffs());
    }
    with.step();
    without.step();
  }
  EXPECT_LT(with.time(), 2);
}

TEST_P(Sleep, ThrownBall_WakesTheStackThatItHits) {
  World world(sleepy(true, GetParam()), test::registry());
  test::addGround(world);
  const std::vector<BodyId> stack = addStack(world, 4);
  const std::vector<BodyId> other = addStack(world, 2, 10);
  test::simulate(world, 0.6);
  ASSERT_EQ(world.lastReport().asleepIslands, 2);
  test::addBody(world, Sphere{0.3}, 2, {{-3, 0, 2.5}, Quat::Identity()}, {15, 0, 1});
  int steps = 0;
  while (awakeOf(world, stack) == 0 && ++steps < 30) world.step();
  EXPECT_EQ(awakeOf(world, stack), 4);  // all of it in the same step
  EXPECT_EQ(awakeOf(world, other), 0);
  // The 16 contacts of the stack went on from the impulses that it fell asleep with; the ball's may
  // be a few inner steps old.
  EXPECT_GE(world.lastReport().warmStarted, 16);
  EXPECT_TRUE(std::none_of(
      world.lastEvents().contactsBegun.begin(), world.lastEvents().contactsBegun.end(),
      [&](const ContactEvent& e) { return e.bodyA == stack[0] && e.bodyB == stack[1]; }));
  test::simulate(world, 0.3);
  EXPECT_GT(world.body(stack[2]).linearVelocity().x(), 0.05);
}

TEST_P(Sleep, RemovedSupport_WakesWhatItCarried) {
  World world(sleepy(true, GetParam()), test::registry());
  BodyDefinition table{.kind = BodyKind::kStatic, .shape = Box{{5, 5, 0.5}}};
  table.pose.position = {0, 0, -0.5};
  const BodyId support = world.addBody(table);
  const std::vector<BodyId> stack = addStack(world, 2);
  test::simulate(world, 0.6);
  ASSERT_EQ(awakeOf(world, stack), 0);
  world.removeBody(support);
  world.step();
  EXPECT_EQ(awakeOf(world, stack), 2);
  EXPECT_EQ(world.lastEvents().contactsEnded.size(), 1u);
  test::simulate(world, 0.2);
  EXPECT_LT(world.body(stack[1]).linearVelocity().z(), -1.5);  // g · 0.2 s = 1.96 m/s
}

TEST_P(Sleep, EnergyThatWasLeft_IsBookedAndTheLedgerCloses) {
  WorldSettings settings = sleepy(true, GetParam());
  settings.sleeping.linearSpeed = 0.3;
  settings.sleeping.time = 0.1;
  settings.gravity.setZero();
  World world(settings, test::registry());
  test::addBody(world, Sphere{0.5}, 2, {Vec3::Zero(), Quat::Identity()}, {0.2, 0, 0});
  Real kinetic = 0.5 * 2 * 0.2 * 0.2, slept = 0;
  for (int i = 0; i < 12; ++i) {
    const EnergyLedger& ledger = world.step().energy;
    EXPECT_NEAR(ledger.ledgerError, 0, 1e-15);
    EXPECT_NEAR(ledger.kinetic, kinetic + ledger.kineticAfter - ledger.kineticBefore + ledger.sleep,
                1e-15);
    kinetic = ledger.kinetic;
    slept += ledger.sleep;
  }
  EXPECT_NEAR(slept, -0.04, 1e-15);  // ½ m v²
  EXPECT_EQ(kinetic, 0);
}

INSTANTIATE_TEST_SUITE_P(Substeps, Sleep, testing::Values(1, 3));

TEST(Sleeping, WhatSleeps_IsDetectedOnceAndKeepsItsOverlapAndIsland) {
  World world(sleepy(), test::registry());
  test::addPlane(world);
  const std::vector<BodyId> boxes = addStack(world, 3);
  while (awakeOf(world, boxes) > 0) world.step();
  const Real overlap = world.step().maxPenetration;
  std::size_t points = 0;
  world.observe().onDetection([&](std::span<const ContactPoint> found) { points += found.size(); });
  world.step();
  EXPECT_EQ(points, 0u);
  EXPECT_EQ(world.lastReport().maxPenetration, overlap);
  EXPECT_EQ(world.lastReport().asleepIslands, 1);
  world.body(boxes[2]).wake();
  world.step();
  EXPECT_EQ(points, 12u);  // four each of all pairs of the island
  EXPECT_EQ(awakeOf(world, boxes), 3);
  EXPECT_EQ(world.lastReport().warmStarted, 12);
}

TEST(SleepReason, RollingSphere_IsTooFast) {
  World world(sleepy(), test::registry());
  test::addPlane(world);
  const BodyId ball = test::addBody(world, Sphere{0.5}, 1, {{0, 0, 0.5}, Quat::Identity()},
                                    {0.02, 0, 0}, {0, 0.04, 0});
  test::simulate(world, 2);
  EXPECT_TRUE(world.body(ball).isAwake());
  EXPECT_EQ(world.lastReport().islands[0].awake, AwakeReason::kTooFast);
  EXPECT_EQ(awakeReasonName(AwakeReason::kTooFast), "too fast");
}

TEST(SleepReason, TimeOfZero_StillAsksForASlowStep) {
  WorldSettings settings = sleepy();
  settings.sleeping.time = 0;
  settings.gravity.setZero();
  World world(settings, test::registry());
  const BodyId fast =
      test::addBody(world, Sphere{0.5}, 1, {Vec3::Zero(), Quat::Identity()}, {1, 0, 0});
  const BodyId slow =
      test::addBody(world, Sphere{0.5}, 1, {{9, 0, 0}, Quat::Identity()}, {0.001, 0, 0});
  world.step();
  EXPECT_TRUE(world.body(fast).isAwake());
  EXPECT_FALSE(world.body(slow).isAwake());
}

TEST(SleepReason, BodyAtTheTopOfASlowThrow_FallsOn) {
  // Slower than 0.01 m/s for two seconds about the top: long enough, but nothing holds it.
  WorldSettings settings = sleepy();
  settings.gravity = {0, 0, -0.01};
  World world(settings, test::registry());
  const BodyId ball =
      test::addBody(world, Sphere{0.1}, 1, {Vec3::Zero(), Quat::Identity()}, {0, 0, 0.01});
  test::simulate(world, 5);
  EXPECT_TRUE(world.body(ball).isAwake());
  EXPECT_NEAR(world.body(ball).linearVelocity().z(), 0.01 - 0.01 * world.time(), 1e-12);
}

TEST(SleepReason, MissedTolerance_KeepsAnIslandAwake) {
  WorldSettings settings = sleepy();
  settings.solver.name = "sor-prox";
  settings.solver.budget.iterations = 3;
  settings.solver.budget.tolerance = 1e-14;
  World world(settings, test::registry());
  test::addGround(world);
  const std::vector<BodyId> stack = addStack(world, 6);
  test::simulate(world, 3);
  EXPECT_EQ(awakeOf(world, stack), 6);
}

TEST(SleepReason, BodyThatMayNot_KeepsItsIslandAwake) {
  World world(sleepy(), test::registry());
  test::addGround(world);
  const BodyId lower = test::addUnitBox(world, {0, 0, 0.5});
  BodyDefinition watch{.shape = Box{}};
  watch.pose.position = {0, 0, 1.5};
  watch.allowSleep = false;
  world.addBody(watch);
  test::simulate(world, 1);
  EXPECT_TRUE(world.body(lower).isAwake());
  EXPECT_EQ(world.lastReport().islands[0].awake, AwakeReason::kDisabled);
}

TEST(SleepReason, AppliedForce_KeepsAwakeAndWakes) {
  World world(sleepy(), test::registry());
  test::addGround(world);
  const BodyId box = test::addUnitBox(world, {0, 0, 0.5});
  for (int i = 0; i < 60; ++i) {
    world.body(box).applyForce({0.1, 0, 0});  // friction bears it
    world.step();
  }
  EXPECT_EQ(world.lastReport().islands[0].awake, AwakeReason::kAppliedLoad);
  test::simulate(world, 0.6);
  EXPECT_FALSE(world.body(box).isAwake());
  world.body(box).applyForce(Vec3::Zero());
  EXPECT_FALSE(world.body(box).isAwake());
  world.body(box).applyTorque({0, 0, 0.1});
  EXPECT_TRUE(world.body(box).isAwake());
}

TEST(SleepReason, Belt_KeepsAwakeWhatItCarries) {
  World world(sleepy(), test::registry());
  BodyDefinition belt{.kind = BodyKind::kStatic, .shape = Plane{}};
  belt.surfaceVelocity = {1e-3, 0, 0};
  world.addBody(belt);
  test::addUnitBox(world, {0, 0, 0.5});
  test::simulate(world, 1);
  EXPECT_EQ(world.lastReport().islands[0].awake, AwakeReason::kMovingNeighbour);
}

TEST(SleepReason, Schedule_WakesItsIslandWhenItMoves) {
  World world(sleepy(), test::registry());
  const BodyId post = world.addBody({.kind = BodyKind::kStatic});
  const BodyId arm = test::addBody(world, Box{{0.5, 0.1, 0.1}}, 1, {{0.5, 0, 0}, Quat::Identity()});
  const Pose axis{Vec3::Zero(), test::turn(Vec3::UnitZ(), std::acos(0.0))};
  JointDefinition hinge = hingeJoint(post, arm, axis, {{-0.5, 0, 0}, axis.rotation});
  hinge.axes[kAboutX].motor = JointMotor{.kind = MotorKind::kPosition,
                                         .target = Schedule({{0, 0}, {1, 0}, {1.5, -0.5}}),
                                         .maxForce = 100};
  const JointId joint = world.addJoint(hinge);
  test::simulate(world, 0.95);
  EXPECT_FALSE(world.body(arm).isAwake());
  EXPECT_NEAR(world.joint(joint).reaction().force.z(), 9.81, 1e-6);  // held as before
  test::simulate(world, 0.2);
  EXPECT_EQ(world.lastReport().islands[0].awake, AwakeReason::kMotor);
  test::simulate(world, 0.45);
  EXPECT_NEAR(world.joint(joint).coordinate(kAboutX), -0.5, 1e-3);
  test::simulate(world, 0.6);
  EXPECT_FALSE(world.body(arm).isAwake());
  world.joint(joint).setMotorTarget(kAboutX, -0.5);
  EXPECT_TRUE(world.body(arm).isAwake());
}

TEST(Wake, WhatChangesABodyOrItsIsland_WakesIt) {
  const std::vector<std::function<void(World&, BodyId lower, BodyId upper)>> changes = {
      [](World& w, BodyId lower, BodyId) { w.body(lower).wake(); },
      [](World& w, BodyId lower, BodyId) {
        w.body(lower).setVelocity({0.1, 0, 0}, Vec3::Zero());
      },
      [](World& w, BodyId lower, BodyId) {
        w.body(lower).setPose({{9, 0, 0.5}, Quat::Identity()});
      },
      [](World& w, BodyId lower, BodyId) { w.removeBody(lower); },
      [](World& w, BodyId, BodyId) {
        w.setGravity({0, 0, -1});
      },
      [](World& w, BodyId, BodyId) { w.setMaterialPair(0, 0, {.friction = 0}); },
      [](World& w, BodyId a, BodyId b) {
        w.addJoint(ballJoint(a, b, {0, 0, 0.5}, {0, 0, -0.5}));
      },
      [](World& w, BodyId, BodyId) { w.removeJoint({0}); },
      [](World& w, BodyId, BodyId) {  // a wall put beside the stack, and touching it
        BodyDefinition wall{.kind = BodyKind::kStatic, .shape = Box{}};
        wall.pose.position = {1.001, 0, 1.5};
        w.addBody(wall);
      },
      [](World& w, BodyId, BodyId) {  // the ground drops away faster than the margin
        w.body(w.findBody("lift")).setVelocity({0, 0, -3}, Vec3::Zero());
      }};
  for (const Integrator integrator : {Integrator::kSemiImplicitEuler, Integrator::kMoreau}) {
    for (std::size_t i = 0; i < changes.size(); ++i) {
      WorldSettings settings = sleepy();
      settings.integrator = integrator;
      World world(settings, test::registry());
      BodyDefinition lift{.name = "lift", .kind = BodyKind::kKinematic, .shape = Box{{5, 5, 1}}};
      lift.pose.position = {0, 0, -1};
      world.addBody(lift);
      const std::vector<BodyId> stack = addStack(world, 2);
      const BodyId post = world.addBody({.kind = BodyKind::kStatic});
      world.addJoint(distanceJoint(post, stack[1], {0, 0, 5}, Vec3::Zero(), 0, 9));
      test::simulate(world, 0.7);
      ASSERT_EQ(awakeOf(world, stack), 0) << i;
      changes[i](world, stack[0], stack[1]);
      world.step();
      EXPECT_TRUE(world.body(stack[1]).isAwake()) << i;
      EXPECT_TRUE(!world.contains(stack[0]) || world.body(stack[0]).isAwake()) << i;
    }
  }
}

TEST(SleepInput, NegativeThresholds_AreRefused) {
  WorldSettings settings = sleepy();
  settings.sleeping.linearSpeed = -1;
  settings.sleeping.time = std::nan("");
  try {
    World world(settings, test::registry());
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("sleeping.linear_speed must be ≥ 0 m/s, got -1"));
    EXPECT_THAT(error.what(), testing::HasSubstr("sleeping.time must be ≥ 0 s, got nan"));
  }
}

}  // namespace
}  // namespace drystone
