#pragma once

#include <cmath>

#include "engine/core/types.h"

namespace drystone {

/// A pivot below this share of its diagonal entry is round-off: the matrix is singular there.
constexpr Real kTinyPivot = 1e-13;
/// Diagonal added to a singular matrix, relative to the entry; refinement takes its effect back.
constexpr Real kRegularization = 1e-10;

inline bool isUsablePivot(Real pivot, Real diagonal) {
  return std::isfinite(pivot) && pivot > kTinyPivot * std::abs(diagonal);
}

}  // namespace drystone
