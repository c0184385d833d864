// What loops ask of an executor, and what they say of one that breaks its promises.
#include "core/executor.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "core/input_error.h"
#include "core/parallel.h"
#include "tests/support/async_executor.h"

namespace drystone {
namespace {

/// Runs the shares as it is told.
class ExecutorOf : public Parallel {
 public:
  using Run = std::function<void(int count, int threads, void* context, Body body)>;
  explicit ExecutorOf(Run run) : run_(std::move(run)) {}
  void run(int count, int threads, void* context, Body body) override {
    run_(count, threads, context, body);
  }
  int threads() const override { return 100; }

 private:
  Run run_;
};

std::vector<int> visitsOf(int count, int threads) {
  std::vector<int> visits(static_cast<std::size_t>(count), 0);
  parallelFor(count, threads, [&](int index, int) { ++visits[index]; });
  return visits;
}

std::string errorOf(Parallel& executor) {
  const ExecutorScope scope(&executor);
  try {
    visitsOf(100, 4);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Executor, OfFewerThreads_IsAskedForNoMore) {
  test::AsyncExecutor executor(2);
  const ExecutorScope scope(&executor);
  std::atomic<int> most = 0;
  parallelFor(100, 8, [&](int, int thread) {
    if (thread > most) most = thread;
  });
  EXPECT_LT(most, 2);
  EXPECT_EQ(executor.mostThreads, 2);
  EXPECT_EQ(executor.loops, 1);
}

TEST(Executor, OfOneThread_IsNotCalled) {
  test::AsyncExecutor executor(1);
  const ExecutorScope scope(&executor);
  const std::thread::id caller = std::this_thread::get_id();
  parallelFor(5, 8, [&](int, int) { EXPECT_EQ(std::this_thread::get_id(), caller); });
  EXPECT_EQ(executor.loops, 0);
}

// A share is no fixed part of the indices: whoever comes takes what is left.
TEST(Executor, ThatRunsOneShareAlone_DoesAllOfTheLoop) {
  for (const int only : {0, 3}) {
    ExecutorOf executor([&](int count, int, void* context, Parallel::Body body) {
      EXPECT_EQ(count, 4) << "shares";
      body(context, only, only);
    });
    const ExecutorScope scope(&executor);
    EXPECT_EQ(visitsOf(100, 4), std::vector<int>(100, 1));
  }
}

TEST(Executor, WhateverItStartsFirst_EachThreadBeginsWithItsOwnPart) {
  ExecutorOf executor([](int, int, void* context, Parallel::Body body) {
    body(context, 0, 1);
    body(context, 1, 0);
  });
  const ExecutorScope scope(&executor);
  std::vector<int> order;
  parallelFor(10, 2, [&](int index, int) { order.push_back(index); });
  EXPECT_EQ(order, (std::vector{5, 6, 7, 8, 9, 0, 1, 2, 3, 4}));
}

TEST(Executor, OfMoreThreadsThanShares_DoesEveryIndexOnce) {
  ExecutorOf executor([](int count, int, void* context, Parallel::Body body) {
    for (int i = count - 1; i >= 0; --i) body(context, i, i);
  });
  const ExecutorScope scope(&executor);
  EXPECT_EQ(visitsOf(200, 90), std::vector<int>(200, 1));
}

TEST(Executor, OfMoreSharesThanIndices_GetsOneEach) {
  int shares = 0;
  ExecutorOf executor([&](int count, int threads, void* context, Parallel::Body body) {
    shares = count;
    EXPECT_EQ(threads, 8);
    for (int index = 0; index < count; ++index) body(context, index, index);
  });
  const ExecutorScope scope(&executor);
  EXPECT_EQ(visitsOf(3, 8), std::vector<int>(3, 1));
  EXPECT_EQ(shares, 3);
}

TEST(Executor, ThatNumbersThreadsWrongly_IsToldSo) {
  for (const int wrong : {-1, 4}) {
    ExecutorOf executor(
        [&](int, int, void* context, Parallel::Body body) { body(context, 0, wrong); });
    EXPECT_EQ(errorOf(executor),
              "Parallel::run: thread must be 0 to 3, got " + std::to_string(wrong));
  }
}

TEST(Executor, ThatRunsNothing_IsToldSo) {
  ExecutorOf executor([](int, int, void*, Parallel::Body) {});
  EXPECT_EQ(errorOf(executor),
            "Parallel::run: must call its body for every index, but called it for none");
}

// The pool has a loop, that of this thread, all the time that another thread has one.
TEST(ThreadPool, ThatIsBusy_LeavesTheLoopOfAnotherThreadToItsCaller) {
  const std::shared_ptr<Parallel> pool = makeThreadPool();
  const ExecutorScope scope(pool.get());
  std::vector<int> visits;
  std::atomic<int> foreign = 0;
  const auto loopOfAnother = [&] {
    const ExecutorScope same(pool.get());
    const std::thread::id caller = std::this_thread::get_id();
    visits.resize(50, 0);
    parallelFor(50, 2, [&](int index, int) {
      ++visits[index];
      if (std::this_thread::get_id() != caller) ++foreign;
    });
  };
  parallelFor(2, 2, [&](int index, int) {
    if (index == 0) std::thread(loopOfAnother).join();
  });
  EXPECT_EQ(visits, std::vector<int>(50, 1));
  EXPECT_EQ(foreign, 0);
  EXPECT_EQ(visitsOf(50, 2), std::vector<int>(50, 1)) << "the pool serves on";
}

TEST(ExecutorScope, OfAnother_LastsWhileItLives) {
  test::AsyncExecutor outer, inner;
  {
    const ExecutorScope first(&outer);
    visitsOf(4, 2);
    {
      const ExecutorScope second(&inner);
      visitsOf(4, 2);
      const ExecutorScope none(nullptr);
      visitsOf(4, 2);
    }
    EXPECT_EQ(inner.loops, 2);
    EXPECT_EQ(outer.loops, 1);
    visitsOf(4, 2);
  }
  visitsOf(4, 2);
  EXPECT_EQ(outer.loops, 2);
  EXPECT_EQ(inner.loops, 2);
}

TEST(DefaultExecutor, IsOneThatIsThere) {
  const std::string_view name = defaultExecutorName();
  EXPECT_TRUE(name == "pool" || (name == "openmp" && makeOpenMp())) << name;
}

}  // namespace
}  // namespace drystone
