// Materials that are changed between steps.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "collision/shape/shape.h"
#include "core/input_error.h"
#include "tests/unit/engine/world/live_bodies.h"

namespace drystone {
namespace {

const Material kBouncy{.friction = 0.3, .restitution = 0.7, .compliance = 1e-3};

/// A box of material 1 that slides on the ground of material 0, and a ball above it.
World slidingWorld(bool sleeps, const std::function<void(World&)>& first = {}) {
  World world = test::groundedWorld(test::sleepy(sleeps));
  if (first) first(world);
  BodyDefinition box{.name = "box", .shape = Box{}, .material = 1};
  box.pose.position = {0, 0, 0.5};
  box.linearVelocity = {3, 0, 0};
  world.addBody(box);
  test::addBody(world, Sphere{0.3}, 1, {{0.1, 0.1, 2}, Quat::Identity()});
  return world;
}

const std::function<void(World&)> kMaterialEdits[] = {
    [](World& world) { world.setMaterial(0, kBouncy); },
    [](World& world) { world.setMaterial(1, kBouncy); },
    [](World& world) { world.setMaterialPair(1, 0, kBouncy); },
};

TEST(MaterialChanges, DoWhatAWorldOfSuchMaterialsDoes) {
  for (const auto& edit : kMaterialEdits) {
    World built = slidingWorld(false, edit), changed = slidingWorld(false);
    World plain = slidingWorld(false), other = slidingWorld(false);
    edit(changed);
    edit(other);
    EXPECT_EQ(test::firstDifference(built, changed, 80), -1);
    EXPECT_NE(test::firstDifference(plain, other, 80), -1);
  }
}

TEST(MaterialChanges, AreBroughtBackAndUndone) {
  for (const auto& edit : kMaterialEdits) {
    World world = slidingWorld(true);
    for (int i = 0; i < 10; ++i) world.step();
    const std::vector<std::byte> before = world.save();
    edit(world);
    const std::vector<std::byte> after = world.save();
    EXPECT_NE(before, after);
    for (const auto& state : {before, after, before}) {
      World fresh = slidingWorld(true);
      world.restore(state);
      fresh.restore(state);
      EXPECT_EQ(world.save(), state);
      EXPECT_EQ(fresh.save(), state);
      EXPECT_EQ(test::firstDifference(world, fresh, 60), -1);
    }
  }
}

TEST(MaterialChanges, WakeWhatSleeps) {
  for (const auto& edit : kMaterialEdits) {
    test::Sleepers sleepers;
    edit(sleepers.world);
    EXPECT_EQ(test::awakeOf(sleepers.world, sleepers.boxes), 3);
  }
}

TEST(MaterialChanges, AreRead) {
  World world = slidingWorld(false);
  world.setMaterial(1, kBouncy);
  EXPECT_EQ(world.material(1).restitution, 0.7);
  EXPECT_EQ(world.material(1).compliance, 1e-3);
  EXPECT_EQ(world.material(0).friction, 0.5);
}

TEST(MaterialChanges, ThatAreBad_AreRefusedAndChangeNothing) {
  test::Sleepers sleepers;
  World& world = sleepers.world;
  const std::vector<std::byte> before = world.save();
  const std::pair<const char*, std::function<void()>> refusals[] = {
      {"friction", [&] { world.setMaterial(1, {.friction = -1}); }},
      {"restitution", [&] { world.setMaterialPair(0, 1, {.restitution = 2}); }},
      {"material 2 does not exist; there are 2", [&] { world.setMaterial(2, kBouncy); }},
      {"material -1 does not exist", [&] { world.setMaterial(-1, kBouncy); }},
      {"material 7 does not exist", [&] { world.setMaterialPair(0, 7, kBouncy); }},
      {"material 2 does not exist", [&] { world.material(2); }},
  };
  for (const auto& [problem, call] : refusals) {
    try {
      call();
      ADD_FAILURE() << "no error: " << problem;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr(problem));
    }
    EXPECT_EQ(world.save(), before) << problem;
  }
}

TEST(MaterialChanges, StatesOfMoreMaterials_AreRefused) {
  World world = slidingWorld(false), other = slidingWorld(false);
  other.addMaterial(kBouncy);
  EXPECT_THROW(world.restore(other.save()), InputError);
  EXPECT_THROW(world.restore(other.save(), RestoreMode::kMatching), InputError);
}

}  // namespace
}  // namespace drystone
