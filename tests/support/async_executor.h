#pragma once

#include <atomic>
#include <future>
#include <limits>
#include <vector>

#include "core/executor.h"

namespace drystone::test {

/// An executor as a host program writes it: each share of a loop is a job of its own, and the
/// caller takes one. Counts its loops, so that tests see that it is used.
class AsyncExecutor : public Parallel {
 public:
  explicit AsyncExecutor(int threads = std::numeric_limits<int>::max()) : threads_(threads) {}

  void run(int count, int threads, void* context, Body body) override {
    ++loops;
    if (threads > mostThreads) mostThreads = threads;
    std::vector<std::future<void>> others;
    for (int index = 1; index < count; ++index) {
      others.push_back(std::async(std::launch::async, body, context, index, index));
    }
    body(context, 0, 0);
    for (std::future<void>& other : others) other.get();
  }

  int threads() const override { return threads_; }

  std::atomic<int> loops = 0;
  std::atomic<int> mostThreads = 0;  ///< that a loop asked for

 private:
  int threads_;
};

}  // namespace drystone::test
