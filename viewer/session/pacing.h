#pragma once

#include <chrono>

#include "core/types.h"

namespace drystone::viewer {

/// Says when the next step is due, so that simulated time goes as the clock times a speed. What is
/// late by no more than kMostLag is caught up; beyond that the simulation is slower than asked for,
/// instead of falling behind ever further. Reads no clock itself.
class Pacing {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::milliseconds kMostLag{100};
  /// Over which the achieved speed is measured; at least one step.
  static constexpr std::chrono::milliseconds kWindow{250};

  /// Simulated seconds per second, > 0; +∞: a step is always due.
  void setSpeed(double speed) { speed_ = speed; }
  double speed() const { return speed_; }

  /// From now on; the first step takes `next` seconds of simulated time, and is due after them.
  void start(Real next, Time now);
  void stop() { achieved_ = 0; }
  Time due() const { return due_; }
  /// A step of `done` seconds of simulated time was done; the coming one takes `next`.
  void stepped(Real done, Real next, Time now);
  /// Simulated seconds per second of late; 0 when stopped.
  double achievedSpeed() const { return achieved_; }

 private:
  /// `simulated` seconds at the speed asked for, on the clock.
  std::chrono::steady_clock::duration onClock(Real simulated) const;

  double speed_ = 1, achieved_ = 0;
  Time due_{}, windowStart_{};
  Real inWindow_ = 0;  // simulated [s]
};

}  // namespace drystone::viewer
