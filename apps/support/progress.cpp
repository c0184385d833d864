#include "apps/support/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "apps/support/table.h"

namespace drystone::cli {
namespace {

constexpr double kRedrawMs = 100;
constexpr int kBarWidth = 16;

}  // namespace

std::string clockText(double seconds) {
  const auto whole = static_cast<long long>(std::clamp(seconds, 0.0, 1e9));
  const long long hours = whole / 3600, minutes = whole / 60 % 60, rest = whole % 60;
  return hours > 0 ? fmt::format("{}:{:02}:{:02}", hours, minutes, rest)
                   : fmt::format("{}:{:02}", minutes, rest);
}

ProgressBar::ProgressBar(bool enabled) : active_(enabled && isatty(STDERR_FILENO) == 1) {}

ProgressBar::~ProgressBar() { clear(); }

bool ProgressBar::due() const {
  return active_ && (drawn_ ? sinceDraw_ : total_).milliseconds() >= kRedrawMs;
}

void ProgressBar::draw(double share, const std::string& detail) {
  if (!active_) return;
  share = std::clamp(share, 0.0, 1.0);
  const int full = static_cast<int>(share * kBarWidth);
  const double elapsed = total_.milliseconds() / 1000;
  const std::string left = share > 0 ? clockText(elapsed * (1 - share) / share) : "?";
  std::string line = fmt::format("[{:=<{}}{: <{}}] {:3.0f}%  ETA {}  {}", "", full, "",
                                 kBarWidth - full, 100 * share, left, detail);
  // A line that wraps cannot be wiped by a carriage return.
  const int width = terminalWidth(STDERR_FILENO) - 1;
  if (displayWidth(line) > width) line = fmt::format("{:.{}}", line, std::max(width, 0));
  fmt::print(stderr, "\r{}\033[K", line);
  std::fflush(stderr);
  drawn_ = true;
  sinceDraw_.restart();
}

void ProgressBar::clear() {
  if (!drawn_) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  drawn_ = false;
}

}  // namespace drystone::cli
