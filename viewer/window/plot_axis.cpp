#include "viewer/window/plot_axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace drystone::viewer {
namespace {

std::string decadeLabel(int exponent) {
  if (exponent == 0) return "1";
  if (exponent == 1) return "10";
  if (exponent == 2) return "100";
  return fmt::format("1e{}", exponent);
}

std::vector<PlotTick> decadeTicks(const PlotAxis& axis, int count) {
  const double least = axis.aboveZero > 0 ? axis.aboveZero : axis.low;
  const int first = static_cast<int>(std::ceil(std::log10(least) - 1e-9));
  const int last = static_cast<int>(std::floor(std::log10(axis.high) + 1e-9));
  const int step = std::max(1, (last - first + count) / std::max(count, 1));
  std::vector<PlotTick> ticks;
  if (axis.aboveZero > 0) ticks.push_back({0, "0"});
  for (int exponent = first; exponent <= last; exponent += step) {
    ticks.push_back({std::pow(10.0, exponent), decadeLabel(exponent)});
  }
  return ticks;
}

/// The least of 1, 2, 5 times a power of ten that is not below.
double roundStep(double least) {
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= least * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

}  // namespace

double PlotAxis::position(double value) const {
  if (!logarithmic) return (value - low) / (high - low);
  if (value == 0 && aboveZero > 0) return 0;
  if (!(value > 0)) return -std::numeric_limits<double>::infinity();
  return std::log(value / low) / std::log(high / low);
}

double PlotAxis::value(double position) const {
  return logarithmic ? low * std::pow(high / low, position) : low + position * (high - low);
}

void PlotRange::add(double value) {
  anyZero_ = anyZero_ || value == 0;
  if (!std::isfinite(value) || (logarithmic_ && !(value > 0))) return;
  low_ = any_ ? std::min(low_, value) : value;
  high_ = any_ ? std::max(high_, value) : value;
  any_ = true;
}

PlotAxis PlotRange::axis(int decades) const {
  if (logarithmic_) {
    const double top = any_ ? std::ceil(std::log10(high_) + 1e-9) : 0;
    const double bottom =
        any_ ? std::min(std::max(std::floor(std::log10(low_) + 1e-9), top - decades), top - 1) : -3;
    PlotAxis axis{std::pow(10.0, bottom), std::pow(10.0, top), true};
    if (anyZero_) {
      // Far enough below the first decade to be told from it, where the labels of both have room.
      axis.aboveZero = axis.low;
      axis.low = std::pow(10.0, bottom - std::max(1.0, (top - bottom) / 4));
    }
    return axis;
  }
  if (!any_) return {0, 1, false};
  double low = std::min(low_, 0.0), high = std::max(high_, 0.0);
  // All values far from zero and near each other: show how they differ.
  const double size = std::max(std::abs(low_), std::abs(high_));
  if ((low_ > 0 || high_ < 0) && high_ - low_ < 0.2 * size) {
    const double half = std::max((high_ - low_) / 2, 1e-3 * size);
    low = (low_ + high_) / 2 - 1.5 * half;
    high = (low_ + high_) / 2 + 1.5 * half;
  } else if (low == high) {
    high = 1;
  } else {
    const double margin = 0.08 * (high - low);
    if (low < 0) low -= margin;
    if (high > 0) high += margin;
  }
  return {low, high, false};
}

std::vector<PlotTick> plotTicks(const PlotAxis& axis, int count) {
  if (axis.logarithmic) return decadeTicks(axis, count);
  const double finest = roundStep((axis.high - axis.low) / std::max(count, 1));
  const double step = axis.whole ? std::max(1.0, finest) : finest;
  const double largest = std::max(std::abs(axis.low), std::abs(axis.high));
  const int decimals = std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
  const bool scientific = largest >= 1e5 || decimals > 4;
  // As many digits as tell two neighbours apart.
  const int digits = std::max(0, static_cast<int>(std::floor(std::log10(largest) + 1e-9) -
                                                  std::floor(std::log10(step) + 1e-9)));
  std::vector<PlotTick> ticks;
  for (double i = std::ceil(axis.low / step - 1e-9); i * step <= axis.high + 1e-9 * step; ++i) {
    const double value = i * step;
    ticks.push_back({value, i == 0       ? "0"
                            : scientific ? fmt::format("{:.{}e}", value, digits)
                                         : fmt::format("{:.{}f}", value, decimals)});
  }
  return ticks;
}

std::string shortNumber(double value) {
  if (value == 0) return "0";
  if (!std::isfinite(value)) return fmt::format("{}", value);
  const double size = std::abs(value);
  if (size < 1e-3 || size >= 1e6) return fmt::format("{:.2e}", value);
  if (size >= 1000) return fmt::format("{:.0f}", value);
  return fmt::format("{:.3g}", value);
}

}  // namespace drystone::viewer
