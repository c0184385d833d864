#include "apps/support/samples.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace drystone::cli {

bool isBelow(double a, double b) { return std::isnan(b) ? !std::isnan(a) : a < b; }

double Samples::sum() const { return std::accumulate(values_.begin(), values_.end(), 0.0); }

double Samples::mean() const {
  return values_.empty() ? 0 : sum() / static_cast<double>(values_.size());
}

double Samples::min() const {
  return values_.empty() ? 0 : *std::min_element(values_.begin(), values_.end(), isBelow);
}

double Samples::max() const {
  return values_.empty() ? 0 : *std::max_element(values_.begin(), values_.end(), isBelow);
}

double Samples::quantile(double q) const {
  if (values_.empty()) return 0;
  std::vector<double> sorted = values_;
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
