#pragma once

#include <cmath>

#include "core/host_device.h"

namespace drystone {

/// A pivot below this share of its diagonal entry is round-off: the matrix is singular there.
constexpr double kTinyPivot = 1e-13;

DRYSTONE_HD inline bool isUsablePivot(double pivot, double diagonal) {
  return std::isfinite(pivot) && pivot > kTinyPivot * std::abs(diagonal);
}

/// Diagonal added to a singular matrix, relative to the entry; refinement takes its effect back.
constexpr double kRegularization = 1e-10;

}  // namespace drystone
