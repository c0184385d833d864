#pragma once

#include <string>

#include "core/types.h"

namespace drystone::viewer {

/// Where the values of a setting are on its slider, 0 to 1. Wide ranges are logarithmic; where they
/// begin at 0 that is the left end, and where they have no upper limit `none` is the right end.
class SliderScale {
 public:
  /// `usual` is a value in common use, the default: whether it is far below `high` decides how the
  /// range is spread.
  SliderScale(Real low, Real high, Real usual, bool whole);

  double position(Real value) const;
  Real value(double position) const;
  bool logarithmic() const { return logarithmic_; }

 private:
  Real low_, high_;
  bool whole_, logarithmic_ = false, open_ = false;
  double logLow_ = 0, logHigh_ = 0;  ///< decades between the ends
};

/// Value of a setting: 12, 1e-06, 0.25, none.
std::string settingNumber(Real value);

}  // namespace drystone::viewer
