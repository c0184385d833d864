// Contacts that a step has no use for: wide gaps between bodies at rest.
#include <gtest/gtest.h>

#include "engine/world/world.h"
#include "tests/support/worlds.h"

namespace drystone::test {
namespace {

/// Two unit boxes side by side on the ground, 5 mm apart.
struct Neighbours {
  World world{settingsFor("auto"), registry()};
  BodyId ground = addGround(world);
  BodyId left = addUnitBox(world, {0, 0, 0.5});
  BodyId right = addUnitBox(world, {1.005, 0, 0.5});

  /// Contacts of a step: 8 on the ground, and those across the gap.
  int contacts() {
    world.step();
    return world.lastReport().contacts;
  }
};

TEST(DistantPoints, OfBodiesAtRest_AreDropped) {
  Neighbours two;
  EXPECT_EQ(two.contacts(), 8);
  EXPECT_EQ(two.contacts(), 8);
}

TEST(DistantPoints, OfAGap_BelowATenthOfTheMarginStay) {
  Neighbours two;
  two.world.body(two.right).setPose({{1.0009, 0, 0.5}, Quat::Identity()});
  EXPECT_EQ(two.contacts(), 12);
}

TEST(DistantPoints, OfBodiesThatMove_Stay) {
  Neighbours two;
  // 1/60 s at 5 mm/s is less than a hundredth of the margin, at 7 mm/s more.
  two.world.body(two.left).setVelocity({-0.005, 0, 0}, {0, 0, 0});
  EXPECT_EQ(two.contacts(), 8);
  two.world.body(two.left).setVelocity({-0.007, 0, 0}, {0, 0, 0});
  EXPECT_EQ(two.contacts(), 12);
}

TEST(DistantPoints, OfBodiesThatTurn_Stay) {
  Neighbours two;
  two.world.body(two.left).setVelocity({0, 0, 0}, {0, 0, 0.01});
  EXPECT_EQ(two.contacts(), 12);
}

TEST(DistantPoints, OfBodiesThatArePushed_Stay) {
  Neighbours two;
  two.world.body(two.left).applyForce({1, 0, 0});
  EXPECT_EQ(two.contacts(), 12);
}

// What moves may push on what rests beside it, through others that it touches.
TEST(DistantPoints, OfAGroupInWhichOneMoves_Stay) {
  Neighbours two;
  const BodyId onTop = addUnitBox(two.world, {-0.4, 0, 1.5});
  EXPECT_EQ(two.contacts(), 12);
  two.world.body(onTop).setVelocity({0.1, 0, 0}, {0, 0, 0});
  EXPECT_EQ(two.contacts(), 16);
}

TEST(DistantPoints, OnWhatMovesAsPrescribed_Stay) {
  for (const bool isBelt : {false, true}) {
    Neighbours two;
    BodyDefinition plate{.kind = BodyKind::kKinematic, .shape = Box{{1, 1, 0.1}}};
    plate.pose.position = {0.5, 0, 1.1};
    (isBelt ? plate.surfaceVelocity : plate.linearVelocity) = {0.1, 0, 0};
    two.world.addBody(plate);
    EXPECT_GT(two.contacts(), 8 + 4) << "the plate lies on both";
  }
}

TEST(DistantPoints, OfBodiesWithJoints_Stay) {
  Neighbours two;
  two.world.addJoint(presetJoint("slider", two.ground, two.left));
  EXPECT_EQ(two.contacts(), 8) << "joined bodies do not touch";
}

// From rest a body falls 2.7 mm in the first step, on what is 2 mm below it.
TEST(DistantPoints, ThatGravityCloses_Stay) {
  World world{settingsFor("auto"), registry()};
  addGround(world);
  const BodyId box = addUnitBox(world, {0, 0, 0.502});
  world.step();
  EXPECT_EQ(world.lastReport().looks, 0);
  EXPECT_NEAR(world.body(box).pose().position.z(), 0.5, 1e-9);
}

// Contacts that are carried along have to do for the whole step: in four inner steps a body falls
// by 10/16 g h², 1.7 mm, in the first one by 1/16 of it.
TEST(DistantPoints, ThatGravityClosesInALaterInnerStep_Stay) {
  WorldSettings settings = settingsFor("auto");
  settings.substeps = 4;
  settings.detection = Detection::kStep;
  World world{settings, registry()};
  addGround(world);
  const BodyId box = addUnitBox(world, {0, 0, 0.5013});
  world.step();
  EXPECT_NEAR(world.body(box).pose().position.z(), 0.5, 1e-9);
}

// A plank tips over the one of its supports that is left, against a box beside it.
TEST(DistantPoints, ThatAreMetAllTheSame_AreFoundAtTheEndOfTheStep) {
  WorldSettings settings = settingsFor("auto");
  settings.overlapTolerance = 1e-5;
  settings.timestep = 0.05;
  World world{settings, registry()};
  addGround(world);
  const auto add = [&](const Vec3& half, const Vec3& position, BodyKind kind) {
    return world.addBody({.kind = kind, .shape = Box{half}, .pose = {position, Quat::Identity()}});
  };
  add({0.05, 0.5, 0.5}, {-0.95, 0, 0.5}, BodyKind::kStatic);
  const BodyId support = add({0.05, 0.5, 0.5}, {0.95, 0, 0.5}, BodyKind::kStatic);
  add({1, 0.5, 0.1}, {0, 0, 1.1}, BodyKind::kDynamic);
  // Its lower edge goes away from the wall, its upper one towards it.
  add({0.1, 0.5, 1}, {1.102, 0, 2.1}, BodyKind::kStatic);
  world.step();
  ASSERT_EQ(world.lastReport().contacts, 8) << "the supports";
  world.removeBody(support);
  world.step();
  EXPECT_GE(world.lastReport().looks, 1);
  EXPECT_LE(world.lastReport().overlapError, 1e-5);
}

}  // namespace
}  // namespace drystone::test
