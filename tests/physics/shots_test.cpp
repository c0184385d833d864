// Nothing passes through anything, however fast it is, and however an impact makes it turn.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "tests/support/random_shots.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

class RandomShots : public testing::TestWithParam<int> {};

// `drystone bench shots` takes more of them. The overlap that a step may leave is a hundredth of
// the projectile's extent, or of both bodies'.
TEST_P(RandomShots, DoNotPass) {
  constexpr int kShots = 500;
  int touched = 0, swept = 0;
  for (int i = GetParam() * kShots; i < (GetParam() + 1) * kShots; ++i) {
    const test::Shot shot = test::makeShot(static_cast<std::uint64_t>(i));
    const test::ShotOutcome outcome = test::fly(shot, test::registry());
    EXPECT_FALSE(outcome.hasPassed)
        << "shot " << i << ": " << shot.projectileName << " at " << shot.targetName;
    EXPECT_FALSE(outcome.hasDiverged) << "shot " << i;
    touched += outcome.hasTouched ? 1 : 0;
    swept += outcome.wasSwept ? 1 : 0;
  }
  EXPECT_GT(touched, kShots * 9 / 10) << "the shots meet their targets";
  EXPECT_GT(swept, kShots / 2) << "most are fast";
}

INSTANTIATE_TEST_SUITE_P(Blocks, RandomShots, testing::Range(0, 2));

// What sinks in so deep by the end of a step that its far side is nearer has no contact there that
// holds it: a cone whose way looks as if the ground held it, and a capsule whose solve misses.
TEST(Shots, ThatAreDeepAtTheEndOfAStep_AreLookedAtOnTheirWay) {
  for (const std::uint64_t seed : {41356, 51637}) {
    const test::ShotOutcome outcome = test::fly(test::makeShot(seed), test::registry());
    EXPECT_TRUE(outcome.hasTouched) << seed;
    EXPECT_FALSE(outcome.hasPassed) << seed;
  }
}

WorldSettings weightless() {
  WorldSettings settings;
  settings.gravity.setZero();
  return settings;
}

BodyId addPlate(World& world, BodyKind kind = BodyKind::kStatic, const Vec3& velocity = {0, 0, 0}) {
  return world.addBody(
      {.name = "plate", .kind = kind, .shape = Box{{2, 2, 5e-4}}, .linearVelocity = velocity});
}

// The impact at one end turns the rod by several radians within the step; its other end then meets
// the plate, and both together stop it.
TEST(Shots, RodThatMeetsAPlateWithOneEnd_StaysOnItsSide) {
  for (const Real speed : {30.0, 100.0, 300.0}) {
    World world(weightless(), test::registry());
    addPlate(world);
    const Pose slanted{{0, 0, 1}, test::turn(Vec3::UnitX(), 0.6)};
    const BodyId rod = test::addBody(world, Capsule{0.01, 0.15}, 1, slanted, {0, 0, -speed});
    for (int i = 0; i < 20; ++i) {
      world.step();
      ASSERT_GT(world.body(rod).centerOfMass().z(), 0) << speed << " m/s, step " << i;
    }
  }
}

// A paddle turns by more than half a turn a step: at both ends of it the ball is free.
TEST(Shots, PaddleThatTurnsThroughABall_TakesItAlong) {
  World world(weightless(), test::registry());
  const BodyId paddle = world.addBody({.name = "paddle",
                                       .kind = BodyKind::kKinematic,
                                       .shape = Box{{1, 0.01, 0.2}},
                                       .angularVelocity = {0, 0, 60 * 3.5}});
  const BodyId ball =
      test::addBody(world, Sphere{0.1}, 1, {{0, 0.7, 0}, Quat::Identity()}, Vec3::Zero());
  world.step();
  EXPECT_GE(world.lastReport().swept, 1);
  EXPECT_GT(world.body(ball).linearVelocity().norm(), 1) << "it was hit";
  (void)paddle;
}

// The ball goes round a mass centre half a metre away, through a plate on its arc: neither the
// start nor the end of the arc, nor the line between them, shows it.
TEST(Shots, BallFarFromItsMassCentre_MeetsAPlateOnItsArc) {
  for (const Real spin : {100.0, 188.5}) {
    World world(weightless(), test::registry());
    world.addBody({.name = "plate",
                   .kind = BodyKind::kStatic,
                   .shape = Box{{5e-4, 0.2, 0.3}},
                   .pose = {{4e-4, 0.5, 0}, Quat::Identity()}});
    const MassProperties mass{
        .mass = 1, .centerOfMass = {-0.5, 0, 0}, .inertia = 0.1 * Mat3::Identity()};
    const BodyId ball = world.addBody({.name = "ball",
                                       .shape = Sphere{0.05},
                                       .pose = {{0.5, 0, 0}, Quat::Identity()},
                                       .mass = mass,
                                       .angularVelocity = {0, 0, spin}});
    for (int i = 0; i < 3; ++i) {
      world.step();
      const Vec3 center = world.body(ball).pose().position;
      const bool isBeyond = center.y() > 0 && center.x() < -0.06;
      ASSERT_FALSE(isBeyond && world.lastReport().looks == 0) << spin << " rad/s, step " << i;
    }
    EXPECT_LT(world.body(ball).angularVelocity().norm(), 0.9 * spin) << "it hit the plate";
  }
}

// The frame of a body far from its centre of mass goes round with it: the way of a step is no
// tangent of that.
TEST(Shots, BodyThatSpinsAboutAPointOutsideItsFrame_MeetsTheGround) {
  World world(weightless(), test::registry());
  test::addPlane(world);
  const Compound beside{{{Sphere{0.1}, {{0.5, 0, 0}, Quat::Identity()}}}};
  BodyDefinition ball{.name = "ball", .shape = beside, .pose = {{-0.5, 0, 2}, Quat::Identity()}};
  ball.linearVelocity = {0, 0, -20};
  ball.angularVelocity = {0, 3000, 0};
  const BodyId id = world.addBody(ball);
  for (int i = 0; i < 20; ++i) {
    world.step();
    ASSERT_GT(world.body(id).centerOfMass().z(), 0.09) << "step " << i;
  }
}

/// A ball that slides on the ground, at 90 m/s by 1.5 m a step, through a wall 1 m ahead of it. The
/// solves have no iterations, so that they miss what bears it.
struct UnsolvedShot {
  World world;
  BodyId wall, ball;

  explicit UnsolvedShot(const Material& ofWall, Real speed = 90,
                        Integrator integrator = Integrator::kSemiImplicitEuler)
      : world(unsolved(integrator), test::registry()) {
    test::addPlane(world);
    wall = world.addBody({.name = "wall",
                          .kind = BodyKind::kStatic,
                          .shape = Box{{5e-4, 2, 2}},
                          .pose = {{1, 0, 0}, Quat::Identity()},
                          .material = world.addMaterial(ofWall)});
    ball = test::addBody(world, Sphere{0.05}, 1, {{0, 0, 0.05}, Quat::Identity()}, {speed, 0, 0});
  }

  static WorldSettings unsolved(Integrator integrator) {
    WorldSettings settings;
    settings.integrator = integrator;
    settings.solver.name = "nsgs";
    settings.solver.budget.iterations = 0;
    return settings;
  }
  Real wayOfAStep() {
    world.step();
    EXPECT_FALSE(world.lastReport().solvesWithin);
    return world.body(ball).centerOfMass().x();
  }
};

TEST(Shots, BallWhoseSolveMisses_StopsBeforeAWallThatHoldsIt) {
  UnsolvedShot shot({});
  EXPECT_NEAR(shot.wayOfAStep(), 0.95, 0.01);
  EXPECT_EQ(shot.world.lastReport().stopped, 1);
}

// It stops where the half step of 0.35 m that follows brings it to the wall, and is found there.
TEST(Shots, BallWhoseSolveMisses_UnderMoreauStopsAHalfStepBeforeAWall) {
  UnsolvedShot shot({}, 42, Integrator::kMoreau);
  EXPECT_NEAR(shot.wayOfAStep(), 0.95 - 0.35, 0.01);
  EXPECT_EQ(shot.world.lastReport().stopped, 1);
}

TEST(Shots, BallWhoseSolveMisses_GoesThroughAWallThatYields) {
  UnsolvedShot shot({.compliance = 1});
  EXPECT_NEAR(shot.wayOfAStep(), 1.5, 1e-9);
  EXPECT_EQ(shot.world.lastReport().stopped, 0);
}

TEST(Shots, BallWhoseSolveMisses_GoesThroughAWallThatAModifierTakesOut) {
  UnsolvedShot shot({});
  Vec3 asked = Vec3::Zero(), normal = Vec3::Zero();
  shot.world.setContactModifier([&](ContactChange& contact) {
    if (contact.bodyA != shot.wall && contact.bodyB != shot.wall) return;
    asked = contact.position;
    normal = contact.bodyB == shot.ball ? contact.normal : Vec3(-contact.normal);
    contact.isDisabled = true;
  });
  EXPECT_NEAR(shot.wayOfAStep(), 1.5, 1e-9);
  EXPECT_EQ(shot.world.lastReport().stopped, 0);
  EXPECT_LT((asked - Vec3(1, 0, 0.05)).norm(), 2e-3);
  EXPECT_LT((normal - Vec3(-1, 0, 0)).norm(), 1e-6);
}

// A needle that turns beside a plate, a thousandth of its thickness above it.
TEST(Shots, NeedleThatTurnsCloselyAboveAPlate_GoesOnAtItsSpeed) {
  World world(weightless(), test::registry());
  addPlate(world);
  const Real radius = 1e-5, speed = 120;
  const Pose start{{-1, 0, 5e-4 + radius * 1.002}, test::turn(Vec3::UnitY(), M_PI / 2)};
  const BodyId needle = test::addBody(world, Capsule{radius, 0.01}, 1, start, {speed, 0, 0});
  world.body(needle).setVelocity({speed, 0, 0}, {0, 0, 100});
  world.step();
  EXPECT_EQ(world.lastReport().stopped, 0);
  EXPECT_NEAR(world.body(needle).centerOfMass().x() + 1, speed / 60, 1e-9);
}

/// Of a second in which a blade of 1 mm turns on a hinge at 180 rad/s, `clearance` above a larger
/// table.
struct SawRun {
  Real turned = 0;  ///< [rad]
  int stopped = 0, swept = 0;

  SawRun(const Shape& blade, Real clearance) {
    World world(weightless(), test::registry());
    const BodyId post = world.addBody({.name = "post", .kind = BodyKind::kStatic});
    const BodyId saw = world.addBody({.name = "blade", .shape = blade, .density = 7800});
    world.addBody({.name = "table",
                   .kind = BodyKind::kStatic,
                   .shape = Box{{0.5, 0.5, 0.05}},
                   .pose = {{0.2, 0, 5e-4 + clearance + 0.05}, Quat::Identity()}});
    const JointId hinge =
        world.addJoint(hingeJoint(post, saw), jointFrame(Vec3::Zero(), Vec3::UnitZ()));
    world.body(saw).setVelocity(Vec3::Zero(), {0, 0, 180});
    for (int i = 0; i < 60; ++i) {
      stopped += world.step().stopped;
      swept = std::max(swept, world.lastReport().swept);
    }
    turned = world.joint(hinge).coordinate(kAboutX);
  }
};

// Its turn brings it no nearer to the table. What is round is not even fast.
TEST(Shots, SawThatTurnsCloselyBesideATable_KeepsTurning) {
  for (const Real clearance : {1e-3, 4e-4, 1e-5}) {
    const SawRun disc(Cylinder{0.3, 5e-4}, clearance);
    EXPECT_NEAR(disc.turned, 180, 1e-3) << clearance;
    EXPECT_EQ(disc.stopped, 0) << clearance;
    EXPECT_EQ(disc.swept, 0) << clearance;
    const SawRun bar(Box{{0.3, 0.02, 5e-4}}, clearance);
    EXPECT_NEAR(bar.turned, 180, 1e-3) << clearance;
    EXPECT_EQ(bar.stopped, 0) << clearance;
    EXPECT_EQ(bar.swept, 1) << clearance;
  }
}

}  // namespace
}  // namespace drystone
