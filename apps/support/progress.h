#pragma once

#include <string>

#include "core/timer.h"

namespace drystone::cli {

/// A one-line progress bar on stderr, redrawn at most ten times a second. Draws nothing unless
/// stderr is a terminal and the bar is enabled. Wipes its line when it goes.
class ProgressBar {
 public:
  explicit ProgressBar(bool enabled);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// True when a redraw is due, so that callers need not compose a text that is not shown.
  bool due() const;
  /// `share` in [0, 1] of the work done; `detail` stands behind the bar and the time left.
  void draw(double share, const std::string& detail);
  void clear();

 private:
  bool active_ = false;
  bool drawn_ = false;
  Timer total_;
  Timer sinceDraw_;
};

/// `M:SS`, or `H:MM:SS` from an hour on.
std::string clockText(double seconds);

}  // namespace drystone::cli
