// The n-th allocation of a call fails, for every n: std::bad_alloc comes out, nothing crashes, and
// what was saved before goes on to the bit.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <new>
#include <vector>

#include "core/input_error.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/worlds.h"

namespace drystone::test {
namespace {

using Bytes = std::vector<std::byte>;

/// Calls `call` with one allocation after the other failing, until it has none left to fail, and
/// `after` each time, whether the call was done. Returns how many failed.
int failEach(const std::function<void()>& call, const std::function<void(bool)>& after) {
  for (int n = 1;; ++n) {
    bool isDone = true;
    failAllocation(n);
    try {
      call();
    } catch (const std::bad_alloc&) {
      isDone = false;
    }
    const bool hasFailed = failAllocation(0);
    EXPECT_TRUE(isDone || hasFailed);
    after(isDone);
    // Some do without, as a sort without its buffer.
    if (!hasFailed) return n - 1;
  }
}

BodyDefinition hills() {
  auto data = std::make_shared<HeightfieldData>();
  data->columns = data->rows = 5;
  for (int i = 0; i < 25; ++i) data->heights.push_back(0.05 * (i % 3) - 0.1);
  return {
      .name = "hills", .kind = BodyKind::kStatic, .shape = Heightfield{data}, .pose = {{8, 0, 0}}};
}

/// Two boxes on a hinge with a ball that comes down on them, a box on hills, a box that sleeps, and
/// a shot that would pass a wall in one step. The two static bodies are not there from the start.
World manyThings(int threads) {
  WorldSettings settings = settingsFor("auto");
  settings.threads = threads;
  settings.sleeping = {.enabled = true, .time = settings.timestep};
  World world(settings, registry());
  const BodyId first = addUnitBox(world, {0, 0, 9});
  addGround(world);
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
    const BodyId shot = world->bodies().back();
    ASSERT_LT(world->body(shot).pose().position.y(), 20) << "the wall stops it";
    expected = world->save();
    world->restore(state);
  }

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
                              });
  EXPECT_GT(failed, 100) << "a first step makes its room";
  EXPECT_GT(refused, 100);
}

TEST_P(OutOfMemory, AfterAStepThatFailed_TheWorldCanBeDestroyed) {
  std::unique_ptr<World> tried = std::make_unique<World>(manyThings(GetParam()));
  const int failed =
      failEach([&] { tried->step(); },
               [&](bool) { tried = std::make_unique<World>(manyThings(GetParam())); });
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
    EXPECT_GT(failEach([&] { world->addBody(body); }, expectNoEffect), 10);
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

INSTANTIATE_TEST_SUITE_P(Threads, OutOfMemory, testing::Values(1, 2));

}  // namespace
}  // namespace drystone::test
