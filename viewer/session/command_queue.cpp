#include "viewer/session/command_queue.h"

#include <algorithm>
#include <utility>

#include "viewer/session/waiting.h"

namespace drystone::viewer {
namespace {

template <class... Kinds>
bool isOneOf(const Command& command) {
  return (std::holds_alternative<Kinds>(command) || ...);
}

/// Whether `later` makes it idle to do `waiting` first.
bool overtakes(const Command& later, const Command& waiting) {
  if (isOneOf<Play, Pause>(later)) return isOneOf<StepBy>(waiting);
  return isOneOf<GoToStep, Restart, Open>(later) && isOneOf<StepBy, GoToStep>(waiting);
}

}  // namespace

void CommandQueue::push(Command command) {
  {
    const std::scoped_lock lock(mutex_);
    if (isOneOf<GoToStep, Restart, Open>(command)) {
      // The pause that steps begin with stays.
      const auto step = std::ranges::find_if(commands_, isOneOf<StepBy>);
      if (step != commands_.end()) *step = Pause{};
    }
    std::erase_if(commands_, [&](const Command& one) { return overtakes(command, one); });
    const auto* step = std::get_if<StepBy>(&command);
    if (step != nullptr && step->repeated && std::ranges::any_of(commands_, isOneOf<StepBy>)) {
      return;
    }
    commands_.push_back(std::move(command));
  }
  arrived_.notify_one();
}

std::optional<Command> CommandQueue::take() {
  const std::scoped_lock lock(mutex_);
  underWay_.reset();
  if (commands_.empty()) return std::nullopt;
  underWay_ = std::move(commands_.front());
  commands_.pop_front();
  return underWay_;
}

Waiting CommandQueue::waiting() const {
  const std::scoped_lock lock(mutex_);
  Waiting waiting = waitingOf(commands_);
  if (!underWay_) return waiting;
  if (!waiting.playing) waiting.playing = playingAfter(*underWay_);
  if (!waiting.speed) waiting.speed = speedAfter(*underWay_);
  return waiting;
}

void CommandQueue::wait(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  arrived_.wait(lock, stop, [this] { return !commands_.empty(); });
}

void CommandQueue::waitUntil(const std::stop_token& stop, Time time) {
  std::unique_lock lock(mutex_);
  arrived_.wait_until(lock, stop, time, [this] { return !commands_.empty(); });
}

}  // namespace drystone::viewer
