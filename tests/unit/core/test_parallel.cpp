#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "engine/core/parallel.h"

namespace drystone {
namespace {

class ParallelFor : public testing::TestWithParam<int> {};

TEST_P(ParallelFor, EveryIndex_IsVisitedOnceByAThreadInRange) {
  const int threads = GetParam();
  for (int count : {0, 1, 2, 7, 1000}) {
    std::vector<int> visits(count, 0);
    std::vector<int> thread(count, -1);
    parallelFor(count, threads, [&](int index, int worker) {
      ++visits[index];
      thread[index] = worker;
    });
    for (int i = 0; i < count; ++i) {
      EXPECT_EQ(visits[i], 1) << "index " << i << " of " << count;
      EXPECT_TRUE(thread[i] >= 0 && thread[i] < threads);
    }
  }
}

// Results that each index writes for itself have the same bits, whoever computes them.
TEST_P(ParallelFor, ResultsByIndex_EqualThoseOfOneThread) {
  const auto compute = [](int threads) {
    std::vector<double> results(500);
    parallelFor(500, threads, [&](int index, int) {
      double sum = 0;
      for (int k = 1; k <= index; ++k) sum += std::sin(k * 0.1) / k;
      results[index] = sum;
    });
    return results;
  };
  EXPECT_EQ(compute(GetParam()), compute(1));
}

INSTANTIATE_TEST_SUITE_P(Threads, ParallelFor, testing::Values(1, 2, 3, 8));

TEST(SequentialFor, OneThread_KeepsTheOrder) {
  std::vector<int> order;
  parallelFor(5, 1, [&](int index, int) { order.push_back(index); });
  EXPECT_EQ(order, (std::vector{0, 1, 2, 3, 4}));
}

TEST(AvailableThreads, AtLeastOne) { EXPECT_GE(availableThreads(), 1); }

}  // namespace
}  // namespace drystone
