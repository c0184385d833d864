#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <stop_token>

#include "viewer/session/simulation.h"

namespace drystone::viewer {

/// Commands on their way to the simulation's thread, in order.
class CommandQueue {
 public:
  using Time = std::chrono::steady_clock::time_point;

  void push(Command command);
  /// The oldest command; none when there is none. The one that was taken before is done then: until
  /// then waiting() counts it, but in its text.
  std::optional<Command> take();
  Waiting waiting() const;
  /// Returns when there is a command, or at a stop.
  void wait(const std::stop_token& stop);
  /// Waits for a command, until that time at the latest.
  void waitUntil(const std::stop_token& stop, Time time);

 private:
  mutable std::mutex mutex_;
  std::condition_variable_any arrived_;
  std::deque<Command> commands_;
  std::optional<Command> underWay_;  // taken last
};

/// Whether the simulation runs after the command; none: as before.
std::optional<bool> playingAfter(const Command& command);

/// The speed that the command asks for; none: as before.
std::optional<double> speedAfter(const Command& command);

/// What these commands ask for, in their words. Moves of the mouse's spring and what a picture asks
/// for by itself are left out.
Waiting waitingOf(const std::deque<Command>& commands);

}  // namespace drystone::viewer
