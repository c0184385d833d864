// Adhesion of materials and their pairs: what it adds up with, and how contacts share it.
#include <gmock/gmock.h>

#include <cmath>
#include <vector>

#include "core/input_error.h"
#include "engine/statics/statics.h"
#include "tests/physics/hung_pane.h"
#include "tests/support/constants.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

using test::HungPane;
using test::kGravity;
using test::kPaneMass;
using test::paneWorld;
using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr Real kPaneWeight = kPaneMass * kGravity;

/// Whether the pane still hangs half a second later.
bool hangs(HungPane& hung) {
  test::simulate(hung.world, 0.5);
  EXPECT_TRUE(hung.height() < -0.1 || std::abs(hung.height()) < 1e-7) << hung.height();
  return hung.height() > -1e-7;
}

// The weight is the limit, to a per mille, and to the bit as of a ceiling that pulls by itself.
TEST(SurfaceAdhesion, UpToTheWeight_HoldsAndMovesAsThatOfABodyDoes) {
  for (const Real share : {0.999, 1.001}) {
    HungPane ofPair(share * kPaneWeight, {.bySurfaces = true}), ofBody(share * kPaneWeight);
    for (int i = 0; i < 60; ++i) {
      ofPair.world.step();
      ofBody.world.step();
      ASSERT_EQ(ofPair.world.observe().hash(), ofBody.world.observe().hash()) << share << " " << i;
    }
    if (share > 1) {
      EXPECT_NEAR(ofPair.height(), 0, 1e-7);
    } else {
      // It acts in the first step alone, and leaves a free fall.
      const Real h = ofPair.world.settings().timestep;
      EXPECT_NEAR(ofPair.speed(), -kGravity * (ofPair.world.time() - share * h), 1e-9);
    }
  }
}

TEST(SurfaceAdhesion, ComesOnTopOfThatOfTheBodies) {
  for (const Real share : {0.999, 1.001}) {
    HungPane hung((share - 0.6) * kPaneWeight, {.bySurfaces = true});
    hung.world.body(hung.ceiling).setAdhesion(0.4 * kPaneWeight);
    hung.world.body(hung.pane).setAdhesion(0.2 * kPaneWeight);
    EXPECT_EQ(hangs(hung), share > 1) << share;
  }
}

// A ceiling that pulls by itself shares its force among all that it touches.
TEST(SurfaceAdhesion, EachPairOfBodiesHasAllOfIt) {
  for (const bool bySurfaces : {false, true}) {
    HungPane hung(1.001 * kPaneWeight, {.bySurfaces = bySurfaces});
    test::addBody(hung.world, Box{{0.5, 0.3, 0.05}}, kPaneMass, {{1.2, 0, -0.05}});
    EXPECT_EQ(hangs(hung), bySurfaces);
  }
}

TEST(SurfaceAdhesion, IsTheLargerOfTwoMaterials_UnlessTheirPairSaysOtherwise) {
  HungPane hung(0);
  World& world = hung.world;
  const MaterialId tape = world.addMaterial({.adhesion = 50});
  const MaterialId glue = world.addMaterial({.adhesion = 80});
  const auto pullOf = [&](MaterialId above, MaterialId below) {
    world.body(hung.ceiling).setMaterial(above);
    world.body(hung.pane).setMaterial(below);
    world.step();
    return hung.pull();
  };
  EXPECT_NEAR(pullOf(tape, 0), 50, 1e-9);
  EXPECT_NEAR(pullOf(tape, glue), 80, 1e-9);
  world.setMaterialPair(glue, tape, {.adhesion = 40});
  EXPECT_NEAR(pullOf(tape, glue), 40, 1e-9);
  EXPECT_NEAR(hung.height(), 0, 1e-7);
  world.setMaterialPair(tape, glue, {.adhesion = 0});
  EXPECT_EQ(pullOf(tape, glue), 0);
  EXPECT_NEAR(hung.speed(), -kGravity * world.settings().timestep, 1e-9);
}

// Two feet of four points each: those of the one that sticks pull with four eighths, about its
// middle, and the other one opens.
TEST(SurfaceAdhesion, PointsOfSeveralMaterials_PullWithTheirSharesOfTheirOwn) {
  World world = paneWorld({});
  world.addBody({.kind = BodyKind::kStatic,
                 .shape = Box{{2, 2, 0.5}},
                 .pose = {{0, 0, 0.5}, Quat::Identity()}});
  const MaterialId tape = world.addMaterial({.adhesion = 100});
  const Box foot{{0.1, 0.1, 0.05}};
  const Compound both{
      {{foot, {{-0.3, 0, 0}, Quat::Identity()}}, {foot, {{0.3, 0, 0}, Quat::Identity()}}}};
  BodyDefinition feet{.shape = both, .density = 10};
  feet.pose.position.z() = -0.05;
  feet.partMaterials = {0, tape};
  world.addBody(feet);
  world.step();
  WorldSnapshot snapshot;
  world.observe().snapshot(snapshot);
  ASSERT_EQ(snapshot.contacts.size(), 8u);
  for (const ContactSnapshot& contact : snapshot.contacts) {
    const Real pull = contact.attraction / world.settings().timestep;
    EXPECT_NEAR(pull, contact.position.x() > 0 ? 100.0 / 8 : 0, 1e-9);
  }
}

TEST(SurfaceAdhesion, AContactModifierMayGiveIt) {
  HungPane hung(0);
  hung.world.setContactModifier(
      [](ContactChange& contact) { contact.material.adhesion = 1.001 * kPaneWeight; });
  EXPECT_TRUE(hangs(hung));
  hung.world.setContactModifier({});
  test::simulate(hung.world, 0.2);
  EXPECT_NEAR(hung.speed(), -kGravity * 0.2, 1e-6);
}

TEST(SurfaceAdhesion, WhatSleepsHangsOn_AndWakesWhenItEnds) {
  HungPane hung(2 * kPaneWeight, {.mayRest = true, .bySurfaces = true});
  test::simulate(hung.world, 2);
  EXPECT_FALSE(hung.world.body(hung.pane).isAwake());
  EXPECT_NEAR(hung.height(), 0, 1e-7);
  hung.world.setMaterialPair(0, 0, {});
  test::simulate(hung.world, 0.2);
  EXPECT_LT(hung.height(), -0.1);
}

// Balls of powder: each pair that touches holds together with F, so that a chain of n hangs on its
// first contact up to n m g = F.
TEST(SurfaceAdhesion, ChainOfBalls_PartsWhereTheWeightBelowIsMoreThanAContactHolds) {
  for (const Real held : {3.999, 4.001}) {
    World world = paneWorld({});
    world.setMaterialPair(0, 0, {.adhesion = held * kPaneWeight});
    world.addBody({.kind = BodyKind::kStatic, .shape = Sphere{0.1}});
    std::vector<BodyId> balls;
    for (int i = 1; i <= 4; ++i) {
      balls.push_back(test::addBody(world, Sphere{0.1}, kPaneMass, {{0, 0, -0.2 * i}}));
    }
    test::simulate(world, 0.3);
    for (int i = 0; i < 4; ++i) {
      const Real fallen = -0.2 * (i + 1) - world.body(balls[i]).centerOfMass().z();
      if (held > 4) {
        EXPECT_NEAR(fallen, 0, 1e-7) << i;
      } else {
        EXPECT_GT(fallen, 0.1) << i;
      }
    }
  }
}

TEST(SurfaceAdhesion, IsRefusedWhereItCouldNotAct) {
  HungPane hung(5, {.bySurfaces = true});
  EXPECT_THROW(hung.world.addMaterial({.adhesion = -1}), InputError);
  EXPECT_THAT([&] { Statics{hung.world}; },
              ThrowsMessage<InputError>(AllOf(HasSubstr("Statics: bodies 'ceiling' and"),
                                              HasSubstr("touch with materials that have adhesion"),
                                              HasSubstr("set it to 0, or hold them by a joint"))));
  hung.world.setMaterialPair(0, 0, {});
  EXPECT_NO_THROW(Statics{hung.world});
  hung.world.setContactModifier([](ContactChange& contact) { contact.material.adhesion = -1; });
  EXPECT_THAT([&] { hung.world.step(); }, ThrowsMessage<InputError>(HasSubstr("adhesion")));
}

}  // namespace
}  // namespace drystone
