#include <gtest/gtest.h>

#include "tests/support/worlds.h"

namespace drystone {
namespace {

TEST(Islands, TwoStacksOnOneGround_AreTwoIslands) {
  World world(test::settingsFor("sor-prox"), test::registry());
  test::addGround(world);
  for (const Real x : {0.0, 10.0}) {
    for (int i = 0; i < 3; ++i) test::addUnitBox(world, {x, 0, 0.5 + i});
  }
  const StepReport& report = world.step();
  ASSERT_EQ(report.islands.size(), 2u);
  for (const IslandReport& island : report.islands) {
    EXPECT_EQ(island.bodies, 3);
    EXPECT_EQ(island.contacts, 12);
    EXPECT_EQ(island.rows, 36);
  }
}

TEST(Islands, AJoint_ConnectsIslands) {
  World world(test::settingsFor("sor-prox"), test::registry());
  test::addGround(world);
  const BodyId a = test::addUnitBox(world, {0, 0, 0.5});
  const BodyId b = test::addUnitBox(world, {5, 0, 0.5});
  world.addJoint(ballJoint(a, b, {2.5, 0, 0}, {-2.5, 0, 0}));
  const StepReport& report = world.step();
  ASSERT_EQ(report.islands.size(), 1u);
  EXPECT_EQ(report.islands[0].rows, 3 + 8 * 3);
}

TEST(Islands, FreeBodies_AreInNone) {
  World world(test::settingsFor("sor-prox"), test::registry());
  test::addUnitBox(world, {0, 0, 5});
  EXPECT_TRUE(world.step().islands.empty());
}

TEST(Islands, AreNumberedByTheirLowestBody) {
  World world(test::settingsFor("sor-prox"), test::registry());
  test::addGround(world);
  test::addUnitBox(world, {20, 0, 0.5});  // alone: island 0
  test::addUnitBox(world, {0, 0, 0.5});   // island 1, with the one on it
  test::addUnitBox(world, {10, 0, 0.5});  // island 2
  test::addUnitBox(world, {0, 0, 1.5});
  world.step();
  WorldSnapshot snapshot;
  world.snapshot(snapshot);
  std::vector<int> islands;
  for (const BodySnapshot& body : snapshot.bodies) islands.push_back(body.island);
  EXPECT_EQ(islands, (std::vector<int>{-1, 0, 1, 2, 1}));
}

}  // namespace
}  // namespace drystone
