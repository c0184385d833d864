// Saved states that were written over, with a checksum that says they were not.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "core/input_error.h"
#include "engine/observe/world_state.h"
#include "tests/unit/engine/world/live_bodies.h"

namespace drystone {
namespace {

using Bytes = std::vector<std::byte>;

/// Where a value stands in a state for the first time, as an offset.
template <class Value>
std::size_t placeOf(const Bytes& state, const Value& value) {
  const auto* wanted = reinterpret_cast<const std::byte*>(&value);
  const auto found = std::search(state.begin(), state.end(), wanted, wanted + sizeof(value));
  EXPECT_NE(found, state.end());
  return static_cast<std::size_t>(found - state.begin());
}

/// The state with a value in place of the bytes from `at` on, and the checksum of that.
template <class Value>
Bytes withValue(Bytes state, std::size_t at, const Value& value) {
  std::memcpy(state.data() + at, &value, sizeof(value));
  const std::size_t end = state.size() - sizeof(std::uint64_t);
  const std::uint64_t sum = checksum(std::span(state).first(end));
  std::memcpy(state.data() + end, &sum, sizeof(sum));
  return state;
}

/// A stack whose collision caches are in its state, and its state; changed since, so that a restore
/// has much to bring back.
struct ChangedStack {
  World world = test::groundedWorld();
  std::vector<BodyId> boxes = test::addStack(world, 3);
  Bytes saved;

  ChangedStack() {
    world.body(boxes[2]).setDensity(kOddDensity);
    for (int i = 0; i < 10; ++i) world.step();
    saved = world.save();
    world.body(boxes[0]).setShape(Sphere{0.5});
    world.body(boxes[1]).setKind(BodyKind::kStatic);
    world.body(boxes[2]).setDensity(500);
    world.step();
  }

  static constexpr Real kOddDensity = 1234.567;
  static constexpr std::uint64_t kCollisionMagic = 0x33306c6c6f637364ULL;
};

constexpr RestoreMode kIdModes[] = {RestoreMode::kExact, RestoreMode::kMatching};

/// The list of collision caches in a state. Before it stand a magic number, its length, and those
/// of the anchors and moved colliders behind it.
struct CacheList {
  std::size_t count = 0;  ///< offset of its length
  std::size_t first = 0;  ///< offset of its first cache
  std::size_t bytes = 0;  ///< of all caches
};

CacheList cachesOf(const Bytes& state) {
  const std::size_t count = placeOf(state, ChangedStack::kCollisionMagic) + 8;
  // The size of all stands before the magic number. An anchor has eight numbers of 8 bytes, a
  // moved collider one.
  std::uint64_t size = 0, anchors = 0, moved = 0;
  std::memcpy(&size, state.data() + count - 16, sizeof(size));
  std::memcpy(&anchors, state.data() + count + 8, sizeof(anchors));
  std::memcpy(&moved, state.data() + count + 16, sizeof(moved));
  return {count, count + 24, static_cast<std::size_t>(size - 32 - 64 * anchors - 8 * moved)};
}

void expectRefused(ChangedStack& stack, const Bytes& state) {
  for (const RestoreMode mode : kIdModes) {
    const Bytes before = stack.world.save();
    EXPECT_THROW(stack.world.restore(state, mode), InputError);
    EXPECT_EQ(stack.world.save(), before);
  }
}

TEST(RestoreDamage, OfAnotherVersion_IsRefusedWithTheRemedy) {
  ChangedStack stack;
  const Bytes older = withValue(stack.saved, 0, kStateMagic - (std::uint64_t{1} << 56));
  expectRefused(stack, older);
  try {
    stack.world.restore(older);
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("save the world again"), std::string::npos);
  }
}

// The density is that of the last body: the others have come back when it is refused, if it is
// not looked at before.
TEST(RestoreDamage, InABody_IsRefusedAndNothingChanges) {
  ChangedStack stack;
  const std::size_t at = placeOf(stack.saved, ChangedStack::kOddDensity);
  expectRefused(stack, withValue(stack.saved, at, Real(-1)));
}

TEST(RestoreDamage, InTheListOfCollisionCaches_IsRefusedAndNothingChanges) {
  ChangedStack stack;
  const auto [count, at, bytes] = cachesOf(stack.saved);
  ASSERT_GT(bytes, 0u);
  expectRefused(stack, withValue(stack.saved, count, std::uint64_t{1000}));
  std::uint32_t first = 0;
  std::memcpy(&first, stack.saved.data() + at, sizeof(first));
  expectRefused(stack, withValue(stack.saved, at, first + 1000));  // above its partner
}

// A cache of a pair that is not here means nothing: the pair is left out, and all else comes back.
TEST(RestoreDamage, InTheIndexOfACollider_LeavesItsPairOut) {
  ChangedStack stack;
  const auto [count, first, bytes] = cachesOf(stack.saved);
  std::uint64_t caches = 0;
  std::memcpy(&caches, stack.saved.data() + count, sizeof(caches));
  ASSERT_GT(caches, 0u);
  // The last pair of the list may have any partner without turning the order.
  const std::size_t size = bytes / caches;
  const std::size_t last = first + (caches - 1) * size;
  const Bytes state = withValue(stack.saved, last + sizeof(std::uint32_t), std::uint32_t{1000});
  EXPECT_TRUE(stack.world.restore(state).isComplete());
  EXPECT_EQ(stack.world.save().size(), stack.saved.size() - size);
  EXPECT_EQ(stack.world.body(stack.boxes[1]).kind(), BodyKind::kDynamic);
  EXPECT_TRUE(stack.world.step().withinTolerance);
}

}  // namespace
}  // namespace drystone
