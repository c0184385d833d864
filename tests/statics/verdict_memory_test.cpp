// What a verdict leaves as it was, also where memory ends in it.
#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "core/input_error.h"
#include "engine/statics/statics.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/fail_each.h"
#include "tests/support/worlds.h"

namespace drystone::test {
namespace {

TEST(VerdictMemory, EndsAnywhere_TheNextVerdictIsTheSame) {
  if (allocationCount() == 0) GTEST_SKIP() << "the heap is a sanitizer's own";
  const StaticLoad push{.weights = Vec3::UnitX()};
  World world(settingsFor("auto"), registry());
  addGround(world);
  addUnitBox(world, {0, 0, 0.5});
  const std::vector<std::byte> state = world.save();

  const Statics statics(world);
  const Real expected = statics.answer(push).factor;
  ASSERT_GT(expected, 0);
  const auto isSame = [&](bool) { EXPECT_EQ(statics.answer(push).factor, expected); };
  EXPECT_GT(failEach([&] { statics.answer(push); }, isSame, 97), 50);

  int refused = 0;
  const auto isSameAfterARestore = [&](bool isDone) {
    try {
      world.save();
      if (isDone) {
        EXPECT_EQ(Statics(world).answer(push).factor, expected);
      }
    } catch (const InputError&) {
      EXPECT_FALSE(isDone);
      ++refused;
    }
    world.restore(state);
    EXPECT_EQ(Statics(world).answer(push).factor, expected);
    world.restore(state);
  };
  EXPECT_GT(failEach([&] { const Statics own(world); }, isSameAfterARestore), 5);
  EXPECT_GT(refused, 3);
}

/// Two boxes on the ground, with a gap of 15 mm between them, beyond the margin of 10 mm.
struct BoxesWithAGap {
  World world{settingsFor("auto"), registry()};
  BodyId first, second;

  BoxesWithAGap() {
    addGround(world);
    first = addUnitBox(world, {0, 0, 0.5});
    second = addUnitBox(world, {1.015, 0, 0.5});
  }
  /// Of a step in which something acts, so that no gap counts as distant.
  int contactsOfAStep() {
    world.body(second).applyForce({0, 0, -0.1});
    return world.step().contacts;
  }
};

TEST(VerdictReach, BeyondTheMargin_FindsMoreAndLeavesStepsTheirMargin) {
  BoxesWithAGap boxes;
  ASSERT_EQ(boxes.contactsOfAStep(), 8);
  EXPECT_EQ(Statics(boxes.world).contacts(), 8);
  EXPECT_EQ(Statics(boxes.world, 0.014).contacts(), 8);
  EXPECT_EQ(Statics(boxes.world, 0.016).contacts(), 12);
  EXPECT_EQ(boxes.contactsOfAStep(), 8);
}

TEST(VerdictReach, WhereMemoryEnds_LeavesStepsTheirMargin) {
  if (allocationCount() == 0) GTEST_SKIP() << "the heap is a sanitizer's own";
  BoxesWithAGap boxes;
  const std::vector<std::byte> state = boxes.world.save();
  // What a thread keeps for itself must be there: the C library ends the program without room.
  EXPECT_EQ(Statics(boxes.world, 0.016).contacts(), 12);
  const auto hasTheMargin = [&](bool) {
    boxes.world.restore(state);
    EXPECT_EQ(boxes.contactsOfAStep(), 8);
    boxes.world.restore(state);
  };
  EXPECT_GT(failEach([&] { const Statics own(boxes.world, 0.016); }, hasTheMargin), 5);
}

}  // namespace
}  // namespace drystone::test
