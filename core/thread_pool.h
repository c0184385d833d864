#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <thread>
#include <vector>

#include "core/executor.h"

namespace drystone::detail {

/// Threads that share the indices of one loop after the other with the thread that runs it. The
/// loop ends when every index is done, not when every thread has come: a worker that the system
/// does not schedule is not waited for unless it holds an index. Workers look for the next loop for
/// a tenth of a millisecond, then sleep; so does the caller while others finish.
class ThreadPool : public Parallel {
 public:
  ThreadPool() = default;
  ~ThreadPool() override;
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  /// Runs the indices here, as thread 0, and on the workers 1 to threads - 1, which are started
  /// when first needed; fewer where the system has no more.
  void run(int count, int threads, void* context, Body body) override;
  /// As many as are asked for.
  int threads() const override { return std::numeric_limits<int>::max(); }

 private:
  /// The loop that is open and its next index, or kClosed; both in one word, so that no index of
  /// one loop can be taken for another's.
  static constexpr std::uint32_t kClosed = 0xffffffffU;
  static std::uint64_t ticket(std::uint32_t loop, std::uint32_t next) {
    return (std::uint64_t{loop} << 32) | next;
  }

  void open(int count, int threads, void* context, Body body);
  void startWorkers(int count);
  void work(int thread);
  /// Takes indices of the open loop until none is left.
  void takeIndices(int thread);
  void waitForLoop(std::uint32_t seen);
  void waitUntilDone(int count);

  std::vector<std::thread> workers_;
  std::uint32_t loop_ = 0;   // number of the last loop
  std::atomic_flag isBusy_;  // with a loop

  std::atomic<std::uint64_t> ticket_ = ticket(0, kClosed);
  // Of the open loop. A worker that read them may use them only once it has taken an index: that
  // says the loop was still open, and they stay until the loop is closed.
  std::atomic<void*> context_ = nullptr;
  std::atomic<Body> body_ = nullptr;
  std::atomic<int> count_ = 0, threads_ = 0;

  alignas(64) std::atomic<int> done_ = 0;              // indices of the open loop
  alignas(64) std::atomic<std::uint32_t> opened_ = 0;  // loops so far; workers sleep on it
  std::atomic<bool> stop_ = false;
};

}  // namespace drystone::detail
