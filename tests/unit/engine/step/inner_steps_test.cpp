// What a step of several inner steps says about itself: nothing that one of them missed is lost.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/step/late_contacts.h"
#include "engine/step/sleeping.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

/// Four inner steps, and sweeps too few for a box that lands on an edge.
WorldSettings hasty(Integrator integrator, int sweeps) {
  WorldSettings settings;
  settings.timestep = 0.02;
  settings.substeps = 4;
  settings.integrator = integrator;
  settings.solver.name = "sor-prox";
  settings.solver.budget.iterations = sweeps;
  settings.solver.settings = {{"check_every", std::int64_t{1}}};
  return settings;
}

BodyId throwBox(World& world, MaterialId material) {
  BodyDefinition box{.shape = Box{{0.5, 0.2, 0.1}}};
  box.pose.position = {0, 0, 0.8};
  box.angularVelocity = {3, 1, 0.5};
  box.material = material;
  return world.addBody(box);
}

TEST(InnerSteps, MissBeforeTheBodyLeftTheFloor_IsTheStepsWorstSolve) {
  WorldSettings settings = hasty(Integrator::kMoreau, 1);
  settings.contactSet = ContactSet::kClosed;
  World world(settings, test::registry());
  const MaterialId bouncy = world.addMaterial({.friction = 0.5, .restitution = 0.9});
  const BodyId floor = test::addPlane(world, bouncy);
  const BodyId box = throwBox(world, bouncy);
  int missedBeforeTheLast = 0;
  for (int i = 0; i < 30; ++i) {
    const StepReport& report = world.step();
    if (report.solvesWithin) continue;
    ASSERT_TRUE(report.worst.exists());
    EXPECT_EQ(report.worst.result.judge.naturalMap, report.naturalMap);
    EXPECT_FALSE(report.worst.result.withinTolerance);
    EXPECT_TRUE(report.worst.isAtContact);
    EXPECT_TRUE(report.worst.bodyA == floor || report.worst.bodyB == floor);
    EXPECT_TRUE(report.worst.bodyA == box || report.worst.bodyB == box);
    if (report.islands.empty()) ++missedBeforeTheLast;
  }
  EXPECT_GT(missedBeforeTheLast, 0);
}

TEST(InnerSteps, WorstSolve_HasItsOwnMapAndStatus) {
  World world(hasty(Integrator::kSemiImplicitEuler, 12), test::registry());
  const MaterialId dull = world.addMaterial({.friction = 0.5});
  test::addPlane(world, dull);
  test::addBody(world, Sphere{0.1}, 4, {{3, 0, 0.1}, Quat::Identity()});
  throwBox(world, dull);
  int earlier = 0;
  for (int i = 0; i < 40; ++i) {
    const StepReport& report = world.step();
    if (!report.worst.exists()) continue;
    const SolveResult& worst = report.worst.result;
    EXPECT_EQ(worst.judge.naturalMap, report.naturalMap) << i;
    EXPECT_EQ(worst.withinTolerance, report.solvesWithin) << i;
    EXPECT_TRUE(worst.withinTolerance || worst.solver.status != SolveStatus::kConverged) << i;
    if (report.worst.substep < 3) ++earlier;
  }
  EXPECT_GT(earlier, 0);
}

TEST(InnerSteps, IslandThatMissedInOneOfThem_StaysAwake) {
  BodyStore bodies;
  const Sleeping rule{.enabled = true};
  for (int i = 0; i < 3; ++i) {
    bodies.add({.shape = Sphere{0.1}});
    bodies.stillTime[static_cast<std::size_t>(i)] = 2 * rule.time;
  }
  Islands islands;  // one of bodies 0 and 1, one of body 2, both without blocks
  islands.bodyStart = {0, 2, 3};
  islands.bodies = {0, 1, 2};
  islands.blockStart = {0, 0, 0};
  std::array<IslandReport, 2> reports;
  SleepData sleep;
  const auto awakeAfter = [&](const std::vector<bool>& innerStepsOfTheFirst) {
    beginMisses(3, sleep);
    for (const bool meets : innerStepsOfTheFirst) {
      reports[0].result.withinTolerance = meets;
      noteMisses(islands, reports, sleep);
    }
    findAwakeReasons(bodies, {}, islands, {}, {}, rule, 1, 0.01, sleep.missed, reports);
    return std::pair(reports[0].awake, reports[1].awake);
  };
  EXPECT_EQ(awakeAfter({false, true}),
            std::pair(AwakeReason::kMissedTolerance, AwakeReason::kNone));
  EXPECT_EQ(awakeAfter({true, true}), std::pair(AwakeReason::kNone, AwakeReason::kNone));
}

TEST(AddLateContacts, PutsEachBehindThoseOfItsFeature) {
  const auto contact = [](int a, int b, std::uint64_t feature, bool isLate) {
    StepContact out;
    out.point.colliderA = a;
    out.point.colliderB = b;
    out.point.feature = feature;
    out.isLate = isLate;
    return out;
  };
  std::vector<StepContact> contacts = {contact(0, 1, 3, false), contact(0, 2, 5, false),
                                       contact(1, 2, 1, false)};
  const std::vector<StepContact> found = {contact(0, 1, 2, true), contact(0, 2, 5, true),
                                          contact(1, 3, 0, true)};
  addLateContacts(found, contacts);
  std::vector<std::tuple<int, int, std::uint64_t, bool>> order;
  for (const StepContact& one : contacts) {
    const ContactPoint& point = one.point;
    order.emplace_back(point.colliderA, point.colliderB, point.feature, one.isLate);
  }
  const std::vector<std::tuple<int, int, std::uint64_t, bool>> expected = {
      {0, 1, 2, true}, {0, 1, 3, false}, {0, 2, 5, false},
      {0, 2, 5, true}, {1, 2, 1, false}, {1, 3, 0, true}};
  EXPECT_EQ(order, expected);
}

}  // namespace
}  // namespace drystone
