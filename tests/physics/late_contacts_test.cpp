// Bodies that meet at features which the start of a step does not show, and steps that are halved.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/random.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

/// What some steps show.
struct Course {
  Real overlap = 0;     ///< deepest beyond what is forgiven [m]
  Real jointError = 0;  ///< largest [m]
  Real ledger = 0;      ///< what the ledgers leave open [J]
  Real kinetic = 0;     ///< largest [J]
  int missed = 0;       ///< steps
  int looks = 0, halvings = 0;
};

Course run(World& world, int steps) {
  Course course;
  for (int step = 0; step < steps; ++step) {
    const StepReport& report = world.step();
    course.overlap = std::max(course.overlap, report.overlapError);
    course.jointError = std::max(course.jointError, report.jointError);
    course.ledger = std::max(course.ledger, std::abs(report.energy.ledgerError));
    course.kinetic = std::max(course.kinetic, report.energy.kinetic);
    course.missed += report.withinTolerance ? 0 : 1;
    course.looks += report.looks;
    course.halvings += report.halvings;
  }
  return course;
}

WorldSettings weightless(bool holds, Integrator integrator = Integrator::kSemiImplicitEuler) {
  WorldSettings settings = test::settingsFor("auto", FrictionModel::kNone);
  settings.gravity.setZero();
  settings.holdJoints = holds;
  settings.integrator = integrator;
  return settings;
}

/// A bar that turns by ωh = 0.4 rad a step about its middle.
void addBlade(World& world) {
  world.addBody({.kind = BodyKind::kKinematic,
                 .shape = Box{{1.5, 0.05, 0.05}},
                 .angularVelocity = {0, 0, 24}});
}

/// A ball at rest 1 m from there, 0.45 rad ahead of the bar.
BodyId addBall(World& world) {
  const Real angle = 0.45;
  return test::addBody(world, Sphere{0.05}, 1,
                       {{std::cos(angle), std::sin(angle), 0}, Quat::Identity()});
}

// Before the step the ball is 0.335 m off the bar's face. After it the axis of the bar stands at
// 0.4 rad, sin 0.05 = 0.04998 m from the ball's centre, which has to be 0.1 m away: the face pushes
// it there within the step, at 0.05002 m / h = 3.001 m/s across the bar. Half of the tolerance,
// a hundredth of 0.1 m, may be left: 0.03 m/s.
TEST(LateContacts, BladeThatTurnsIntoABallPushesItToItsFace) {
  World world(weightless(true), test::registry());
  addBlade(world);
  const BodyId ball = addBall(world);
  const Course course = run(world, 1);
  EXPECT_GE(course.looks, 1);
  EXPECT_EQ(course.halvings, 0);
  const Vec3 across(-std::sin(0.4), std::cos(0.4), 0);
  EXPECT_NEAR(world.body(ball).linearVelocity().dot(across), 3.001, 0.03);
  EXPECT_LE(course.ledger, 1e-13 * course.kinetic);
}

// The face moves at ω · 0.05 m = 1.2 m/s along itself, away from the axis of the bar's turning.
// Where friction sticks, the ball's surface goes with it: its impulse p gives v = p/m along the
// bar, and 2.5 v on top at the surface, 3.5 v = 1.2 m/s. Where it slips, p = μ · 3.001 N s. The
// spin is 2.5 v / R either way.
TEST(LateContacts, FrictionOfABladeSpinsABallAboutItsOwnSurface) {
  for (const Real friction : {0.05, 0.3}) {
    WorldSettings settings = weightless(true);
    settings.friction = FrictionModel::kCone;
    World world(settings, test::registry());
    world.setMaterialPair(0, 0, {.friction = friction});
    addBlade(world);
    const BodyId ball = addBall(world);
    run(world, 1);
    const Vec3 along(-std::cos(0.4), -std::sin(0.4), 0);
    const Real expected = std::min(1.2 / 3.5, friction * 3.001);
    EXPECT_NEAR(world.body(ball).linearVelocity().dot(along), expected, 0.01 * expected);
    EXPECT_NEAR(std::abs(world.body(ball).angularVelocity().z()), 2.5 * expected / 0.05,
                0.5 * expected);
  }
}

// Friction along the bar's own direction, at 45 degrees to its length, is three times that across.
// The bar has turned by 0.4 rad when it reaches the ball, and its direction with it. The face slips
// along the bar, and the ellipse gives from that (9 - 1) / (9 + 1) as much along z. Friction is so
// small that the slip stays.
TEST(LateContacts, FrictionOfABladeHasTheDirectionsOfItsEnd) {
  WorldSettings settings = weightless(true);
  settings.friction = FrictionModel::kCone;
  World world(settings, test::registry());
  const MaterialId grain = world.addMaterial(
      {.friction = 6e-4, .frictionAcross = 2e-4, .frictionDirection = Vec3(1, 0, 1)});
  world.setMaterialPair(grain, 0, world.material(grain));
  world.addBody({.kind = BodyKind::kKinematic,
                 .shape = Box{{1.5, 0.05, 0.05}},
                 .angularVelocity = {0, 0, 24},
                 .material = grain});
  const BodyId ball = addBall(world);
  EXPECT_GE(run(world, 1).looks, 1);
  const Vec3 velocity = world.body(ball).linearVelocity();
  const Real along = velocity.dot(Vec3(std::cos(0.4), std::sin(0.4), 0));
  EXPECT_GT(std::abs(along), 5e-4);
  EXPECT_NEAR(velocity.z() / along, 0.8, 0.01);
}

// The ball flies off by 0.05 m within the step, and is reached where it is then: the arm that makes
// moments of rolling impulses is its radius.
TEST(LateContacts, RollingArmOfABallIsItsRadius) {
  WorldSettings settings = test::settingsFor("sor-prox", FrictionModel::kRolling);
  settings.gravity.setZero();
  World world(settings, test::registry());
  world.setMaterialPair(0, 0, {.friction = 0.3, .rollingResistance = 0.01});
  addBlade(world);
  const BodyId ball = addBall(world);
  world.body(ball).setVelocity({3, 0, 0}, Vec3::Zero());
  EXPECT_GE(run(world, 1).looks, 1);
  const auto blocks = world.observe().islandProblem(0).blocks;
  ASSERT_GE(blocks.size(), 1);
  for (const ProblemBlock& block : blocks) EXPECT_NEAR(block.rolling, 0.01 / 0.05, 1e-3);
}

// What sleeps has no part in a step, also where a late contact throws something at it: the next
// detection wakes it.
TEST(LateContacts, BodyThatSleepsIsWokenByTheNextDetection) {
  WorldSettings settings = weightless(true);
  settings.sleeping.enabled = true;
  World world(settings, test::registry());
  const BodyId blade =
      world.addBody({.kind = BodyKind::kKinematic, .shape = Box{{1.5, 0.05, 0.05}}});
  const BodyId ball = addBall(world);
  const Vec3 across(-std::sin(0.4), std::cos(0.4), 0);
  // Their boxes meet, which makes them a pair of the detection, but they are 15 mm apart.
  const Vec3 behind = Vec3(std::cos(0.45), std::sin(0.45), 0) + 0.115 * across;
  const BodyId sleeper = test::addBody(world, Sphere{0.05}, 1, {behind, Quat::Identity()});
  run(world, 120);
  ASSERT_FALSE(world.body(sleeper).isAwake());
  world.body(ball).wake();
  world.body(blade).setVelocity(Vec3::Zero(), {0, 0, 24});
  EXPECT_GE(run(world, 1).looks, 1);
  EXPECT_FALSE(world.body(sleeper).isAwake());
  EXPECT_EQ(world.body(sleeper).linearVelocity(), Vec3::Zero());
  EXPECT_GE(world.body(ball).linearVelocity().norm(), 2.9);
  run(world, 2);
  EXPECT_TRUE(world.body(sleeper).isAwake());
  EXPECT_GE(world.body(sleeper).linearVelocity().dot(across), 0.5);
}

// A bounce waits at the touch, also one that is found late: few looks are repeated in vain. Bodies
// that wait for one touch may still be run into by another one: 5 of 200 steps show that.
TEST(LateContacts, BoxesThatBounceNeedFewLooks) {
  int looks = 0, halvings = 0, missed = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random random(seed);
    const auto vector = [&] {
      Vec3 out;
      for (Real& entry : out) entry = random.uniform(-1, 1);
      return out;
    };
    World world(weightless(true), test::registry());
    world.setMaterialPair(0, 0, {.friction = 0, .restitution = 0.5});
    for (int i = 0; i < 2; ++i) {
      const Vec3 place = Vec3(0.4 * i, 0, 0) + 0.1 * vector();
      const Quat rotation = test::turn(vector().normalized(), random.uniform(-3, 3));
      const Vec3 velocity = Vec3(4 - 8 * i, 0, 0) + vector();
      test::addBody(world, Box{{0.04, 0.09, 0.2}}, 1, {place, rotation}, velocity, 12 * vector());
    }
    const Course course = run(world, 10);
    missed += course.missed;
    looks += course.looks;
    halvings += course.halvings;
  }
  EXPECT_LE(looks, 120);
  EXPECT_LE(halvings, 4);
  EXPECT_LE(missed, 10);
}

// A link that turns by 3 rad in a step is given up: the step is that of two half as long.
TEST(LateContacts, HalvedStepIsTwoStepsOfHalfItsLength) {
  const auto makeWorld = [](Real timestep) {
    WorldSettings settings = test::settingsFor("auto");
    settings.timestep = timestep;
    World world(settings, test::registry());
    const BodyId holder = world.addBody({.kind = BodyKind::kStatic});
    const BodyId link = test::addBody(world, Sphere{0.1}, 1, {{1, 0, 0}, Quat::Identity()},
                                      {0, 0, 60 * 1.5}, {0, -60 * 1.5, 0});
    world.addJoint(ballJoint(holder, link, {0, 0, 0}, {-1, 0, 0}));
    return std::pair(std::move(world), link);
  };
  auto [whole, link] = makeWorld(1.0 / 60);
  auto [half, same] = makeWorld(1.0 / 120);
  const Course course = run(whole, 1);
  ASSERT_EQ(course.halvings, 1);
  EXPECT_EQ(run(half, 2).halvings, 0);
  EXPECT_NEAR(whole.time(), half.time(), 1e-15);
  EXPECT_LE((whole.body(link).centerOfMass() - half.body(same).centerOfMass()).norm(), 1e-9);
  EXPECT_LE((whole.body(link).linearVelocity() - half.body(same).linearVelocity()).norm(), 1e-7);
  EXPECT_LE(course.ledger, 1e-13 * course.kinetic);
}

// The next detection of moreau lies half of a whole step after the last part of a halved one.
TEST(LateContacts, StepOfMoreauIsNotHalved) {
  WorldSettings settings = test::settingsFor("auto");
  settings.integrator = Integrator::kMoreau;
  World world(settings, test::registry());
  const BodyId holder = world.addBody({.kind = BodyKind::kStatic});
  const BodyId link = test::addBody(world, Sphere{0.1}, 1, {{1, 0, 0}, Quat::Identity()},
                                    {0, 0, 60 * 30}, {0, -60 * 30, 0});
  world.addJoint(ballJoint(holder, link, {0, 0, 0}, {-1, 0, 0}));
  const Course course = run(world, 1);
  EXPECT_EQ(course.halvings, 0);
  EXPECT_GT(world.lastReport().unsettled, world.lastReport().jointTolerance / 2);
}

// What the blade does to the ball is no matter of whether others are solved beside them.
TEST(LateContacts, IslandsWithoutOneKeepTheirAnswersBitForBit) {
  const auto stackOf = [](World& world) {
    test::addGround(world);
    std::vector<BodyId> stack;
    for (int i = 0; i < 4; ++i) {
      stack.push_back(test::addBody(world, Box{{0.2, 0.2, 0.2}}, 1 + i,
                                    {{10, 0.01 * i, 0.2 + 0.4 * i}, Quat::Identity()}));
    }
    return stack;
  };
  WorldSettings settings = test::settingsFor("auto");
  World alone(settings, test::registry()), beside(settings, test::registry());
  const std::vector<BodyId> stack = stackOf(alone);
  ASSERT_EQ(stackOf(beside), stack);
  beside.addBody({.kind = BodyKind::kKinematic,
                  .shape = Box{{1.5, 0.05, 0.05}},
                  .pose = {{0, 0, 2}, Quat::Identity()},
                  .angularVelocity = {0, 0, 24}});
  test::addBody(beside, Sphere{0.05}, 1, {{std::cos(0.45), std::sin(0.45), 2}, Quat::Identity()});
  // Its tolerance is that of the smaller bodies beside it.
  EXPECT_EQ(run(alone, 1).looks, 0);
  EXPECT_GE(run(beside, 1).looks, 1);
  for (const BodyId body : stack) {
    EXPECT_EQ(alone.body(body).linearVelocity(), beside.body(body).linearVelocity());
    EXPECT_EQ(alone.body(body).angularVelocity(), beside.body(body).angularVelocity());
  }
}

/// Boxes and capsules that tumble in a cage.
World cage(bool holds, Integrator integrator, Real timestep, int threads = 1) {
  WorldSettings settings = weightless(holds, integrator);
  settings.timestep = timestep;
  settings.threads = threads;
  settings.friction = FrictionModel::kCone;
  World world(settings, test::registry());
  for (int axis = 0; axis < 3; ++axis) {
    for (const Real side : {-1.0, 1.0}) {
      Vec3 half = Vec3::Constant(0.9), place = Vec3::Zero();
      half[axis] = 0.1;
      place[axis] = 0.9 * side;
      world.addBody({.shape = Box{half}, .pose = {place, Quat::Identity()}});
    }
  }
  Random random(7);
  const auto vector = [&] {
    Vec3 out;
    for (Real& entry : out) entry = random.uniform(-1, 1);
    return out;
  };
  for (int i = 0; i < 27; ++i) {
    const Vec3 place = 0.5 * Vec3(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1);
    const Shape shape = i % 3 == 0 ? Shape(Capsule{0.05, 0.12}) : Shape(Box{{0.04, 0.09, 0.2}});
    const Quat rotation = test::turn(vector().normalized(), random.uniform(-3, 3));
    const Vec3 velocity = 3 * vector();
    test::addBody(world, shape, 1, {place, rotation}, velocity, 12 * vector());
  }
  return world;
}

TEST(LateContacts, BodiesThatTumbleInACageNeverOverlapByMoreThanTheTolerance) {
  for (const Integrator integrator : {Integrator::kSemiImplicitEuler, Integrator::kMoreau}) {
    World held = cage(true, integrator, 1.0 / 60), free = cage(false, integrator, 1.0 / 60);
    const Course with = run(held, 60), without = run(free, 60);
    EXPECT_EQ(with.missed, 0) << with.overlap;
    EXPECT_GE(with.looks, 10);
    EXPECT_LE(with.ledger, 1e-13 * with.kinetic);
    EXPECT_GE(without.missed, 20);
    EXPECT_EQ(without.looks, 0);
  }
}

TEST(LateContacts, ThreadsChangeNoBit) {
  test::expectSameBitsForEveryThreadCount(
      [](int threads) { return cage(true, Integrator::kSemiImplicitEuler, 1.0 / 60, threads); }, 30,
      [](const World&) {});
}

}  // namespace
}  // namespace drystone
