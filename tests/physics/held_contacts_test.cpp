// Contacts whose bodies turn far within a step keep to the tolerance of overlaps at its end.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/worlds.h"

namespace drystone {
namespace {

/// What some steps show.
struct HeldCourse {
  Real overlap = 0;  ///< deepest [m]
  Real ledger = 0;   ///< what the ledgers leave open [J]
  Real kinetic = 0;  ///< largest [J]
  int missed = 0;    ///< steps
  int repeated = 0;  ///< solves
};

HeldCourse runHeld(World& world, int steps) {
  HeldCourse course;
  for (int step = 0; step < steps; ++step) {
    const StepReport& report = world.step();
    course.overlap = std::max(course.overlap, report.maxPenetration);
    course.ledger = std::max(course.ledger, std::abs(report.energy.ledgerError));
    course.kinetic = std::max(course.kinetic, report.energy.kinetic);
    course.missed += report.overlapsWithin() ? 0 : 1;
    course.repeated += report.repeatedSolves;
  }
  return course;
}

WorldSettings weightlessHeld(bool holds) {
  WorldSettings settings = test::settingsFor("auto", FrictionModel::kNone);
  settings.gravity.setZero();
  settings.holdJoints = holds;
  return settings;
}

/// A bar that turns by ωh = 0.1 rad a step in the plane of x and y, and a ball before it, 0.2 m
/// from the axis.
World sweeper(bool holds) {
  World world(weightlessHeld(holds), test::registry());
  world.addBody({.kind = BodyKind::kKinematic,
                 .shape = Box{{1.5, 0.05, 0.05}},
                 .angularVelocity = {0, 0, 6}});
  test::addBody(world, Sphere{0.05}, 1, {{0.2, 0.1, 0}, Quat::Identity()});
  return world;
}

// In the frame of the bar the ball is at s along it and d = 0.1 m off its axis: s̈ = ω² s with s =
// 0.2 m and ṡ = ω d at first. After ωt = 2 it is at s = 0.2 cosh 2 + 0.1 sinh 2 = 1.115 m, where ṡ
// / ω = 0.2 sinh 2 + 0.1 cosh 2 = 1.101 m: it has ½ m ω² ((1.101 - 0.1)² + 1.115²) = 40.4 J. To
// first order the face turns into it by ωh ṡh a step, 2 mm at first.
TEST(HeldContacts, BallThatABarSweepsOutwardsStaysBeforeItsFace) {
  World held = sweeper(true), free = sweeper(false);
  const HeldCourse with = runHeld(held, 20), without = runHeld(free, 20);
  EXPECT_EQ(with.missed, 0);
  EXPECT_LE(with.overlap, 0.0005);  // half of the tolerance: a hundredth of 0.1 m
  EXPECT_GE(with.repeated, 10);
  EXPECT_LE(with.ledger, 1e-13 * with.kinetic);
  EXPECT_NEAR(with.kinetic, 40.4, 4.0);  // the step is of first order
  EXPECT_GE(without.overlap, 0.02);
  EXPECT_EQ(without.repeated, 0);
  EXPECT_LE(without.kinetic, 33);
}

// The point of a ball that touches is another one each moment: turning adds nothing to its gap.
TEST(HeldContacts, BallThatSpinsIsSolvedOnce) {
  std::vector<World> worlds;
  for (const bool holds : {true, false}) {
    WorldSettings settings = test::settingsFor("auto");
    settings.holdJoints = holds;
    World world(settings, test::registry());
    test::addPlane(world);
    test::addBody(world, Sphere{0.1}, 1, {{0, 0, 0.1}, Quat::Identity()}, Vec3::Zero(), {3, 30, 5});
    EXPECT_EQ(runHeld(world, 60).repeated, 0);
    worlds.push_back(std::move(world));
  }
  EXPECT_EQ(worlds[0].observe().hash(), worlds[1].observe().hash());
}

}  // namespace
}  // namespace drystone
