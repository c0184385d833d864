#include "viewer/session/triple_buffer.h"

#include <gtest/gtest.h>

#include <array>
#include <thread>
#include <vector>

namespace drystone::viewer {
namespace {

TEST(TripleBuffer, NothingPublished_ReaderKeepsItsValue) {
  TripleBuffer<int> buffer;
  buffer.back() = 7;
  EXPECT_FALSE(buffer.update());
  EXPECT_EQ(buffer.front(), 0);
}

TEST(TripleBuffer, Reader_GetsTheNewestValueOnce) {
  TripleBuffer<int> buffer;
  for (int i = 1; i <= 5; ++i) {
    buffer.back() = i;
    buffer.publish();
  }
  EXPECT_TRUE(buffer.update());
  EXPECT_EQ(buffer.front(), 5);
  EXPECT_FALSE(buffer.update());
  EXPECT_EQ(buffer.front(), 5);
}

TEST(TripleBuffer, PublishedWhileRead_DoesNotTouchWhatIsRead) {
  TripleBuffer<int> buffer;
  buffer.back() = 1;
  buffer.publish();
  buffer.update();
  for (int i = 2; i <= 9; ++i) {
    buffer.back() = i;
    buffer.publish();
    EXPECT_EQ(buffer.front(), 1);
  }
}

// Every value fills an array with its number: a torn read would see two numbers, a lost order a
// smaller one than before.
TEST(TripleBuffer, TwoThreads_ReaderSeesWholeValuesInOrder) {
  constexpr int kCount = 20000;
  TripleBuffer<std::array<int, 64>> buffer;
  std::jthread writer([&] {
    for (int i = 1; i <= kCount; ++i) {
      buffer.back().fill(i);
      buffer.publish();
    }
  });
  int last = 0;
  while (last < kCount) {
    if (!buffer.update()) continue;
    const int first = buffer.front()[0];
    ASSERT_GT(first, last);
    for (const int value : buffer.front()) ASSERT_EQ(value, first);
    last = first;
  }
}

TEST(TripleBuffer, Slots_KeepTheirCapacity) {
  TripleBuffer<std::vector<int>> buffer;
  std::vector<const int*> slots;
  for (int i = 0; i < 30; ++i) {
    buffer.back().assign(100, i);
    const int* data = buffer.back().data();
    buffer.publish();
    buffer.update();
    if (i < 3) slots.push_back(data);
    EXPECT_NE(std::find(slots.begin(), slots.end(), data), slots.end());
  }
}

}  // namespace
}  // namespace drystone::viewer
