#include "apps/sweep/run_sweep.h"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "apps/support/program.h"
#include "apps/support/progress.h"
#include "core/timer.h"

namespace drystone::cli {
namespace {

/// Runs that threads take one after the other. Worlds share nothing that changes.
class RunQueue {
 public:
  RunQueue(const ReadySweep& sweep, const StudyRuns& runs, std::span<const std::int64_t> numbers,
           SweepJournal& journal, SweepTable& table)
      : sweep_(sweep), runs_(runs), numbers_(numbers), journal_(journal), table_(table) {}

  /// Takes runs until none is left or the queue was stopped.
  void work() {
    try {
      for (std::size_t i = next_++; i < numbers_.size() && !stop_; i = next_++) {
        const StudyRun run = runs_.run(numbers_[i]);
        if (auto row = doRun(sweep_, run, runs_.count(), stop_)) keep(run.number, std::move(*row));
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      stop_ = true;
    }
    const std::lock_guard lock(mutex_);
    ++ended_;
    changed_.notify_all();
  }

  void stop() { stop_ = true; }

  /// Waits until so many threads ended, for a while at most; whether they have.
  bool waitFor(int threads, std::chrono::milliseconds most) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, most, [&] { return ended_ == threads; });
  }

  SweepCounts counts() {
    const std::lock_guard lock(mutex_);
    return counts_;
  }

  /// What a thread threw.
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void keep(std::int64_t number, SweepRow row) {
    const std::lock_guard lock(mutex_);
    journal_.add(row.line);
    table_.rows.emplace(number, std::move(row.line));
    counts_.add(row.end);
    counts_.stepsMs += row.stepsMs;
  }

  const ReadySweep& sweep_;
  const StudyRuns& runs_;
  std::span<const std::int64_t> numbers_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> stop_ = false;
  std::mutex mutex_;  // of all below
  std::condition_variable changed_;
  SweepJournal& journal_;
  SweepTable& table_;
  SweepCounts counts_;
  int ended_ = 0;  // threads
  std::exception_ptr failure_;
};

std::string progressText(const SweepCounts& counts, std::size_t all) {
  std::string text = fmt::format("{}/{} runs", counts.all(), all);
  const std::int64_t failed = counts.all() - counts.of(RunEnd::kDone);
  if (failed > 0) text += fmt::format("  {} failed", failed);
  return text;
}

}  // namespace

SweepCounts doRuns(const ReadySweep& sweep, const StudyRuns& runs,
                   std::span<const std::int64_t> numbers, int threads, bool showProgress,
                   SweepJournal& journal, SweepTable& table) {
  constexpr std::chrono::milliseconds kLook(50);  // how soon a signal or the bar is seen to
  const InterruptGuard interrupt;
  ProgressBar bar(showProgress);
  const Timer timer;
  RunQueue queue(sweep, runs, numbers, journal, table);
  {
    std::vector<std::jthread> workers;  // joined at the end of the block
    for (int i = 0; i < threads; ++i) workers.emplace_back([&queue] { queue.work(); });
    while (!queue.waitFor(threads, kLook)) {
      if (interrupt.requested()) queue.stop();
      if (!bar.due()) continue;
      const SweepCounts counts = queue.counts();
      bar.draw(static_cast<double>(counts.all()) / static_cast<double>(numbers.size()),
               progressText(counts, numbers.size()));
    }
  }
  queue.rethrow();
  SweepCounts counts = queue.counts();
  counts.interrupted = counts.all() < std::ssize(numbers);
  counts.wallMs = timer.milliseconds();
  return counts;
}

}  // namespace drystone::cli
