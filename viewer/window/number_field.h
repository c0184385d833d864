#pragma once

#include <string_view>

#include "core/types.h"

namespace drystone::viewer {

/// What a number may be.
struct NumberRange {
  Real low = 0, high = 1;
  Real usual = 0;  ///< the default, see SliderScale
  bool whole = false;
  std::string_view unit;  ///< shown unless it has several words
};

enum class NumberEdit {
  kNone,
  kMoving,  ///< the slider was moved and is still held
  kDone,    ///< it was let go, or a value was typed or gone back to
};

/// A slider as wide as there is room; a right click takes an exact value or goes back to the
/// default. Its id is that of the stack alone.
NumberEdit numberField(Real& value, const NumberRange& range);

}  // namespace drystone::viewer
