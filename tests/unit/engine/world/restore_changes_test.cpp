// Saved states and bodies that were changed, added or removed since.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "collision/shape/shape.h"
#include "core/input_error.h"
#include "tests/unit/engine/world/live_bodies.h"
#include "tests/unit/engine/world/random_changes.h"

namespace drystone {
namespace {

using testing::HasSubstr;
using testing::Not;

/// A pile with a joint on it, in which something may be changed.
World pile(bool sleeps = false) {
  World world = test::groundedWorld(test::sleepy(sleeps));
  const std::vector<BodyId> boxes = test::addStack(world, 3);
  test::addStack(world, 2, 1.25);
  test::addBody(world, Sphere{0.4}, 2, {{0.3, 0.2, 3.6}, Quat::Identity()}, {1, 0, 0});
  BodyDefinition paddle{.name = "paddle", .kind = BodyKind::kKinematic, .shape = Box{}};
  paddle.pose.position = {-3, 0, 0.5};
  paddle.linearVelocity = {1, 0, 0};
  const BodyId moving = world.addBody(paddle);
  world.addJoint(distanceJoint(boxes[0], moving, Vec3::Zero(), Vec3::Zero(), 1, 5));
  return world;
}

/// Edits of the bodies of a pile: 0 is the ground, 1 to 3 the first stack, 7 the paddle.
const std::function<void(World&)> kEdits[] = {
    [](World& w) { w.body(w.bodies()[2]).setShape(Sphere{0.5}, ShapeMass::kByDensity); },
    [](World& w) { w.body(w.bodies()[1]).setShape(std::nullopt); },
    [](World& w) {
      // Two that trade their colliders.
      w.body(w.bodies()[1]).setShape(std::nullopt);
      w.body(w.bodies()[2]).setShape(std::nullopt);
      w.body(w.bodies()[2]).setShape(Box{});
      w.body(w.bodies()[1]).setShape(Box{});
    },
    [](World& w) { w.body(w.bodies()[1]).setKind(BodyKind::kStatic); },
    [](World& w) { w.body(w.bodies()[7]).setKind(BodyKind::kDynamic); },
    [](World& w) {
      w.body(w.bodies()[1])
          .setMass({.mass = 5, .centerOfMass = {0.1, 0.2, -0.1}, .inertia = 2 * Mat3::Identity()});
    },
    [](World& w) { w.body(w.bodies()[0]).setMaterial(1); },
    [](World& w) { w.body(w.bodies()[2]).setFilter({.mask = 0}); },
    [](World& w) {
      w.body(w.bodies()[3]).setDamping(1, 2);
      w.body(w.bodies()[3]).setGravityScale(0.3);
      w.body(w.bodies()[3]).setLockedAxes({{true, false, false}, {}});
      w.body(w.bodies()[3]).setForces({{.time = 0, .force = {3, 0, 0}}});
    },
    [](World& w) {
      w.body(w.bodies()[7]).setMotion({{0, {0, 1, 0}, {0, 0, 0}}});
      w.body(w.bodies()[7]).setSurfaceVelocity({0, 0, 1});
      w.body(w.bodies()[7]).setAdhesion({{0, 2}, {0.1, 3}});
      w.body(w.bodies()[3]).setSensor(true);
      w.body(w.bodies()[3]).setAllowSleep(false);
    },
    [](World& w) { w.setMaterial(0, {.friction = 0.1, .restitution = 0.5}); },
    [](World& w) { w.setMaterialPair(0, 0, {.friction = 0.9, .adhesion = 2}); },
    [](World& w) {
      w.joint(w.joints()[0]).setLimits(0, 2, 2.5);
      w.joint(w.joints()[0]).setFrames({{0.2, 0, 0}}, {});
      w.joint(w.joints()[0]).setCollide(true);
    },
};

TEST(RestoreChanges, StateFromBeforeAChange_BringsBackWhatWas) {
  for (const bool sleeps : {false, true}) {
    for (std::size_t edit = 0; edit < std::size(kEdits); ++edit) {
      World plain = pile(sleeps), changed = pile(sleeps);
      for (int i = 0; i < 25; ++i) {
        plain.step();
        changed.step();
      }
      const std::vector<std::byte> saved = changed.save();
      kEdits[edit](changed);
      EXPECT_NE(changed.save(), saved) << edit;
      for (int i = 0; i < 5; ++i) changed.step();
      changed.restore(saved);
      EXPECT_EQ(changed.save(), saved) << edit;
      EXPECT_EQ(test::firstDifference(plain, changed, 50), -1) << edit;
    }
  }
}

TEST(RestoreChanges, StateFromAfterAChange_BringsItIntoAFreshWorld) {
  for (std::size_t edit = 0; edit < std::size(kEdits); ++edit) {
    World changed = pile();
    for (int i = 0; i < 25; ++i) changed.step();
    kEdits[edit](changed);
    for (int i = 0; i < 5; ++i) changed.step();
    World fresh = pile();
    fresh.restore(changed.save());
    EXPECT_EQ(fresh.save(), changed.save()) << edit;
    EXPECT_EQ(test::firstDifference(fresh, changed, 50), -1) << edit;
  }
}

std::string problemOf(const std::function<void()>& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(RestoreChanges, OtherBodies_AreNamedAndNothingChanges) {
  World world = pile();
  const std::vector<std::byte> saved = world.save();
  world.step();
  const BodyId gone = world.findBody("paddle");
  world.removeBody(gone);
  world.addBody({.name = "newcomer", .shape = Box{}});
  const std::vector<std::byte> before = world.save();
  const std::string problem = problemOf([&] { world.restore(saved); });
  EXPECT_THAT(problem, HasSubstr("body 'paddle' (index 7, generation 1) was saved"));
  EXPECT_THAT(problem, HasSubstr("body 'newcomer' (index 7, generation 2) is in this world"));
  EXPECT_THAT(problem, HasSubstr("joint '' (index 0"));
  EXPECT_THAT(problem, HasSubstr("kByName"));
  EXPECT_EQ(world.save(), before);
}

constexpr RestoreMode kModes[] = {RestoreMode::kExact, RestoreMode::kMatching,
                                  RestoreMode::kByName};

TEST(RestoreSettings, OtherOnes_AreRefusedInAllModesWithTheirNamesAndValues) {
  const std::vector<std::byte> saved = pile(true).save();
  World other = pile(false);
  for (const RestoreMode mode : kModes) {
    EXPECT_THAT(problemOf([&] { other.restore(saved, mode); }),
                HasSubstr("the setting sleeping.enabled was true, and is false in this world"));
  }
  WorldSettings settings;
  const std::vector<std::byte> plain = World(settings, test::registry()).save();
  settings.substeps = 4;
  settings.friction = FrictionModel::kBox;
  settings.stabilization.gamma = 0.5;
  settings.stabilization.stiffness = settings.stabilization.damping = 3;
  World world(settings, test::registry());
  const std::string problem = problemOf([&] { world.restore(plain); });
  EXPECT_THAT(problem, HasSubstr("substeps was 1, and is 4 in"));
  EXPECT_THAT(problem, HasSubstr("friction was cone, and is box in"));
  EXPECT_THAT(problem, HasSubstr("stabilization.gamma was 0.2, and is 0.5 in"));
  EXPECT_THAT(problem, HasSubstr("stabilization.stiffness was none, and is 3 in"));
  EXPECT_THAT(problem, Not(HasSubstr("timestep")));
}

// What may change between two steps is either saved or of no matter to the state.
TEST(RestoreSettings, GravityAndTimestepComeBack_SolverAndThreadsStay) {
  World world = pile();
  for (int i = 0; i < 10; ++i) world.step();
  const std::vector<std::byte> saved = world.save();
  const WorldSettings then = world.settings();
  world.setGravity({0, 0, -1});
  world.setTimestep(0.01);
  world.setThreads(2);
  world.setSolver(test::settingsFor("nsgs").solver);
  world.restore(saved);
  EXPECT_EQ(world.settings().gravity, then.gravity);
  EXPECT_EQ(world.settings().timestep, then.timestep);
  EXPECT_EQ(world.settings().threads, 2);
  EXPECT_EQ(world.settings().solver.name, "nsgs");
}

TEST(RestoreMaterials, OfAStateWithFewer_ComeBackAndTheOthersStay) {
  for (const RestoreMode mode : kModes) {
    World world = pile();  // of two materials
    world.setMaterialPair(0, 1, {.friction = 0.7});
    const std::vector<std::byte> saved = world.save();
    const MaterialId added = world.addMaterial({.friction = 0.33});
    world.setMaterial(1, {.friction = 0.9});
    world.setMaterialPair(0, 0, {.friction = 0.8});
    world.setMaterialPair(1, added, {.friction = 0.6});
    if (mode == RestoreMode::kExact) {
      EXPECT_THAT(problemOf([&] { world.restore(saved); }),
                  HasSubstr("it has 2 materials, and this world 3; restore it with RestoreMode::"));
      continue;
    }
    world.restore(saved, mode);
    EXPECT_EQ(world.material(1).friction, pile().material(1).friction);
    EXPECT_EQ(world.material(added).friction, 0.33);
    // The pair of the state is back, that of later is gone, and that of the added one stays.
    World same = pile();
    same.setMaterialPair(0, 1, {.friction = 0.7});
    same.addMaterial({.friction = 0.33});
    same.setMaterialPair(1, added, {.friction = 0.6});
    EXPECT_EQ(world.save(), same.save());
    World less = pile();
    EXPECT_THAT(problemOf([&] { less.restore(world.save(), mode); }),
                HasSubstr("it has 3 materials, and this world 2; add the others"));
  }
}

TEST(RestoreMatching, RestoresTheRestAndSaysWhatItLeftOut) {
  World world = pile();
  for (int i = 0; i < 10; ++i) world.step();
  const std::vector<std::byte> saved = world.save();
  const BodyId box = world.bodies()[1], paddle = world.findBody("paddle");
  const Pose before = world.body(box).pose();
  world.body(box).setMaterial(1);
  for (int i = 0; i < 10; ++i) world.step();
  world.removeBody(paddle);
  const BodyId newcomer = world.addBody({.name = "newcomer", .shape = Box{}});
  world.body(newcomer).setPose({{8, 0, 3}, Quat::Identity()});
  const RestoreReport report = world.restore(saved, RestoreMode::kMatching);
  ASSERT_EQ(report.bodiesNotHere.size(), 1u);
  EXPECT_EQ(report.bodiesNotHere[0].id, paddle);
  EXPECT_EQ(report.bodiesNotHere[0].name, "paddle");
  ASSERT_EQ(report.bodiesNotSaved.size(), 1u);
  EXPECT_EQ(report.bodiesNotSaved[0].id, newcomer);
  EXPECT_EQ(report.jointsNotHere.size(), 1u);
  EXPECT_TRUE(report.jointsNotSaved.empty());
  EXPECT_EQ(world.body(box).pose().position, before.position);
  EXPECT_EQ(world.body(box).definition().material, 0);
  EXPECT_EQ(world.body(newcomer).pose().position, Vec3(8, 0, 3));
  EXPECT_NEAR(world.time(), 10.0 / 60, 1e-12);
  for (int i = 0; i < 50; ++i) EXPECT_TRUE(world.step().withinTolerance);
}

TEST(RestoreMatching, OfTheSameBodies_GoesOnBitForBit) {
  World world = pile(true), other = pile(true);
  for (int i = 0; i < 30; ++i) world.step();
  EXPECT_TRUE(other.restore(world.save(), RestoreMode::kMatching).isComplete());
  EXPECT_EQ(test::firstDifference(world, other, 50), -1);
}

// A body and a joint that came and went again leave no trace that matters, in the hash least.
TEST(RestoreMatching, AfterABodyCameAndWent_IsCompleteAndHasTheSameHash) {
  World world = pile();
  for (int i = 0; i < 10; ++i) world.step();
  const std::vector<std::byte> saved = world.save();
  const std::uint64_t hash = world.observe().hash();
  World plain = pile();
  plain.restore(saved);
  const BodyId guest = test::addUnitBox(world, {0, 0, 9});
  const JointId joint = world.addJoint(ballJoint(guest, world.bodies()[1], {0, 0, 0}, {0, 0, 9}));
  EXPECT_NE(world.observe().hash(), hash);
  world.step();
  world.removeJoint(joint);
  world.removeBody(guest);
  EXPECT_TRUE(world.restore(saved).isComplete());
  EXPECT_EQ(world.observe().hash(), hash);
  EXPECT_EQ(test::firstDifference(plain, world, 50), -1);
  EXPECT_EQ(world.observe().hash(), plain.observe().hash());
}

/// A random change of a random body but the ground, the first one.
void change(World& world, Random& random) {
  const std::vector<BodyId> bodies = world.bodies();
  const int body = 1 + test::below(random, static_cast<int>(bodies.size()) - 1);
  try {
    test::changeBodyAtRandom(world.body(bodies[body]), 2, random);
  } catch (const InputError&) {  // what a body of its kind cannot have
  }
}

// 300 steps of changes, each world restored from the other's states every 50.
TEST(RestoreChanges, UnderRandomChanges_TwoWorldsStayTheSame) {
  for (const bool sleeps : {false, true}) {
    World one = pile(sleeps), other = pile(sleeps);
    Random first(42), second(42);
    for (int i = 0; i < 300; ++i) {
      change(one, first);
      change(other, second);
      one.step();
      other.step();
      ASSERT_FALSE(one.lastReport().hasDiverged()) << i;
      ASSERT_EQ(one.observe().hash(), other.observe().hash()) << i;
      if (i % 50 != 49) continue;
      const std::vector<std::byte> saved = one.save();
      other = pile(sleeps);
      other.restore(saved);
      ASSERT_EQ(other.observe().hash(), one.observe().hash()) << i;
      ASSERT_EQ(other.save(), saved) << i;
    }
  }
}

}  // namespace
}  // namespace drystone
