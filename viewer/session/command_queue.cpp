#include "viewer/session/command_queue.h"

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include <fmt/format.h>

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

namespace {

/// `step`, `3 steps`, `2 steps back`; empty for 0.
std::string stepsText(int steps) {
  if (steps == 0) return "";
  const int count = std::abs(steps);
  return (count == 1 ? "step" : fmt::format("{} steps", count)) + (steps < 0 ? " back" : "");
}

struct TextOf {
  std::string operator()(const Play&) const { return "run"; }
  std::string operator()(const Pause&) const { return "pause"; }
  std::string operator()(const StepBy& command) const { return stepsText(command.steps); }
  std::string operator()(const GoToStep& command) const {
    return fmt::format("back to step {}", command.step);
  }
  std::string operator()(const Restart&) const { return "restart"; }
  std::string operator()(const SetSpeed&) const { return "speed"; }
  std::string operator()(const SetLoop&) const { return "loop"; }
  std::string operator()(const SetSolver& command) const {
    return fmt::format("solver {}", command.choice.name);
  }
  std::string operator()(const Open& command) const {
    return command.path.empty() ? "open" : fmt::format("open {}", command.path);
  }
  std::string operator()(const Throw&) const { return "throw"; }
  std::string operator()(const StartRace&) const { return "race"; }
  template <class Other>
  std::string operator()(const Other&) const {
    return "";
  }
};

}  // namespace

std::optional<bool> playingAfter(const Command& command) {
  if (std::holds_alternative<Play>(command)) return true;
  if (std::holds_alternative<Pause>(command) || std::holds_alternative<StepBy>(command)) {
    return false;
  }
  return std::nullopt;
}

std::optional<double> speedAfter(const Command& command) {
  const auto* asked = std::get_if<SetSpeed>(&command);
  return asked == nullptr ? std::nullopt : std::optional(asked->speed);
}

Waiting waitingOf(const std::deque<Command>& commands) {
  Waiting waiting;
  std::vector<std::string> parts;
  int steps = 0;  // asked for one after the other
  const auto add = [&](const std::string& text) {
    // What was asked for twice is said once.
    if (!text.empty() && (parts.empty() || parts.back() != text)) parts.push_back(text);
  };
  for (const Command& command : commands) {
    if (const auto playing = playingAfter(command)) waiting.playing = playing;
    if (const auto speed = speedAfter(command)) waiting.speed = speed;
    if (const auto* step = std::get_if<StepBy>(&command)) {
      steps += step->steps;
      continue;
    }
    add(stepsText(steps));
    steps = 0;
    add(std::visit(TextOf(), command));
  }
  add(stepsText(steps));
  for (const std::string& part : parts) {
    waiting.text += (waiting.text.empty() ? "" : ", ") + part;
  }
  return waiting;
}

}  // namespace drystone::viewer
