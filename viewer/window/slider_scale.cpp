#include "viewer/window/slider_scale.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solvers/driver/settings.h"

namespace drystone::viewer {
namespace {

// The parts of a logarithmic slider that stand for 0 and for `none`.
constexpr double kEnd = 0.04;
constexpr Real kLeastReal = 1e-16;  // below, doubles of size one do not differ
constexpr Real kMostOpen = 1e6;     // sweeps or pivots that anyone would wait for
constexpr Real kWide = 500;  // from this ratio on a linear slider has no room for small values

}  // namespace

SliderScale::SliderScale(Real low, Real high, Real usual, bool whole)
    : low_(low), high_(high), whole_(whole), open_(high >= kUnlimited) {
  const Real least = low > 0 ? low : whole ? 1 : kLeastReal;
  const Real most = open_ ? std::max(kMostOpen, least) : high;
  logarithmic_ = open_ || (low > 0 && high / low > kWide) ||
                 (low == 0 && usual * 20 < high && high > 50) ||
                 (!whole && low == 0 && usual > 0 && usual * 20 < high);
  logLow_ = std::log10(least);
  logHigh_ = std::log10(std::max(most, 10 * least));
}

double SliderScale::position(Real value) const {
  if (!logarithmic_)
    return high_ > low_ ? std::clamp((value - low_) / (high_ - low_), 0.0, 1.0) : 0;
  if (open_ && value >= kUnlimited) return 1;
  const double begin = low_ > 0 ? 0 : kEnd, end = open_ ? 1 - kEnd : 1;
  if (!(value > 0)) return 0;
  const double share = (std::log10(value) - logLow_) / (logHigh_ - logLow_);
  return begin + std::clamp(share, 0.0, 1.0) * (end - begin);
}

Real SliderScale::value(double position) const {
  position = std::clamp(position, 0.0, 1.0);
  Real value = 0;
  if (!logarithmic_) {
    value = low_ + position * (high_ - low_);
  } else {
    const double begin = low_ > 0 ? 0 : kEnd, end = open_ ? 1 - kEnd : 1;
    if (position < begin / 2) return low_;
    if (position > (1 + end) / 2) return open_ ? high_ : high_;
    const double share = std::clamp((position - begin) / (end - begin), 0.0, 1.0);
    value = std::pow(10.0, logLow_ + share * (logHigh_ - logLow_));
  }
  if (whole_) {
    value = std::round(value);
  } else if (value != 0) {
    // Two digits are enough for a hand on a mouse.
    const double unit = std::pow(10.0, std::floor(std::log10(std::abs(value))) - 1);
    value = std::round(value / unit) * unit;
  }
  return std::clamp(value, low_, high_);
}

std::string settingNumber(Real value) {
  return value >= kUnlimited ? "none" : fmt::format("{:.6g}", value);
}

}  // namespace drystone::viewer
