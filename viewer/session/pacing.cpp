#include "viewer/session/pacing.h"

#include <algorithm>

namespace drystone::viewer {

std::chrono::steady_clock::duration Pacing::onClock(Real simulated) const {
  // A speed near 0 must not leave the range of the clock: once an hour is never, on a screen.
  const std::chrono::duration<double> wanted(std::min(simulated / speed_, 3600.0));
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(wanted);
}

void Pacing::start(Real next, Time now) {
  due_ = now + onClock(next);
  windowStart_ = now;
  inWindow_ = 0;
  achieved_ = 0;
}

void Pacing::stepped(Real done, Real next, Time now) {
  due_ = std::max(due_ + onClock(next), now - Time::duration(kMostLag));
  inWindow_ += done;
  const std::chrono::duration<double> window = now - windowStart_;
  if (window < kWindow) return;
  achieved_ = inWindow_ / window.count();
  windowStart_ = now;
  inWindow_ = 0;
}

}  // namespace drystone::viewer
