// Force plates: against statics, momentum, and exact solves of steps that were cut off.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "core/input_error.h"
#include "engine/world/world.h"
#include "tests/support/constants.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

using test::kGravity;

WorldSettings plateSettings() {
  WorldSettings settings = test::settingsFor("bpp-auto");
  settings.sleeping.enabled = false;
  return settings;
}

BodyId addPlate(World& world, const Pose& pose = {{0, 0, -0.05}}) {
  return world.addBody({.kind = BodyKind::kStatic, .shape = Box{{2, 2, 0.05}}, .pose = pose});
}

const Pose kTop{{0, 0, 0.05}};  // of that plate

const ForcePlateReading& readingOf(const World& world, std::size_t index = 0) {
  const ForcePlate& plate = world.forcePlates()[index];
  EXPECT_TRUE(plate.hasReading);
  return plate.reading;
}

TEST(ForcePlate, UnderABoxOffCenter_ReadsItsWeightUnderItsCenter) {
  World world(plateSettings(), test::registry());
  const BodyId plate = addPlate(world);
  test::addBody(world, Box{{0.1, 0.2, 0.1}}, 2, {{0.6, 0.5, 0.1}});
  world.setForcePlates({{.body = plate, .site = kTop}});
  EXPECT_FALSE(world.forcePlates()[0].hasReading);
  test::simulate(world, 1);
  const ForcePlateReading& reading = readingOf(world);
  const Real weight = 2 * kGravity;
  EXPECT_NEAR(reading.force.z(), -weight, 1e-9 * weight);
  EXPECT_NEAR(reading.force.head<2>().norm(), 0, 1e-9 * weight);
  ASSERT_TRUE(reading.center);
  EXPECT_NEAR((*reading.center - Vec3(0.6, 0.5, 0)).norm(), 0, 1e-9);
  EXPECT_NEAR((reading.torque - Vec3(-0.5 * weight, 0.6 * weight, 0)).norm(), 0, 1e-8);
  EXPECT_LT(reading.forceError, 1e-3);
  EXPECT_LT(reading.torqueError, 1e-3);
  EXPECT_LT(reading.centerError, 1e-3);
  // A table: twelve rows bear six numbers.
  EXPECT_EQ(reading.contacts.size(), 4u);
  EXPECT_EQ(reading.unknowns, 12);
  EXPECT_EQ(reading.rank, 6);
  EXPECT_TRUE(reading.isSumUnique);
  EXPECT_FALSE(reading.areSharesUnique);
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
  for (const PlateContact& contact : reading.contacts) {
    force += contact.force;
    torque += contact.torque;
    EXPECT_NEAR((contact.point.cross(contact.force) - contact.torque).norm(), 0, 1e-12);
  }
  EXPECT_NEAR((force - reading.force).norm(), 0, 1e-12);
  EXPECT_NEAR((torque - reading.torque).norm(), 0, 1e-12);
}

TEST(ForcePlate, UnderABall_KnowsTheShareOfItsOnlyContact) {
  World world(plateSettings(), test::registry());
  const BodyId plate = addPlate(world);
  test::addBody(world, Sphere{0.1}, 2, {{0.3, 0, 0.1}});
  world.setForcePlates({{.body = plate, .site = kTop}});
  test::simulate(world, 0.2);
  EXPECT_EQ(readingOf(world).rank, 3);
  EXPECT_TRUE(readingOf(world).areSharesUnique);
}

TEST(ForcePlate, OfAPairInAStack_ReadsTheWeightAboveOverAllInnerSteps) {
  for (const int substeps : {1, 3}) {
    WorldSettings settings = plateSettings();
    settings.substeps = substeps;
    World world(settings, test::registry());
    const BodyId plate = addPlate(world);
    const BodyId low = test::addBody(world, Box{{0.2, 0.2, 0.1}}, 5, {{0, 0, 0.1}});
    const BodyId middle = test::addBody(world, Box{{0.2, 0.2, 0.1}}, 3, {{0, 0, 0.3}});
    test::addBody(world, Box{{0.2, 0.2, 0.1}}, 1, {{0.05, 0, 0.5}});
    world.setForcePlates({{.body = plate},
                          {.body = low, .other = middle},
                          {.body = middle, .other = low, .inWorldAxes = true}});
    test::simulate(world, 1);
    const Real g = kGravity;
    EXPECT_NEAR(readingOf(world, 0).force.z(), -9 * g, 1e-9 * 9 * g);
    EXPECT_NEAR(readingOf(world, 1).force.z(), -4 * g, 1e-9 * 9 * g);
    EXPECT_NEAR(readingOf(world, 2).force.z(), 4 * g, 1e-9 * 9 * g);
    ASSERT_TRUE(readingOf(world, 2).center);
    EXPECT_NEAR(readingOf(world, 2).center->x(), 0.05 / 4, 1e-9);
    EXPECT_LT(readingOf(world, 1).forceError, 1e-2);
  }
}

TEST(ForcePlate, OnASlope_ReadsInAxesOfTheSiteOrTheWorld) {
  World world(plateSettings(), test::registry());
  const Quat turn = test::turn(Vec3::UnitY(), 0.2);
  const BodyId plate = addPlate(world, {Vec3::Zero(), turn});
  const Vec3 center = turn * Vec3(0.3, 0.1, 0.15);
  test::addBody(world, Box{{0.1, 0.1, 0.1}}, 2, {center, turn});
  world.setForcePlates(
      {{.body = plate, .site = kTop}, {.body = plate, .site = kTop, .inWorldAxes = true}});
  test::simulate(world, 1);
  const Real weight = 2 * kGravity;
  const Vec3 down(0, 0, -weight);
  EXPECT_NEAR((readingOf(world, 0).force - turn.conjugate() * down).norm(), 0, 1e-6);
  EXPECT_NEAR((readingOf(world, 1).force - down).norm(), 0, 1e-6);
  // Straight below the centre of mass, on the plate.
  const Vec3 local = Vec3(0.3, 0.1, 0) + Vec3(0.1 * std::tan(0.2), 0, 0);
  ASSERT_TRUE(readingOf(world, 0).center && readingOf(world, 1).center);
  EXPECT_NEAR((*readingOf(world, 0).center - local).norm(), 0, 1e-6);
  EXPECT_NEAR((*readingOf(world, 1).center - turn * (local + Vec3(0, 0, 0.05))).norm(), 0, 1e-6);
}

TEST(ForcePlate, OnPartsOfACompound_ReadsEachOfThem) {
  World world(plateSettings(), test::registry());
  Compound compound;
  compound.children.push_back({Box{{0.5, 0.5, 0.1}}, {{-1, 0, 0}}});
  compound.children.push_back({Box{{0.5, 0.5, 0.1}}, {{1, 0, 0}}});
  const BodyId plate = world.addBody({.kind = BodyKind::kStatic, .shape = compound});
  test::addBody(world, Box{{0.1, 0.1, 0.1}}, 2, {{-1, 0, 0.2}});
  test::addBody(world, Box{{0.1, 0.1, 0.1}}, 3, {{1, 0, 0.2}});
  world.setForcePlates({{.body = plate, .part = 0}, {.body = plate, .part = 1}, {.body = plate}});
  test::simulate(world, 0.5);
  for (const auto& [index, mass] : {std::pair(0, 2), std::pair(1, 3), std::pair(2, 5)}) {
    EXPECT_NEAR(readingOf(world, index).force.z(), -mass * kGravity, 1e-6);
  }
}

TEST(ForcePlate, UnderAnImpact_ReadsTheChangeOfMomentum) {
  for (const int substeps : {1, 4}) {
    WorldSettings settings = plateSettings();
    settings.gravity.setZero();
    settings.substeps = substeps;
    World world(settings, test::registry());
    Material bouncing = world.material(0);
    bouncing.restitution = 0.6;
    world.setMaterial(0, bouncing);
    const BodyId plate = addPlate(world);
    test::addBody(world, Sphere{0.1}, 2, {{0, 0, 0.4}}, {0, 0, -3});
    world.setForcePlates({{.body = plate}});
    Real impulse = 0;
    for (int i = 0; i < 60; ++i) {
      world.step();
      impulse -= readingOf(world).force.z() * settings.timestep;
    }
    EXPECT_NEAR(impulse, 2 * (3 + 0.6 * 3), 1e-8 * 10);  // the solver's own
  }
}

/// Steps a world whose solves end after some sweeps, and from the same state one that is exact.
struct CutOff {
  Real largestError = 0, largestBound = 0;  // [N]
};

CutOff compareWithExact(int sweeps, const std::function<void(World&)>& fill) {
  WorldSettings cutSettings = test::settingsFor("nsgs");
  cutSettings.sleeping.enabled = false;
  cutSettings.solver.budget.iterations = sweeps;
  cutSettings.solver.policy = FailurePolicy::kKeepBest;
  cutSettings.warmStart = false;
  WorldSettings exactSettings = cutSettings;
  exactSettings.solver = plateSettings().solver;
  exactSettings.solver.budget.tolerance = 1e-12;
  World cut(cutSettings, test::registry()), exact(exactSettings, test::registry());
  fill(cut);
  fill(exact);
  CutOff found;
  for (int i = 0; i < 15; ++i) {
    exact.restore(cut.save());
    cut.step();
    exact.step();
    for (std::size_t p = 0; p < cut.forcePlates().size(); ++p) {
      const ForcePlateReading &own = readingOf(cut, p), &right = readingOf(exact, p);
      const Real error = (own.force - right.force).norm();
      const Real turning = (own.torque - right.torque).norm();
      const Real least = 1e-7;  // of the exact solve
      EXPECT_LE(error, own.forceError + right.forceError + least) << "step " << i << " plate " << p;
      EXPECT_LE(turning, own.torqueError + right.torqueError + least);
      found.largestError = std::max(found.largestError, error);
      found.largestBound = std::max(found.largestBound, own.forceError);
    }
  }
  return found;
}

TEST(ForcePlate, WithSolvesCutOff_BoundsTheDistanceToExactSolves) {
  for (const int sweeps : {1, 3, 10}) {
    const CutOff found = compareWithExact(sweeps, [](World& world) {
      const BodyId plate = addPlate(world);
      std::vector<BodyId> stack;
      for (int i = 0; i < 5; ++i) {
        stack.push_back(test::addBody(world, Box{{0.2, 0.2, 0.1}}, 1 + i,
                                      {{0.02 * (i % 2), 0, 0.1 + 0.2 * i}}));
      }
      world.setForcePlates({{.body = plate}, {.body = stack[1], .other = stack[2]}});
    });
    EXPECT_GT(found.largestError, 1) << "the solves were not cut off";
    EXPECT_LT(found.largestBound, 20 * found.largestError) << "the bound says nothing";
  }
}

TEST(ForcePlate, OfWhatSleeps_KeepsReadingAndBound) {
  WorldSettings settings = plateSettings();
  settings.sleeping.enabled = true;
  World world(settings, test::registry());
  const BodyId plate = addPlate(world);
  test::addBody(world, Box{{0.1, 0.1, 0.1}}, 2, {{0.6, 0.5, 0.1}});
  world.setForcePlates({{.body = plate, .site = kTop}});
  test::simulate(world, 5);
  ASSERT_EQ(world.lastReport().asleepBodies, 1);
  const ForcePlateReading& reading = readingOf(world);
  EXPECT_NEAR(reading.force.z(), -2 * kGravity, 1e-7);
  EXPECT_NEAR((*reading.center - Vec3(0.6, 0.5, 0)).norm(), 0, 1e-8);
  EXPECT_LT(reading.forceError, 1e-2);
  EXPECT_EQ(reading.rank, 6);
  EXPECT_TRUE(reading.isSumUnique);
  const std::vector<std::byte> state = world.save();
  world.restore(state);
  EXPECT_FALSE(world.forcePlates()[0].hasReading);
  world.step();
  // Of the solve that it rests by, nothing is saved.
  EXPECT_NEAR(readingOf(world).force.z(), -2 * kGravity, 1e-7);
  EXPECT_EQ(readingOf(world).forceError, std::numeric_limits<Real>::infinity());
}

TEST(ForcePlate, WithAJointInTheIsland_SaysThatItKnowsNoBound) {
  World world(plateSettings(), test::registry());
  const BodyId plate = addPlate(world);
  const BodyId a = test::addBody(world, Box{{0.1, 0.1, 0.1}}, 2, {{0, 0, 0.1}});
  const BodyId b = test::addBody(world, Box{{0.1, 0.1, 0.1}}, 2, {{0.5, 0, 0.1}});
  world.addJoint(ballJoint(a, b, {0.25, 0, 0}, {-0.25, 0, 0}));
  world.setForcePlates({{.body = plate}});
  test::simulate(world, 0.5);
  EXPECT_NEAR(readingOf(world).force.z(), -4 * kGravity, 1e-6);
  EXPECT_EQ(readingOf(world).forceError, std::numeric_limits<Real>::infinity());
}

TEST(ForcePlate, OfABodyThatIsGone_HasNoReading) {
  World world(plateSettings(), test::registry());
  const BodyId plate = addPlate(world);
  const BodyId box = test::addBody(world, Box{{0.1, 0.1, 0.1}}, 2, {{0, 0, 0.1}});
  world.setForcePlates({{.body = plate}, {.body = plate, .other = box}});
  world.step();
  world.removeBody(box);
  world.step();
  EXPECT_TRUE(world.forcePlates()[0].hasReading);
  EXPECT_EQ(world.forcePlates()[0].reading.force, Vec3::Zero());
  EXPECT_FALSE(world.forcePlates()[1].hasReading);
}

TEST(ForcePlate, ThatMeasuresNothing_IsRefused) {
  World world(plateSettings(), test::registry());
  const BodyId plate = addPlate(world);
  world.setForcePlates({{.body = plate}});
  EXPECT_THROW(world.setForcePlates({{.body = {7, 1}}}), InputError);
  EXPECT_THROW(world.setForcePlates({{.body = plate, .other = plate}}), InputError);
  EXPECT_THROW(world.setForcePlates({{.body = plate, .other = BodyId{7, 1}}}), InputError);
  EXPECT_THROW(world.setForcePlates({{.body = plate, .part = 0}}), InputError);
  const Real nan = std::numeric_limits<Real>::quiet_NaN();
  EXPECT_THROW(world.setForcePlates({{.body = plate, .site = {{nan, 0, 0}}}}), InputError);
  EXPECT_EQ(world.forcePlates().size(), 1u);
}

}  // namespace
}  // namespace drystone
