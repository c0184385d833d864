#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "core/types.h"

namespace drystone::viewer {

/// The color range of the residuals of a window: whole decades around those of the steps of late,
/// up to the tolerance at least, so that what is within it is dark.
/// It widens at once, and narrows only where it is two decades too wide: colors keep their meaning
/// while residuals go up and down from step to step.
class ResidualRange {
 public:
  /// Those of the contacts of a step, and the judged tolerance [m/s]; none and zeros change
  /// nothing.
  void take(std::span<const Real> residuals, Real tolerance);
  Real low() const { return std::pow(10.0, low_); }
  Real high() const { return std::pow(10.0, high_); }

 private:
  static constexpr int kLeast = -16,
                       kMost = 2;          // decades; below, doubles of size one do not differ
  static constexpr int kLeastDecades = 2;  // fewer make a bar of one color
  static constexpr int kMostDecades = 6;   // more leave two neighbours no difference
  static constexpr int kSlack = 2;

  int low_ = -9, high_ = -2;
  bool hasAny_ = false;
};

inline void ResidualRange::take(std::span<const Real> residuals, Real tolerance) {
  Real least = INFINITY, most = 0;
  for (const Real one : residuals) {
    if (!(one > 0) || !std::isfinite(one)) continue;
    least = std::min(least, one);
    most = std::max(most, one);
  }
  if (!(most > 0)) return;
  // Round-off must not take the tolerance for more than its decade.
  const Real end = std::log10(std::max(most, tolerance)) - 1e-9;
  const int high = std::clamp(static_cast<int>(std::ceil(end)), kLeast + kLeastDecades, kMost);
  // What is far below the worst is as good as solved.
  const int low = std::clamp(static_cast<int>(std::floor(std::log10(least))), high - kMostDecades,
                             high - kLeastDecades);
  if (!hasAny_ || high > high_ || high + kSlack <= high_) high_ = high;
  if (!hasAny_ || low < low_ || low - kSlack >= low_) low_ = low;
  low_ = std::clamp(low_, high_ - kMostDecades, high_ - kLeastDecades);
  hasAny_ = true;
}

}  // namespace drystone::viewer
