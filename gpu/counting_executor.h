#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "gpu/device_work.h"

namespace drystone::gpu {

/// An executor that counts what it is given to do. What it does is that of `Executor`.
template <class Executor>
class CountingExecutor : public Executor {
 public:
  template <class... Options>
  explicit CountingExecutor(Options... options) : Executor(options...) {}

  const ExecutorWork& work() const { return work_; }

  class Recording {
   private:
    friend class CountingExecutor;
    typename Executor::Recording launches_;
    std::int64_t kernels_ = 0;  ///< counted as they were recorded; others are when they run
  };

  void upload(std::byte* to, const std::byte* from, std::size_t bytes) {
    if (bytes > 0) ++work_.uploads;
    work_.uploadedBytes += static_cast<std::int64_t>(bytes);
    timed([&] { Executor::upload(to, from, bytes); });
  }
  void download(std::byte* to, const std::byte* from, std::size_t bytes) {
    if (bytes > 0) ++work_.downloads;
    work_.downloadedBytes += static_cast<std::int64_t>(bytes);
    timed([&] { Executor::download(to, from, bytes); });
  }

  /// `threads`: as the executor takes them.
  template <class Function, class... Threads>
  void forEach(int count, const Function& function, Threads... threads) {
    if (count > 0) countLaunch();
    timed([&] { Executor::forEach(count, function, threads...); });
  }
  template <class Kernel>
  void launch(int blocks, int threads, const Kernel& kernel) {
    if (blocks > 0) countLaunch();
    timed([&] { Executor::launch(blocks, threads, kernel); });
  }
  /// Counts as one kernel, of however many cuBLAS makes it.
  template <class Scalar>
  void gemv(int rows, const Scalar* matrix, std::size_t stride, const Scalar* x, Scalar* y) {
    countLaunch();
    timed([&] { Executor::gemv(rows, matrix, stride, x, y); });
  }

  /// A device records by taking the launches of `work`, a processor by keeping `work` for later.
  template <class Work>
  void record(Recording& recording, Work&& work) {
    const std::int64_t before = work_.kernels;
    ++work_.recordings;
    const Within within(isInRecording_);
    timed([&] { Executor::record(recording.launches_, std::forward<Work>(work)); });
    recording.kernels_ = std::exchange(work_.kernels, before) - before;
  }
  void replay(const Recording& recording) {
    ++work_.launches;
    work_.kernels += recording.kernels_;
    const Within within(isInRecording_);
    timed([&] { Executor::replay(recording.launches_); });
  }

 private:
  /// Holds a flag as long as it lives.
  class Within {
   public:
    explicit Within(bool& flag) : flag_(flag), before_(std::exchange(flag, true)) {}
    ~Within() { flag_ = before_; }
    Within(const Within&) = delete;
    Within& operator=(const Within&) = delete;
    bool isOuter() const { return !before_; }

   private:
    bool& flag_;
    bool before_;
  };

  void countLaunch() {
    ++work_.kernels;
    if (!isInRecording_) ++work_.launches;
  }
  /// Of a call within another one, the outer counts.
  template <class Call>
  void timed(Call&& call) {
    using Clock = std::chrono::steady_clock;
    const Within within(isTimed_);
    const Clock::time_point start = Clock::now();
    call();
    if (!within.isOuter()) return;
    work_.ms += std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  }

  ExecutorWork work_;
  bool isInRecording_ = false;  ///< launches are those of a recording
  bool isTimed_ = false;
};

}  // namespace drystone::gpu
