// Where memory ends in a verdict, the next one is the same.
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

}  // namespace
}  // namespace drystone::test
