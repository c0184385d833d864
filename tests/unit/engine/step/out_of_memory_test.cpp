// The n-th allocation of a call fails, for every n: std::bad_alloc comes out, nothing crashes, and
// what was saved before goes on to the bit.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "core/input_error.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/fail_each.h"
#include "tests/support/worlds.h"

namespace drystone::test {
namespace {

using Bytes = std::vector<std::byte>;

BodyDefinition hills() {
  auto data = std::make_shared<HeightfieldData>();
  data->columns = data->rows = 5;
  for (int i = 0; i < 25; ++i) data->heights.push_back(0.05 * (i % 3) - 0.1);
  return {
      .name = "hills", .kind = BodyKind::kStatic, .shape = Heightfield{data}, .pose = {{8, 0, 0}}};
}

/// Two boxes on a hinge with a ball that comes down on them, a box on hills, a box that sleeps, and
/// a shot that would pass a wall in one step. The two static bodies are not there from the start.
/// The ground is a force plate.
World manyThings(int threads) {
  WorldSettings settings = settingsFor("auto");
  settings.threads = threads;
  settings.sleeping = {.enabled = true, .time = settings.timestep};
  World world(settings, registry());
  const BodyId first = addUnitBox(world, {0, 0, 9});
  const BodyId ground = addGround(world);
  world.setForcePlates({{.name = "ground", .body = ground}});
  const BodyId a = addUnitBox(world, {0, 0, 0.5});
  const BodyId b = addUnitBox(world, {0.1, 0, 1.5});
  addBody(world, Sphere{0.5}, 1, {{0.1, 0, 2.6}}, {0, 0, -3});
  world.removeBody(first);  // so that a slot is free
  addUnitBox(world, {-6, 0, 0.5});
  world.addBody(hills());
  addUnitBox(world, {10, 2, 0.5}, {0, 0, -1});
  world.addBody({.kind = BodyKind::kStatic, .shape = Box{{1, 0.01, 1}}, .pose = {{0, 20, 1}}});
  // It meets the wall in the third step, the one that fails.
  const Real speed = 400;
  const Vec3 start{0, 20 - 2.5 * speed * settings.timestep, 1};
  addBody(world, Sphere{0.02}, 0.1, {start}, {0, speed, 0});
  world.addJoint(hingeJoint(a, b, {{0.5, 0, 0.5}}, {{0.4, 0, -0.5}}));
  return world;
}

class OutOfMemory : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    if (allocationCount() == 0) GTEST_SKIP() << "the heap is a sanitizer's own";
    world = std::make_unique<World>(manyThings(GetParam()));
    for (int i = 0; i < 2; ++i) world->step();
    state = world->save();
    const StepReport& report = world->step();
    ASSERT_GT(report.asleepBodies, 0);
    ASSERT_GT(std::ssize(report.islands), 1);
    ASSERT_FALSE(world->forcePlates().front().reading.contacts.empty());
    const BodyId shot = world->bodies().back();
    ASSERT_LT(world->body(shot).pose().position.y(), 20) << "the wall stops it";
    expected = world->save();
    world->restore(state);
  }

  /// Of a step that takes long. Several threads take their memory in another order each time.
  static int stride() { return GetParam() == 1 ? 1 : 5; }

  /// Brings the world back, and sees that it goes on as if nothing had failed.
  void expectGoesOn(World& tried) const {
    tried.restore(state);
    EXPECT_EQ(tried.save(), state);
    tried.step();
    EXPECT_EQ(tried.save(), expected);
  }

  std::unique_ptr<World> world;
  Bytes state;     ///< of before a step
  Bytes expected;  ///< of after it
};

TEST_P(OutOfMemory, InAStep_TheWorldIsForARestoreThatGoesOn) {
  std::unique_ptr<World> tried = std::make_unique<World>(manyThings(GetParam()));
  tried->restore(state);
  int refused = 0;
  const int failed = failEach([&] { tried->step(); },
                              [&](bool isDone) {
                                if (!isDone) {
                                  ++refused;
                                  EXPECT_THROW(tried->step(), InputError);
                                  EXPECT_THROW(tried->save(), InputError);
                                  EXPECT_THROW(tried->queries(), InputError);
                                  EXPECT_EQ(tried->bodies(), world->bodies());
                                }
                                expectGoesOn(*tried);
                                tried = std::make_unique<World>(manyThings(GetParam()));
                                tried->restore(state);
                              },
                              stride());
  EXPECT_GT(failed, 100) << "a first step makes its room";
  EXPECT_GT(refused, 100);
}

TEST_P(OutOfMemory, AfterAStepThatFailed_TheWorldCanBeDestroyed) {
  std::unique_ptr<World> tried = std::make_unique<World>(manyThings(GetParam()));
  const int failed =
      failEach([&] { tried->step(); },
               [&](bool) { tried = std::make_unique<World>(manyThings(GetParam())); }, stride());
  EXPECT_GT(failed, 100);
}

TEST_P(OutOfMemory, WhileAWorldIsMade_NothingIsLeft) {
  EXPECT_GT(failEach([] { manyThings(GetParam()); }, [](bool) {}), 300);
}

TEST_P(OutOfMemory, WhileABodyOrAJointIsMade_ThereIsNone) {
  World other = manyThings(GetParam());
  other.restore(state);
  const BodyId a = world->bodies()[4], b = world->bodies()[3];
  const auto expectNoEffect = [&](bool isDone) {
    if (!isDone) {
      EXPECT_EQ(world->save(), state);
    }
  };
  // The first of them takes a slot that is free, the second one makes its own.
  for (const Real x : {0.3, 0.4}) {
    BodyDefinition body = hills();
    body.name = "a name too long for the string itself";
    body.pose.position = {x, 0, 0};
    EXPECT_GT(failEach([&] { world->addBody(body); }, expectNoEffect), 5);
    other.addBody(body);
    state = other.save();
    EXPECT_EQ(world->save(), state);
  }
  const JointDefinition joint = hingeJoint(a, b);
  EXPECT_GT(failEach([&] { world->addJoint(joint); }, expectNoEffect), 1);
  other.addJoint(joint);
  EXPECT_EQ(world->save(), other.save());
  world->step();
  other.step();
  EXPECT_EQ(world->save(), other.save());
}

TEST_P(OutOfMemory, ARemovalTakesNone) {
  const std::vector<BodyId> bodies = world->bodies();
  const std::int64_t before = allocationCount();
  for (const BodyId id : bodies) world->removeBody(id);
  EXPECT_EQ(allocationCount(), before);
  EXPECT_TRUE(world->bodies().empty());
}

TEST_P(OutOfMemory, WhileABodyChanges_TheWorldIsForARestoreThatGoesOn) {
  const BodyHandle hill = world->body(world->findBody("hills"));
  const int shapes = failEach(
      [&] {
        hill.setShape(Box{{1, 1, 0.1}});
      },
      [&](bool) { expectGoesOn(*world); });
  EXPECT_GT(shapes, 3);
  const BodyHandle box = world->body(world->bodies()[2]);
  const int filters =
      failEach([&] { box.setFilter({.group = 2}); }, [&](bool) { expectGoesOn(*world); });
  EXPECT_GT(filters, 0);
}

TEST_P(OutOfMemory, InAQuery_TheWorldStaysOrIsForARestore) {
  const auto query = [&] {
    world->body(world->bodies()[2]).setPose({{10, 2, 0.5}});
    world->queries().rayCastAll({10, 2, 9}, {10, 2, -9});
  };
  const int failed = failEach(query, [&](bool) {
    world->restore(state);
    EXPECT_EQ(world->save(), state);
  });
  EXPECT_GT(failed, 3);
  expectGoesOn(*world);
}

TEST_P(OutOfMemory, InSaveAndRestore_TheWorldCanBeRestoredAgain) {
  EXPECT_GT(failEach([&] { EXPECT_EQ(world->save(), state); }, [](bool) {}), 0);
  World other = manyThings(GetParam());
  EXPECT_GT(failEach([&] { other.restore(state); }, [&](bool) { expectGoesOn(other); }), 0);
  World named = manyThings(GetParam());
  const auto byName = [&] { named.restore(state, RestoreMode::kByName); };
  EXPECT_GT(failEach(byName, [&](bool) { expectGoesOn(named); }), 0);
}

TEST_P(OutOfMemory, WhileAJointChanges_ItStaysAsItIs) {
  const JointHandle hinge = world->joint(world->joints().front());
  const ForceTable rising({{-1, -2}, {0, 0}, {1, 3}});
  hinge.setSpring(kAboutX, JointSpring{.damping = 1, .forceTable = rising});
  hinge.setMotor(kAboutX, JointMotor{.target = Schedule({{0, 1}, {2, 3}}), .maxForce = 5});
  hinge.setMotorTarget(kAboutX, 0.5);
  state = world->save();
  const auto expectNoEffect = [&](bool isDone) {
    if (isDone) world->restore(state);
    EXPECT_EQ(world->save(), state);
    EXPECT_EQ(hinge.definition().axes[kAboutX].motor->target.keys().front().value, 0.5);
  };
  const auto expectEach = [&](const auto& change) {
    EXPECT_GT(failEach([&] { change(); }, expectNoEffect), 3);
  };
  expectEach([&] { hinge.setFrames({{0.4, 0, 0.5}}, {{0.4, 0, -0.5}}); });
  expectEach([&] { hinge.setLimits(kAboutX, -1, 1); });
  expectEach([&] { hinge.setMotor(kAboutX, std::nullopt); });
  expectEach([&] { hinge.setCollide(true); });
}

TEST_P(OutOfMemory, WhileForcePlatesAreSet_ThoseOfBeforeStay) {
  world->step();
  const BodyId ground = world->forcePlates().front().definition.body;
  const ForcePlateDefinition one{.name = "a name too long for the string itself", .body = ground};
  const int failed = failEach(
      [&] {
        world->setForcePlates({one, one});
      },
      [&](bool isDone) {
        if (isDone) return;
        ASSERT_EQ(world->forcePlates().size(), 1u);
        EXPECT_EQ(world->forcePlates().front().definition.name, "ground");
        EXPECT_TRUE(world->forcePlates().front().hasReading);
        EXPECT_EQ(world->save(), expected);
      });
  EXPECT_GT(failed, 3);
  EXPECT_EQ(world->forcePlates().size(), 2u);
}

TEST_P(OutOfMemory, WhileTheSolverChanges_TheOldOneStays) {
  SolverChoice choice = world->settings().solver;
  choice.name = "apgd";
  choice.settings = {{"law", "exact"}};  // so that the settings of the world take memory
  const auto expectOld = [&](bool isDone) {
    if (isDone) return;
    EXPECT_EQ(world->settings().solver.name, "auto");
    expectGoesOn(*world);
    world->restore(state);
  };
  EXPECT_GT(failEach([&] { world->setSolver(choice); }, expectOld), 3);
  EXPECT_EQ(world->settings().solver.name, "apgd");
}

INSTANTIATE_TEST_SUITE_P(Threads, OutOfMemory, testing::Values(1, 2));

/// A tower that falls: its island has rows enough for soft steps, two boxes of it in one cluster.
World fallingTower() {
  WorldSettings settings = settingsFor("auto");
  settings.stepping = Stepping::kSoft;
  World world(settings, registry());
  addGround(world);
  constexpr int kBoxes = 14;
  for (int i = 0; i < kBoxes; ++i) addUnitBox(world, {0, 0, 0.5 + i}, {0, 0, -1});
  const std::vector<BodyId> bodies = world.bodies();
  world.addJoint(hingeJoint(bodies[kBoxes - 1], bodies[kBoxes], {{0.5, 0, 0.5}}, {{0.5, 0, -0.5}}));
  return world;
}

TEST(SoftOutOfMemory, InAStep_TheWorldIsForARestoreThatGoesOn) {
  if (allocationCount() == 0) GTEST_SKIP() << "the heap is a sanitizer's own";
  auto tried = std::make_unique<World>(fallingTower());
  const Bytes state = tried->save();
  ASSERT_GT(tried->step().softIslands, 0);
  const Bytes expected = tried->save();
  tried = std::make_unique<World>(fallingTower());
  int refused = 0;
  const auto expectGoesOn = [&](bool isDone) {
    if (!isDone) {
      ++refused;
      EXPECT_THROW(tried->save(), InputError);
    }
    tried->restore(state);
    tried->step();
    EXPECT_EQ(tried->save(), expected);
    tried = std::make_unique<World>(fallingTower());
  };
  EXPECT_GT(failEach([&] { tried->step(); }, expectGoesOn, 3), 100);
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace drystone::test
