#pragma once

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "distributed/processes.h"

namespace drystone::test {

/// What threads that stand in for processes share: a board that each writes a place of.
class ThreadBoard {
 public:
  explicit ThreadBoard(int processes) : count(processes), numbers(processes), messages(processes) {}

  /// Returns when all threads called it. Throws where one gave up.
  void meet() {
    std::unique_lock lock(mutex_);
    const int meeting = meeting_;
    if (++waiting_ == count) {
      waiting_ = 0;
      ++meeting_;
      met_.notify_all();
    }
    met_.wait(lock, [&] { return meeting_ != meeting || hasFailed_; });
    if (hasFailed_) throw std::runtime_error("another process gave up");
  }
  void fail() {
    const std::lock_guard lock(mutex_);
    hasFailed_ = true;
    met_.notify_all();
  }

  const int count;
  std::vector<std::vector<Real>> numbers;                     ///< [processes]
  std::vector<std::vector<std::vector<std::byte>>> messages;  ///< [from][to]

 private:
  std::mutex mutex_;
  std::condition_variable met_;
  int waiting_ = 0, meeting_ = 0;
  bool hasFailed_ = false;
};

/// One of several threads in the place of processes.
class ThreadProcess final : public Processes {
 public:
  ThreadProcess(ThreadBoard& board, int rank) : board_(board), rank_(rank) {}

  int rank() const override { return rank_; }
  int count() const override { return board_.count; }
  [[noreturn]] void abort(std::string_view message, int) override {
    throw std::runtime_error(std::string(message));
  }

 protected:
  void gatherAll(std::span<const Real> own, std::span<Real> all) override {
    board_.numbers[rank_].assign(own.begin(), own.end());
    board_.meet();
    auto to = all.begin();
    for (const std::vector<Real>& part : board_.numbers) to = std::ranges::copy(part, to).out;
    board_.meet();
  }
  void swapAll(const std::vector<std::vector<std::byte>>& out,
               std::vector<std::vector<std::byte>>& in) override {
    board_.messages[rank_] = out;
    board_.meet();
    for (int from = 0; from < count(); ++from) {
      const std::vector<std::byte>& message = board_.messages[from][rank_];
      if (message.size() != in[from].size()) throw std::runtime_error("another size was expected");
      in[from] = message;
    }
    board_.meet();
  }

 private:
  ThreadBoard& board_;
  int rank_;
};

/// Runs the work once a process, side by side; throws what the first of them threw by itself.
inline void runProcesses(int count, const std::function<void(Processes&)>& work) {
  ThreadBoard board(count);
  std::exception_ptr thrown;
  std::mutex mutex;
  std::vector<std::thread> threads;
  for (int rank = 0; rank < count; ++rank) {
    threads.emplace_back([&, rank] {
      ThreadProcess process(board, rank);
      try {
        work(process);
      } catch (...) {
        {
          const std::lock_guard lock(mutex);
          if (!thrown) thrown = std::current_exception();
        }
        board.fail();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace drystone::test
