#include <gtest/gtest.h>

#include <vector>

#include "core/parallel_select.h"

namespace drystone {
namespace {

TEST(ParallelSelect, OfEveryThreadCountAndGrain_ListsWhatIsKeptInOrder) {
  ParallelSelect select;
  std::vector<int> out;
  for (const int count : {0, 1, 9, 10, 11, 1000, 37}) {
    std::vector<int> expected;
    for (int i = 0; i < count; ++i) {
      if (i % 7 < 3) expected.push_back(5 * i);
    }
    for (const int threads : {1, 2, 8}) {
      for (const int grain : {1, 10, 64}) {
        std::vector<int> calls(count, 0);
        select.list(
            count, grain, threads,
            [&](int i) {
              ++calls[i];
              return i % 7 < 3 ? 5 * i : -1;
            },
            out);
        EXPECT_EQ(out, expected) << count << " indices, " << threads << " threads, " << grain;
        EXPECT_EQ(calls, std::vector<int>(count, 1));
      }
    }
  }
}

TEST(ParallelSelect, OfRangesThatKeepNothing_IsEmpty) {
  ParallelSelect select;
  std::vector<int> out(5, 1);
  select.list(
      100, 10, 4, [](int) { return -1; }, out);
  EXPECT_TRUE(out.empty());
}

}  // namespace
}  // namespace drystone
