// Bodies that meet at features which the start of a step does not show, and steps that are halved.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

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
