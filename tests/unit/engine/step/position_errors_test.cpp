// Whether joints and contacts hold, beside the residual of the solves: their tolerances, what
// counts, what is forgiven, and whom the report names.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "engine/step/position_errors.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

using test::addUnitBox;

WorldSettings adrift() {
  WorldSettings settings = test::settingsFor("bpp");
  settings.gravity.setZero();
  return settings;
}

/// Two unit boxes whose ball joint starts `gap` apart. Both may have another joint before it.
JointId addTornPair(World& world, Real gap, std::optional<Real> compliance = std::nullopt) {
  const BodyId a = addUnitBox(world, {0, 0, 0});
  const BodyId b = addUnitBox(world, {2 + gap, 0, 0});
  JointDefinition joint = ballJoint(a, b, {1, 0, 0}, {-1, 0, 0});
  joint.compliance = compliance;
  return world.addJoint(joint);
}

TEST(PositionErrors, TornJoint_MissesThoughItsSolveDoesNot) {
  World world(adrift(), test::registry());
  const JointId joint = addTornPair(world, 0.1);
  const StepReport& report = world.step();
  EXPECT_TRUE(report.solvesWithin);
  EXPECT_FALSE(report.withinTolerance);
  EXPECT_TRUE(report.overlapsWithin());
  EXPECT_NEAR(report.jointError, 0.1, 1e-12);
  EXPECT_EQ(report.worstJoint, joint);
  EXPECT_EQ(report.worstJointBodies.bodyA, world.bodies()[0]);
  EXPECT_EQ(report.worstJointBodies.bodyB, world.bodies()[1]);
  test::simulate(world, 1);  // a fifth is taken back a step: 0.1 · 0.8^60 m are left
  EXPECT_TRUE(world.lastReport().withinTolerance) << world.lastReport().jointError;
}

TEST(PositionErrors, JointMadeCompliant_IsLeftOut) {
  World world(adrift(), test::registry());
  addTornPair(world, 0.1, 1e-3);
  const StepReport& report = world.step();
  EXPECT_NEAR(report.maxJointDrift, 0.1, 1e-12);
  EXPECT_EQ(report.jointError, 0);
  EXPECT_TRUE(report.withinTolerance);
}

TEST(PositionErrors, TurnOfAJoint_CountsTimesTheMedianExtent) {
  WorldSettings settings = adrift();
  World world(settings, test::registry());
  const BodyId a = test::addBody(world, Box{{1, 1, 1}}, 1, {});
  const BodyId b =
      test::addBody(world, Box{{1, 1, 1}}, 1, {{4, 0, 0}, test::turn(Vec3::UnitX(), 0.05)});
  world.addJoint(fixedJoint(a, b, {{2, 0, 0}, Quat::Identity()}, {{-2, 0, 0}, Quat::Identity()}));
  const StepReport& report = world.step();
  EXPECT_NEAR(report.maxJointTurn, 0.05, 1e-12);
  EXPECT_NEAR(report.jointError, 0.05 * 2, 1e-12);
  EXPECT_FALSE(report.withinTolerance);  // 5 % of a size, where 1 % is the tolerance
}

TEST(PositionErrors, Tolerances_AreAHundredthOfTheMedianExtentUnlessGiven) {
  WorldSettings settings = adrift();
  settings.overlapTolerance = 0.25;
  World world(settings, test::registry());
  test::addGround(world);  // does not count, nor does what has no volume of its own
  EXPECT_EQ(world.step().jointTolerance, kInfinity);
  for (const Real halfThickness : {0.1, 0.2, 5.0}) {
    test::addBody(world, Box{{8, 9, halfThickness}}, 1,
                  {{0, 0, 100 * halfThickness}, Quat::Identity()});
  }
  EXPECT_DOUBLE_EQ(world.step().jointTolerance, 0.01 * 0.4);
  EXPECT_EQ(world.lastReport().overlapTolerance, 0.25);
  world.removeBody(world.bodies()[1]);
  world.removeBody(world.bodies()[1]);
  EXPECT_DOUBLE_EQ(world.step().jointTolerance, 0.01 * 10);
}

TEST(PositionErrors, OverlapOfTheStart_IsForgivenWhileItIsTakenBack) {
  for (const Real depth : {0.05, 0.4}) {
    World world(test::settingsFor("bpp"), test::registry());
    test::addGround(world);
    addUnitBox(world, {0, 0, 0.5 - depth});
    EXPECT_NEAR(world.step().maxPenetration, depth, 1e-12);
    EXPECT_NEAR(world.lastReport().overlapForgiven, depth, 1e-12);
    EXPECT_EQ(world.lastReport().worstForgiven.bodyB, world.bodies()[1]);
    for (int i = 0; i < 120; ++i) {
      ASSERT_TRUE(world.lastReport().withinTolerance) << i << ' ' << depth;
      world.step();
    }
    EXPECT_LE(world.lastReport().maxPenetration, 1e-6);
    EXPECT_EQ(world.lastReport().overlapForgiven, 0);
  }
}

TEST(PositionErrors, OverlapWithinTheTolerance_CountsAsNoneForgiven) {
  World world(test::settingsFor("bpp"), test::registry());
  test::addGround(world);
  addUnitBox(world, {0, 0, 0.5 - 0.009});  // of 0.01 m
  EXPECT_EQ(world.step().overlapForgiven, 0);
  EXPECT_TRUE(world.lastReport().withinTolerance);
}

TEST(PositionErrors, OverlapThatNothingTakesBack_IsForgivenNoLongerThanItShouldLast) {
  WorldSettings settings = adrift();
  settings.stabilization.gamma = 0;
  World world(settings, test::registry());
  test::addGround(world);
  const BodyId box = addUnitBox(world, {0, 0, 0.4});
  int missed = 0;
  for (int i = 0; i < 60; ++i) missed += world.step().overlapsWithin() ? 0 : 1;
  EXPECT_GE(missed, 30);
  const StepReport& report = world.lastReport();
  EXPECT_FALSE(report.withinTolerance);
  EXPECT_NEAR(report.overlapError, 0.1, 1e-3);
  EXPECT_TRUE(report.worstOverlap.bodyA == box || report.worstOverlap.bodyB == box);
}

// 0.25 m a step: the third one finds the box 0.2 m deep, and none before sees a contact.
TEST(PositionErrors, OverlapThatNoContactLedTo_IsForgivenWhileItIsTakenBack) {
  WorldSettings settings = adrift();
  settings.contactSet = ContactSet::kClosed;
  World world(settings, test::registry());
  test::addGround(world);
  addUnitBox(world, {0, 0, 0.8}, {0, 0, -15});
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(world.step().withinTolerance);
  EXPECT_NEAR(world.lastReport().maxPenetration, 0.2, 1e-9);
  for (int i = 0; i < 60; ++i) EXPECT_EQ(world.step().overlapError, 0) << i;
  EXPECT_LT(world.lastReport().maxPenetration, 0.01);
}

// A kinematic plate presses a box into the ground: the solver saw it coming, and cannot help.
TEST(PositionErrors, OverlapOfBodiesInContact_Counts) {
  World world(test::settingsFor("bpp"), test::registry());
  test::addGround(world);
  addUnitBox(world, {0, 0, 0.5});
  BodyDefinition plate{.name = "plate", .kind = BodyKind::kKinematic, .shape = Box{{2, 2, 0.1}}};
  plate.pose.position = {0, 0, 1.105};
  plate.linearVelocity = {0, 0, -0.5};
  world.addBody(plate);
  int missed = 0;
  for (int i = 0; i < 30; ++i) missed += world.step().overlapsWithin() ? 0 : 1;
  EXPECT_GE(missed, 20);
  EXPECT_GT(world.lastReport().overlapError, 0.05);
}

// The same beside a box that was placed 0.4 m deep, which is forgiven for all of the time.
TEST(PositionErrors, OverlapThatIsForgiven_IsThatOfItsPairAlone) {
  World world(test::settingsFor("bpp"), test::registry());
  const BodyId ground = test::addGround(world);
  const BodyId pressed = addUnitBox(world, {0, 0, 0.5});
  addUnitBox(world, {10, 0, 0.1});
  BodyDefinition plate{.name = "plate", .kind = BodyKind::kKinematic, .shape = Box{{2, 2, 0.1}}};
  plate.pose.position = {0, 0, 1.105};
  plate.linearVelocity = {0, 0, -0.5};
  const BodyId above = world.addBody(plate);
  for (int i = 0; i < 15; ++i) world.step();
  const StepReport& report = world.lastReport();
  EXPECT_GT(report.maxPenetration, 0.1);
  EXPECT_GT(report.overlapError, 0.03);
  EXPECT_FALSE(report.overlapsWithin());
  for (const BodyId one : {report.worstOverlap.bodyA, report.worstOverlap.bodyB}) {
    EXPECT_TRUE(one == ground || one == pressed || one == above);
  }
}

// Three points a pair: the ranges that threads take begin within pairs.
TEST(PositionErrors, PairsOfManyPoints_AreForgivenAlikeInEveryRange) {
  constexpr int kPairs = 300, kPoints = 3;
  BodyStore bodies;
  bodies.add({.kind = BodyKind::kStatic});
  std::vector<StepContact> contacts;
  WarmLists<WarmContact> before;
  const auto depthOf = [](int pair) { return 1e-3 * pair; };
  for (int pair = 1; pair <= kPairs; ++pair) {
    bodies.add({.mass = MassProperties{.mass = 1, .inertia = Mat3::Identity()}});
    for (int i = 0; i < kPoints; ++i) {
      StepContact& contact = contacts.emplace_back();
      contact.point.colliderA = contact.bodyA = 0;
      contact.point.colliderB = contact.bodyB = pair;
      contact.point.gap = i == pair % kPoints ? -depthOf(pair) : -depthOf(pair) / 2;
      // Every other pair was there before, and was forgiven a quarter of it.
      if (pair % 2 == 0) {
        before.awake.push_back({.colliderA = 0, .colliderB = pair, .forgiven = depthOf(pair) / 4});
      }
    }
  }
  std::ranges::fill(bodies.placed, 0);
  for (const int threads : {1, 3}) {
    for (StepContact& contact : contacts) contact.forgiven = -1;
    forgiveOverlaps(before, bodies, false, threads, contacts);
    for (const StepContact& contact : contacts) {
      const Real depth = depthOf(contact.bodyB);
      ASSERT_EQ(contact.forgiven, contact.bodyB % 2 == 0 ? depth / 4 : depth) << contact.bodyB;
    }
  }
}

// A plate that stands deep in the ground, which nothing pushes out.
TEST(PositionErrors, OverlapOfWhatSleeps_IsForgivenAsThatOfWhatIsAwake) {
  WorldSettings settings = adrift();
  settings.stabilization.gamma = 0;
  World awake(settings, test::registry());
  settings.sleeping = {.enabled = true, .time = 0.05};
  World sleeps(settings, test::registry());
  for (World* world : {&awake, &sleeps}) {
    test::addGround(*world);
    addUnitBox(*world, {0, 0, 0.3});
  }
  for (int i = 0; i < 20; ++i) {
    EXPECT_NEAR(awake.step().overlapError, sleeps.step().overlapError, 1e-12) << i;
  }
  EXPECT_EQ(sleeps.lastReport().asleepBodies, 1);
  EXPECT_GT(sleeps.lastReport().overlapError, 0.05);
  EXPECT_LT(sleeps.lastReport().overlapError, 0.19);
}

TEST(PositionErrors, PolicyStop_EndsAtATornJoint) {
  WorldSettings settings = adrift();
  World goesOn(settings, test::registry());
  settings.solver.policy = FailurePolicy::kStop;
  World stops(settings, test::registry());
  addTornPair(goesOn, 0.1);
  addTornPair(stops, 0.1);
  EXPECT_FALSE(goesOn.step().failed);
  EXPECT_TRUE(stops.step().failed);
}

TEST(PositionErrors, RestoredWorld_ForgivesWhatTheSavedOneDid) {
  const auto make = [] {
    World world(test::settingsFor("bpp"), test::registry());
    test::addGround(world);
    addUnitBox(world, {0, 0, 0.2});
    return world;
  };
  World first = make(), second = make();
  for (int i = 0; i < 5; ++i) first.step();
  second.restore(first.save());
  ASSERT_GT(first.lastReport().maxPenetration, 0.1);
  for (int i = 0; i < 60; ++i) {
    EXPECT_EQ(first.step().overlapError, second.step().overlapError) << i;
    EXPECT_TRUE(second.lastReport().withinTolerance) << i;
  }
}

}  // namespace
}  // namespace drystone
