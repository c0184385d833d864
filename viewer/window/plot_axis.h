#pragma once

#include <string>
#include <vector>

namespace drystone::viewer {

/// The values that an axis of a plot spans, and how they map to it.
struct PlotAxis {
  double low = 0, high = 1;
  bool logarithmic = false;  ///< then 0 < low
  bool whole = false;        ///< has ticks at whole numbers only
  /// Above 0: values of 0 stand at the foot of the logarithmic axis, whose decades begin here.
  double aboveZero = 0;

  /// 0 at `low`, 1 at `high`; values that a logarithmic axis cannot show are at -∞.
  double position(double value) const;
  double value(double position) const;
};

/// Collects the range of what is plotted. On a logarithmic axis only values > 0 count, and zeros
/// get a place of their own; infinite ones and NaN never do.
class PlotRange {
 public:
  explicit PlotRange(bool logarithmic = false) : logarithmic_(logarithmic) {}
  void add(double value);
  /// The axis that holds all values: linear ones with a margin above, and below where they are not
  /// all ≥ 0; logarithmic ones to whole decades, at most `decades` of them below the largest.
  PlotAxis axis(int decades = 16) const;

 private:
  bool logarithmic_;
  bool any_ = false, anyZero_ = false;
  double low_ = 0, high_ = 0;
};

struct PlotTick {
  double value = 0;
  std::string label;
};

/// At most about `count` ticks at round values, with labels that tell them apart.
std::vector<PlotTick> plotTicks(const PlotAxis& axis, int count);

/// A number in few characters, for hover texts and tables: 12.3, 4.56e-09.
std::string shortNumber(double value);

}  // namespace drystone::viewer
