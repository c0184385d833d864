#include "viewer/simulation/command_queue.h"

#include <utility>

namespace drystone::viewer {

void CommandQueue::push(Command command) {
  {
    const std::scoped_lock lock(mutex_);
    commands_.push_back(std::move(command));
  }
  arrived_.notify_one();
}

std::optional<Command> CommandQueue::take() {
  const std::scoped_lock lock(mutex_);
  if (commands_.empty()) return std::nullopt;
  std::optional<Command> command = std::move(commands_.front());
  commands_.pop_front();
  return command;
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
