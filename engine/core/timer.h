#pragma once

#include <chrono>

namespace drystone {

/// Wall-clock stopwatch. For reports only: nothing that the simulation computes may depend on it.
class Timer {
 public:
  /// Time since construction or the last restart [ms].
  double milliseconds() const {
    return std::chrono::duration<double, std::milli>(Clock::now() - start_).count();
  }
  void restart() { start_ = Clock::now(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

}  // namespace drystone
