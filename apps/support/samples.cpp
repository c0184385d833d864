#include "apps/support/samples.h"

#include <algorithm>
#include <cmath>

namespace drystone::cli {

bool isBelow(double a, double b) { return std::isnan(b) ? !std::isnan(a) : a < b; }

void Samples::add(double value) {
  min_ = count_ == 0 ? value : std::min(min_, value, isBelow);
  max_ = count_ == 0 ? value : std::max(max_, value, isBelow);
  last_ = value;
  sum_ += value;
  if (count_++ % stride_ != 0) return;
  if (kept_.size() == kMostKept) {
    for (std::size_t i = 0; i < kMostKept / 2; ++i) kept_[i] = kept_[2 * i];
    kept_.resize(kMostKept / 2);
    stride_ *= 2;
  }
  kept_.push_back(value);
}

double Samples::quantile(double q) const {
  if (kept_.empty()) return 0;
  std::vector<double> sorted = kept_;
  std::sort(sorted.begin(), sorted.end(), isBelow);
  const double rank = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(rank));
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  const double share = rank - static_cast<double>(below);
  // Equal neighbours are returned as they are, so that infinities do not turn into NaN.
  if (share == 0 || sorted[below] == sorted[above]) return sorted[below];
  return sorted[below] + share * (sorted[above] - sorted[below]);
}

}  // namespace drystone::cli
