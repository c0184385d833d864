// Projection of the poses after the step.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/physics/pendulums.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

WorldSettings projecting(int iterations = 4) {
  WorldSettings settings = test::settingsFor("bpp-auto");
  settings.projection.iterations = iterations;
  return settings;
}

TEST(Projection, JointErrorsOfASwingingChainStayBelowTheTolerance) {
  const WorldSettings settings = projecting();
  BodyId first, second;
  World world = test::doublePendulum(settings, first, second);
  for (int step = 0; step < 120; ++step) {
    EXPECT_LE(world.step().maxJointDrift, settings.projection.tolerance);
  }
}

TEST(Projection, LeavesVelocitiesAsTheSolverMadeThem) {
  // One step from the same state: only the poses may differ.
  std::vector<World> worlds;
  std::vector<BodyId> ends;
  for (const int iterations : {0, 4}) {
    WorldSettings settings = projecting(iterations);
    settings.holdJoints = false;
    BodyId first, second;
    worlds.push_back(test::doublePendulum(settings, first, second));
    worlds.back().body(second).setVelocity({0, 0, -5}, Vec3::Zero());
    worlds.back().step();
    ends.push_back(second);
  }
  EXPECT_EQ(worlds[0].body(ends[0]).linearVelocity(), worlds[1].body(ends[1]).linearVelocity());
  EXPECT_NE(worlds[0].body(ends[0]).centerOfMass(), worlds[1].body(ends[1]).centerOfMass());
}

TEST(Projection, TakesOverlapBackWithoutThrowingTheBodyUp) {
  World world(projecting(), test::registry());
  test::addGround(world);
  const BodyId box = test::addUnitBox(world, {0, 0, 0.495});
  world.step();
  EXPECT_NEAR(world.body(box).centerOfMass().z(), 0.5, 1e-6);
  for (int step = 0; step < 60; ++step) world.step();
  EXPECT_NEAR(world.body(box).centerOfMass().z(), 0.5, 1e-6);
  EXPECT_NEAR(world.body(box).linearVelocity().z(), 0, 1e-6);
}

TEST(Projection, DeepOverlapLeavesAtThePushSpeed) {
  WorldSettings settings = projecting();
  settings.gravity.setZero();
  World world(settings, test::registry());
  test::addGround(world);
  const BodyId box = test::addUnitBox(world, {0, 0, 0.3});
  // 0.2 m deep at 1 m/s of push-out: 1/60 m a step, 12 steps.
  for (int step = 1; step <= 12; ++step) {
    world.step();
    EXPECT_NEAR(world.body(box).centerOfMass().z(), 0.3 + step / 60.0, 1e-6) << step;
  }
  world.step();
  EXPECT_NEAR(world.body(box).centerOfMass().z(), 0.5, 1e-6);
}

TEST(Projection, HingePastItsLimitTurnsBack) {
  WorldSettings settings = projecting();
  settings.gravity.setZero();
  World world(settings, test::registry());
  const BodyId post = test::addPost(world);
  const BodyId door = test::addBody(world, Box{{0.4, 0.1, 0.5}}, 2, {});
  JointDefinition hinge = hingeJoint(post, door, {}, {});
  hinge.axes[kAboutX] = JointAxis::limited(-0.5, 0.5);
  const JointId joint = world.addJoint(hinge);
  world.body(door).setPose({Vec3::Zero(), test::turn(Vec3::UnitX(), 0.7)});
  world.step();
  EXPECT_NEAR(world.joint(joint).coordinate(kAboutX), 0.5, 1e-9);
  EXPECT_NEAR(world.body(door).angularVelocity().x(), 0, 1e-12);
}

TEST(Projection, WhatIsCompliantOnPurposeKeepsItsStretch) {
  WorldSettings settings = projecting();
  World world(settings, test::registry());
  const BodyId post = test::addPost(world);
  const BodyId load = test::addBody(world, Sphere{0.1}, 10, {{0, 0, -1}, Quat::Identity()});
  JointDefinition joint = ballJoint(post, load, Vec3::Zero(), {0, 0, 1});
  joint.compliance = 1e-2;
  world.addJoint(joint);
  for (int step = 0; step < 600; ++step) world.step();
  // At rest γ φ/h = C λ with λ = m g h: φ = m g h² C/γ.
  const Real h = settings.timestep;
  EXPECT_NEAR(-1 - world.body(load).centerOfMass().z(),
              10 * 9.81 * h * h * 1e-2 / settings.stabilization.gamma, 1e-6);
}

TEST(Projection, SoftMaterialCarriesItsLoadAtTheSameDepth) {
  WorldSettings settings = projecting();
  World world(settings, test::registry());
  world.setMaterialPair(0, 0, {.friction = 0.5, .compliance = 1e-2});
  test::addGround(world);
  const BodyId box = test::addUnitBox(world, {0, 0, 0.5});
  for (int step = 0; step < 600; ++step) world.step();
  // At rest γ φ/h = C λ with λ = m g h/4 a corner; without γ it would sink by h C λ every step.
  const Real h = settings.timestep;
  EXPECT_NEAR(0.5 - world.body(box).centerOfMass().z(),
              9.81 / 4 * h * h * 1e-2 / settings.stabilization.gamma, 1e-8);
  EXPECT_NEAR(world.body(box).linearVelocity().norm(), 0, 1e-8);
}

/// Chains on one turning body, two hinges tied by a gear, and a stack that starts out overlapping.
World manyIslands(int threads) {
  WorldSettings settings = projecting();
  settings.threads = threads;
  settings.geometricStiffness = true;
  World world(settings, test::registry());
  test::addGround(world);
  BodyDefinition carousel{.kind = BodyKind::kKinematic, .angularVelocity = {0, 0, 1}};
  carousel.pose.position = {0, 0, 6};
  const BodyId center = world.addBody(carousel);
  for (int chain = 0; chain < 5; ++chain) {
    BodyId above = center;
    for (int i = 0; i < 4; ++i) {
      const BodyId link = test::addBody(world, Sphere{0.1}, i == 3 ? 20 : 1,
                                        {{0.5 + 0.5 * i, 2.0 * chain, 6}, Quat::Identity()});
      const Vec3 anchor(0.25, i == 0 ? 2.0 * chain : 0, 0);
      world.addJoint(ballJoint(above, link, anchor, {-0.25, 0, 0}));
      above = link;
    }
  }
  const BodyId post = test::addPost(world);
  JointId wheels[2];
  for (int i = 0; i < 2; ++i) {
    const Pose place{{-3.0 * i - 8, 0, 6}, Quat::Identity()};
    const BodyId wheel = test::addBody(world, Box{{0.2, 0.3, 0.4}}, 1, place);
    JointDefinition hinge = hingeJoint(post, wheel, place, {});
    hinge.axes[kAboutX].motor = JointMotor{.target = 4, .maxForce = 2.0 - i};
    wheels[i] = world.addJoint(hinge);
  }
  world.addJoint(gearJoint(wheels[0], wheels[1], -2));
  for (int i = 0; i < 4; ++i) test::addUnitBox(world, {-20, 0, 0.49 + 0.98 * i});
  return world;
}

TEST(Projection, IsTheSameForEveryThreadCountAndAfterRestoring) {
  World one = manyIslands(1), four = manyIslands(4);
  for (int step = 0; step < 60; ++step) {
    one.step();
    four.step();
    ASSERT_EQ(one.observe().hash(), four.observe().hash()) << step;
    ASSERT_EQ(one.lastReport().maxJointDrift, four.lastReport().maxJointDrift) << step;
    if (step == 30) {
      four = manyIslands(3);
      four.restore(one.save());
    }
  }
  EXPECT_EQ(one.observe().islandCount(), 7);
}

TEST(Projection, ChangeOfPotentialIsInTheLedger) {
  BodyId first, second;
  World world = test::doublePendulum(projecting(), first, second);
  Real energy = 0;  // at the start, where both hang at the height of the post
  for (int step = 0; step < 60; ++step) {
    const EnergyLedger ledger = world.step().energy;
    // The pose update moves by h u⁺, and h m g·u⁺ is what it changes of the potential.
    Real fallen = 0;
    for (const BodyId body : {first, second}) {
      fallen += world.settings().timestep * 9.81 * world.body(body).linearVelocity().z();
    }
    EXPECT_NEAR(ledger.potential - energy, fallen + ledger.projection, 1e-12);
    energy = ledger.potential;
  }
}

}  // namespace
}  // namespace drystone
