#pragma once

#include "core/types.h"
#include "solvers/linear/usable_pivot.h"

namespace drystone {

/// Diagonal added to a singular matrix, relative to the entry; refinement takes its effect back.
constexpr Real kRegularization = 1e-10;

}  // namespace drystone
