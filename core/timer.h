#pragma once

#include <chrono>
#include <utility>

#include "core/types.h"

namespace drystone {

/// Wall-clock stopwatch. For reports only: nothing that the simulation computes may depend on it.
class Timer {
 public:
  /// Time since construction or the last restart [ms].
  double milliseconds() const {
    return std::chrono::duration<double, std::milli>(Clock::now() - start_).count();
  }
  void restart() { start_ = Clock::now(); }
  /// Time since construction or the last restart [ms]; restarts with the same look at the clock,
  /// which takes some 30 ns.
  double lap() {
    const Clock::time_point now = Clock::now();
    return std::chrono::duration<double, std::milli>(now - std::exchange(start_, now)).count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

/// The end of the time that a solve may take; none by default. With one, results depend on the
/// machine's speed. Its timer must outlive it.
struct Deadline {
  const Timer* timer = nullptr;
  Real limit = kUnlimited;  ///< [s] of the timer

  bool isSet() const { return timer != nullptr && limit < kUnlimited; }
  bool passed() const { return isSet() && timer->milliseconds() > 1e3 * limit; }
  /// For a part of what it ends [s].
  double secondsLeft() const {
    if (!isSet()) return kUnlimited;
    return limit > timer->milliseconds() / 1e3 ? limit - timer->milliseconds() / 1e3 : 0;
  }
  /// That of a part which begins now and may take a share of the time left, 0 to 1.
  Deadline ofPart(Real share) const {
    if (!isSet()) return *this;
    return {timer, limit - (1 - share) * secondsLeft()};
  }
};

}  // namespace drystone
