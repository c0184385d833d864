#include "apps/sweep/run_sweep.h"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "apps/support/program.h"
#include "apps/support/progress.h"
#include "apps/sweep/run_dealer.h"
#include "core/timer.h"
#include "distributed/processes.h"

namespace drystone::cli {
namespace {

/// Runs that threads take one after the other. Worlds share nothing that changes.
class RunQueue {
 public:
  RunQueue(const ReadySweep& sweep, const StudyRuns& runs) : sweep_(sweep), runs_(runs) {}
  ~RunQueue() { stop(); }
  RunQueue(const RunQueue&) = delete;
  RunQueue& operator=(const RunQueue&) = delete;

  void start(int threads) {
    for (int i = 0; i < threads; ++i) workers_.emplace_back([this] { work(); });
  }

  void give(const std::vector<std::int64_t>& numbers) {
    const std::lock_guard lock(mutex_);
    waiting_.insert(waiting_.end(), numbers.begin(), numbers.end());
    given_.notify_all();
  }

  /// Waits until a run ended, for a while at most.
  void waitFor(std::chrono::milliseconds most) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, most, [&] { return !ended_.empty() || failure_; });
  }

  /// What ended since the last call. Throws what a thread threw.
  std::vector<EndedRun> takeEnded() {
    const std::lock_guard lock(mutex_);
    if (failure_) std::rethrow_exception(failure_);
    return std::exchange(ended_, {});
  }

  /// Has the threads end: no run begins, and those that are under way stop at their next step.
  void stop() {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
      given_.notify_all();
    }
    workers_.clear();  // joins them
  }

 private:
  /// Does runs until the queue is stopped.
  void work() {
    try {
      while (const std::optional<std::int64_t> number = takeNumber()) {
        auto row = doRun(sweep_, runs_.run(*number), runs_.count(), stop_);
        if (!row) continue;
        const std::lock_guard lock(mutex_);
        ended_.push_back({*number, std::move(*row)});
        changed_.notify_all();
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      changed_.notify_all();
    }
  }

  std::optional<std::int64_t> takeNumber() {
    std::unique_lock lock(mutex_);
    given_.wait(lock, [&] { return stop_ || !waiting_.empty(); });
    if (stop_) return std::nullopt;
    const std::int64_t number = waiting_.front();
    waiting_.pop_front();
    return number;
  }

  const ReadySweep& sweep_;
  const StudyRuns& runs_;
  std::atomic<bool> stop_ = false;
  std::mutex mutex_;  // of all below
  std::condition_variable given_, changed_;
  std::deque<std::int64_t> waiting_;
  std::vector<EndedRun> ended_;
  std::exception_ptr failure_;
  std::vector<std::jthread> workers_;  // last: they use all above
};

void keep(std::vector<EndedRun> ended, const SweepRows& rows, SweepCounts& counts) {
  for (EndedRun& one : ended) {
    rows.journal.add(one.row.line);
    rows.table.rows.emplace(one.number, std::move(one.row.line));
    counts.add(one.row.end);
    counts.stepsMs += one.row.stepsMs;
  }
}

std::string progressText(const SweepCounts& counts, std::size_t all) {
  std::string text = fmt::format("{}/{} runs", counts.all(), all);
  const std::int64_t failed = counts.all() - counts.of(RunEnd::kDone);
  if (failed > 0) text += fmt::format("  {} failed", failed);
  return text;
}

}  // namespace

SweepCounts doRuns(const ReadySweep& sweep, const StudyRuns& runs,
                   std::span<const std::int64_t> numbers, int threads, bool showProgress,
                   Processes& processes, const SweepRows* rows) {
  // How soon a signal, the bar and other processes are seen to.
  constexpr std::chrono::milliseconds kLook(50), kTalk(10);
  const InterruptGuard interrupt;
  ProgressBar bar(showProgress);
  const Timer timer;
  SweepCounts counts;
  RunDealer dealer(numbers, threads, processes);
  RunQueue queue(sweep, runs);
  queue.start(threads);
  for (bool isLast = false; !isLast;) {
    DealtRuns dealt = dealer.exchange(queue.takeEnded(), interrupt.requested());
    isLast = dealt.isLast;
    queue.give(dealt.numbers);
    if (rows != nullptr) keep(std::move(dealt.ended), *rows, counts);
    if (bar.due()) {
      bar.draw(static_cast<double>(counts.all()) / static_cast<double>(numbers.size()),
               progressText(counts, numbers.size()));
    }
    if (isLast) break;
    // Several come to the exchange at the same time, since who waits there takes a processor.
    if (processes.count() > 1) {
      std::this_thread::sleep_for(kTalk);
    } else {
      queue.waitFor(kLook);
    }
  }
  queue.stop();
  DealtRuns last = dealer.exchange(queue.takeEnded(), false);
  if (rows != nullptr) keep(std::move(last.ended), *rows, counts);
  counts.interrupted = counts.all() < std::ssize(numbers);
  counts.wallMs = timer.milliseconds();
  return counts;
}

}  // namespace drystone::cli
