#include "viewer/session/message_log.h"

#include <fmt/format.h>

#include <utility>

namespace drystone::viewer {

void MessageLog::add(LogLine::Kind kind, std::string text) {
  const std::scoped_lock lock(mutex_);
  if (lines_.size() == kMostLines) {
    lines_.erase(lines_.begin());
    ++dropped_;
  }
  lines_.push_back({kind, std::move(text)});
}

std::vector<LogLine> MessageLog::take() {
  std::vector<LogLine> taken;
  const std::scoped_lock lock(mutex_);
  if (dropped_ > 0) {
    taken.push_back({LogLine::Kind::kWarning, fmt::format("{} older lines are lost", dropped_)});
  }
  taken.insert(taken.end(), std::make_move_iterator(lines_.begin()),
               std::make_move_iterator(lines_.end()));
  lines_.clear();
  dropped_ = 0;
  return taken;
}

int RateLimit::occurrences(std::chrono::steady_clock::time_point now) {
  ++count_;
  if (said_ && now - last_ < std::chrono::seconds(1)) return 0;
  said_ = true;
  last_ = now;
  return std::exchange(count_, 0);
}

}  // namespace drystone::viewer
