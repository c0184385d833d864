#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <barrier>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <ostream>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "core/executor.h"
#include "core/parallel.h"
#include "tests/support/async_executor.h"

namespace drystone {
namespace {

/// What loops run on.
struct Backend {
  std::string name;
  std::function<std::shared_ptr<Parallel>()> make;
  int shortLoops;  ///< that take no longer than a second on a busy machine
};

void PrintTo(const Backend& backend, std::ostream* out) { *out << backend.name; }

std::vector<Backend> backends() {
  std::vector<Backend> all = {
      {"Pool", makeThreadPool, 20000},
      {"Async", [] { return std::make_shared<test::AsyncExecutor>(); }, 300}};
  if (makeOpenMp()) all.push_back({"OpenMp", makeOpenMp, 1000});
  return all;
}

/// The loops of a test run on the backend.
class OnBackend {
 protected:
  explicit OnBackend(const Backend& backend) : executor_(backend.make()) {}

 private:
  std::shared_ptr<Parallel> executor_;
  ExecutorScope scope_{executor_.get()};
};

class ParallelFor : public testing::TestWithParam<std::tuple<Backend, int>>, OnBackend {
 protected:
  ParallelFor() : OnBackend(std::get<0>(GetParam())) {}
  int threads() const { return std::get<1>(GetParam()); }
};

template <class Claim>
class EachBackend : public testing::TestWithParam<Backend>, OnBackend {
 protected:
  EachBackend() : OnBackend(GetParam()) {}
};
using LoopInALoop = EachBackend<struct OfLoops>;
using ConcurrentCallers = EachBackend<struct OfCallers>;
using Workers = EachBackend<struct OfWorkers>;
using LoopTimerOn = EachBackend<struct OfTimers>;

std::string nameOf(const testing::TestParamInfo<Backend>& info) { return info.param.name; }
INSTANTIATE_TEST_SUITE_P(On, LoopInALoop, testing::ValuesIn(backends()), nameOf);
INSTANTIATE_TEST_SUITE_P(On, ConcurrentCallers, testing::ValuesIn(backends()), nameOf);
INSTANTIATE_TEST_SUITE_P(On, Workers, testing::ValuesIn(backends()), nameOf);
INSTANTIATE_TEST_SUITE_P(On, LoopTimerOn, testing::ValuesIn(backends()), nameOf);
INSTANTIATE_TEST_SUITE_P(
    On, ParallelFor, testing::Combine(testing::ValuesIn(backends()), testing::Values(1, 2, 3, 8)),
    [](const auto& one) {
      return std::get<0>(one.param).name + std::to_string(std::get<1>(one.param));
    });

TEST_P(ParallelFor, EveryIndex_IsVisitedOnceByAThreadInRange) {
  for (int count : {0, 1, 2, 7, 1000}) {
    std::vector<int> visits(count, 0);
    std::vector<int> thread(count, -1);
    parallelFor(count, threads(), [&](int index, int worker) {
      ++visits[index];
      thread[index] = worker;
    });
    for (int i = 0; i < count; ++i) {
      EXPECT_EQ(visits[i], 1) << "index " << i << " of " << count;
      EXPECT_TRUE(thread[i] >= 0 && thread[i] < threads());
    }
  }
}

// Results that each index writes for itself have the same bits, whoever computes them.
TEST_P(ParallelFor, ResultsByIndex_EqualThoseOfOneThread) {
  const auto compute = [](int count) {
    std::vector<double> results(500);
    parallelFor(500, count, [&](int index, int) {
      double sum = 0;
      for (int k = 1; k <= index; ++k) sum += std::sin(k * 0.1) / k;
      results[index] = sum;
    });
    return results;
  };
  EXPECT_EQ(compute(threads()), compute(1));
}

TEST(SequentialFor, OneThread_KeepsTheOrder) {
  std::vector<int> order;
  parallelFor(5, 1, [&](int index, int) { order.push_back(index); });
  EXPECT_EQ(order, (std::vector{0, 1, 2, 3, 4}));
}

// Far more loops than looks of a worker between two of them: each index is visited once, whether
// workers are awake, falling asleep, or late from the loop before.
TEST_P(ParallelFor, ManyShortLoops_VisitEveryIndexOnce) {
  std::vector<int> visits(9, 0);
  const int loops = std::get<0>(GetParam()).shortLoops;
  for (int loop = 0; loop < loops; ++loop) {
    const int count = 2 + loop % 8;
    parallelFor(count, threads(), [&](int index, int) { ++visits[index]; });
    for (int i = 0; i < count; ++i) ASSERT_EQ(std::exchange(visits[i], 0), 1) << "loop " << loop;
    if (loop % 250 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

// The caller gets what a body throws, whoever ran it. The loops after it visit every index.
TEST_P(ParallelFor, BodyThatThrows_ReachesTheCaller) {
  for (const int bad : {0, 50, 99}) {
    std::vector<int> visits(100, 0);
    const auto visit = [&](int index, int) {
      if (index == bad) throw std::runtime_error(std::to_string(index));
      ++visits[index];
    };
    try {
      parallelFor(100, threads(), visit);
      ADD_FAILURE() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_EQ(error.what(), std::to_string(bad));
    }
    EXPECT_EQ(visits[bad], 0);
    std::vector<int> again(100, 0);
    parallelFor(100, threads(), [&](int index, int) { ++again[index]; });
    EXPECT_EQ(again, std::vector<int>(100, 1));
  }
}

// What is written in one loop is there in the next, whoever runs its indices.
TEST_P(ParallelFor, LoopAfterLoop_SeesWhatTheLastOneWrote) {
  std::vector<std::int64_t> cells(64, 1), next(64, 0);
  for (int loop = 0; loop < 500; ++loop) {
    parallelFor(64, threads(), [&](int i, int) { next[i] = (cells[(i + 1) % 64] + i) % 1000003; });
    std::swap(cells, next);
  }
  std::vector<std::int64_t> expected(64, 1), scratch(64, 0);
  for (int loop = 0; loop < 500; ++loop) {
    for (int i = 0; i < 64; ++i) scratch[i] = (expected[(i + 1) % 64] + i) % 1000003;
    std::swap(expected, scratch);
  }
  EXPECT_EQ(cells, expected);
}

TEST_P(LoopInALoop, OfSeveralThreads_RunsInOrderAsThreadZero) {
  std::vector<std::vector<int>> orders(6);
  std::vector<int> inner(6, 0);
  parallelFor(6, 3, [&](int index, int) {
    parallelFor(3, 4, [&](int i, int thread) {
      orders[index].push_back(i);
      inner[index] += thread;
    });
  });
  for (const std::vector<int>& order : orders) EXPECT_EQ(order, (std::vector{0, 1, 2}));
  EXPECT_EQ(inner, std::vector<int>(6, 0));
}

// Threads that share an executor, and in the last run each what is its own.
TEST_P(ConcurrentCallers, EachLoop_VisitsItsOwnIndices) {
  const std::shared_ptr<Parallel> shared = GetParam().make();
  for (Parallel* executor : {shared.get(), static_cast<Parallel*>(nullptr)}) {
    std::vector<std::jthread> callers;
    std::array<std::vector<int>, 3> visits;
    for (std::vector<int>& mine : visits) {
      callers.emplace_back([&mine, executor] {
        const ExecutorScope scope(executor);
        mine.resize(50, 0);
        for (int loop = 0; loop < 200; ++loop) parallelFor(50, 3, [&](int i, int) { ++mine[i]; });
      });
    }
    callers.clear();
    for (const std::vector<int>& mine : visits) EXPECT_EQ(mine, std::vector<int>(50, 200));
  }
}

// Two indices that wait for each other end only if two threads run them.
TEST_P(Workers, ThatWentToSleep_AreWokenForTheNextLoop) {
  for (int loop = 0; loop < 3; ++loop) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    std::barrier both(2);
    std::array<int, 2> thread{};
    parallelFor(2, 2, [&](int index, int worker) {
      both.arrive_and_wait();
      thread[index] = worker;
    });
    EXPECT_EQ(thread[0] + thread[1], 1);
  }
}

// Workers of an earlier loop with more threads stay out: callers index by the thread.
TEST_P(Workers, OfALargerLoop_LeaveTheIndicesOfASmallerOneAlone) {
  parallelFor(64, 8, [](int, int) {});
  for (int loop = 0; loop < GetParam().shortLoops / 10; ++loop) {
    std::array<int, 16> thread{};
    parallelFor(16, 2, [&](int index, int worker) { thread[index] = worker; });
    for (const int worker : thread) ASSERT_LT(worker, 2) << "loop " << loop;
  }
}

// Both threads sleep after they met: for so long at least two were at work.
void workTogether(std::chrono::milliseconds time) {
  std::barrier both(2);
  parallelFor(2, 2, [&](int, int) {
    both.arrive_and_wait();
    std::this_thread::sleep_for(time);
  });
}

// On a busy machine one of the two may be woken late, so the best of some tries counts.
TEST_P(LoopTimerOn, TwoThreadsAtWork_GainTheTimeOfOne) {
  const LoopTimer timer;
  double best = 0;
  for (int i = 0; i < 50 && best < 19; ++i) {
    const double before = timer.gained();
    workTogether(std::chrono::milliseconds(20));
    best = std::max(best, timer.gained() - before);
  }
  EXPECT_GE(best, 19);
  EXPECT_GE(timer.gained(), best) << "the sum of all loops";
}

TEST_P(LoopTimerOn, OneThread_GainsNothing) {
  const LoopTimer timer;
  parallelFor(3, 1, [](int, int) {});
  EXPECT_EQ(timer.gained(), 0);
}

// Here the second thread works while the first one waits for it.
TEST_P(LoopTimerOn, ThreadThatIsWaitedFor_GainsNoMoreThanItWorkedBeside) {
  const LoopTimer timer;
  const auto start = std::chrono::steady_clock::now();
  std::barrier both(2);
  parallelFor(2, 2, [&](int, int thread) {
    both.arrive_and_wait();
    if (thread == 1) std::this_thread::sleep_for(std::chrono::milliseconds(60));
  });
  const std::chrono::duration<double, std::milli> passed = std::chrono::steady_clock::now() - start;
  EXPECT_LT(timer.gained(), passed.count() - 50);
}

TEST_P(LoopTimerOn, LoopsBeforeAndAfterIt_DoNotCount) {
  workTogether(std::chrono::milliseconds(5));
  const LoopTimer timer;
  EXPECT_EQ(timer.gained(), 0);
}

TEST(AvailableThreads, AtLeastOne) { EXPECT_GE(availableThreads(), 1); }

}  // namespace
}  // namespace drystone
