#pragma once

#include <vector>

namespace drystone::cli {

/// Order of figures of error: NaN is above every number, so that the largest one shows it.
bool isBelow(double a, double b);

/// Figures of a run, one value a step, and what reports say of them. All are 0 while empty. The
/// order is that of isBelow().
class Samples {
 public:
  int count() const { return static_cast<int>(values_.size()); }
  void add(double value) { values_.push_back(value); }
  double sum() const;
  double mean() const;
  double min() const;
  double max() const;
  double last() const { return values_.empty() ? 0 : values_.back(); }
  double median() const { return quantile(0.5); }
  double p99() const { return quantile(0.99); }
  /// Quantile q in [0, 1], linear between the two nearest order statistics (type 7 of Hyndman and
  /// Fan, as NumPy and R do): the median of an even number is the middle of the two.
  double quantile(double q) const;

 private:
  std::vector<double> values_;
};

}  // namespace drystone::cli
