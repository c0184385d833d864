// Which child and triangle a contact touches, and data that users attach.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "tests/support/worlds.h"

namespace drystone {
namespace {

/// A dumb-bell of a box and a ball, on a field of 2 x 2 cells of 4 m.
struct Dumbbell {
  World world;
  BodyId field, bell;

  Dumbbell() : world(test::settingsFor("bpp-auto"), test::registry()) {
    auto data = std::make_shared<HeightfieldData>();
    data->columns = data->rows = 3;
    data->spacingX = data->spacingY = 4;
    data->heights.assign(9, 0.0);
    field = world.addBody({.kind = BodyKind::kStatic, .shape = Heightfield{data}});
    const Compound shape{{{Box{{0.1, 0.1, 0.2}}, {{-1, 0, 0}}}, {Sphere{0.2}, {{1, 0, 0}}}}};
    bell = world.addBody({.shape = shape, .pose = {{0.5, -1, 0.2}}});
  }
};

TEST(TouchedParts, OfACompoundOnAHeightfield_AreThoseThatRaysHit) {
  Dumbbell scene;
  World& world = scene.world;
  std::vector<ContactChange> seen;
  world.setContactModifier([&](ContactChange& change) { seen.push_back(change); });
  world.step();
  const std::vector<BodyContact> contacts = world.body(scene.bell).contacts();
  ASSERT_GE(contacts.size(), 5u);
  ASSERT_EQ(seen.size(), contacts.size());
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const BodyContact& contact = contacts[i];
    const Vec3 place = contact.position;
    EXPECT_EQ(contact.part.part, place.x() < 0.5 ? 0 : 1);
    EXPECT_EQ(contact.part.triangle, -1);
    const auto hit = world.queries().rayCast(place - Vec3(0, 0, 1), place + Vec3(0, 0, 1),
                                             {.without = {&scene.bell, 1}});
    ASSERT_TRUE(hit);
    EXPECT_EQ(contact.otherPart.part, -1);
    EXPECT_EQ(contact.otherPart.triangle, hit->triangle);
    EXPECT_EQ(seen[i].partA, contact.otherPart);
    EXPECT_EQ(seen[i].partB, contact.part);
  }
  for (const BodyContact& contact : world.body(scene.field).contacts()) {
    EXPECT_GE(contact.part.triangle, 0);
    EXPECT_GE(contact.otherPart.part, 0);
  }
}

// Without its ball the dumb-bell stands on the box alone, and tips over.
TEST(TouchedParts, LetAModifierLeaveAPartOut) {
  Dumbbell scene;
  scene.world.setContactModifier(
      [](ContactChange& change) { change.isDisabled = change.partB.part == 1; });
  for (int i = 0; i < 30; ++i) scene.world.step();
  for (const BodyContact& contact : scene.world.body(scene.bell).contacts()) {
    EXPECT_EQ(contact.part.part, 0);
  }
  EXPECT_GT(scene.world.body(scene.bell).angularVelocity().y(), 0.1);
}

TEST(UserData, IsReadAndSet_AndChangesNothingElse) {
  const auto make = [](std::uint64_t data) {
    World world(test::settingsFor("bpp-auto"), test::registry());
    world.addMaterial({.friction = 0.2, .userData = data});
    const BodyId ground = world.addBody(
        {.kind = BodyKind::kStatic, .shape = Box{{5, 5, 1}}, .pose = {{0, 0, -1}}, .material = 1});
    const BodyId box = world.addBody(
        {.shape = Box{{0.5, 0.5, 0.5}}, .pose = {{0, 0, 0.5}}, .material = 1, .userData = data});
    JointDefinition ball = ballJoint(ground, box, {0, 0, 2}, {0, 0, 0.5});
    ball.userData = data;
    ball.collide = true;
    world.addJoint(ball);
    return world;
  };
  World with = make(7), without = make(0);
  const BodyId box = with.bodies()[1];
  const JointId joint = with.joints()[0];
  EXPECT_EQ(with.body(box).userData(), 7u);
  EXPECT_EQ(with.body(box).definition().userData, 7u);
  EXPECT_EQ(with.joint(joint).userData(), 7u);
  std::uint64_t ofMaterial = 0;
  with.setContactModifier([&](ContactChange& change) { ofMaterial = change.material.userData; });
  with.step();
  without.step();
  EXPECT_EQ(ofMaterial, 7u);
  EXPECT_EQ(with.observe().hash(), without.observe().hash());
  EXPECT_EQ(with.save(), without.save());
  with.body(box).setUserData(8);
  with.joint(joint).setUserData(9);
  with.restore(without.save());
  EXPECT_EQ(with.body(box).userData(), 8u);
  EXPECT_EQ(with.joint(joint).userData(), 9u);
  with.body(box).setGravityScale(0.5);
  with.restore(without.save());
  EXPECT_EQ(with.body(box).userData(), 8u);
}

}  // namespace
}  // namespace drystone
