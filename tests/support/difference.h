#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "core/types.h"

namespace drystone::test {

/// Largest |a_i − b_i|; infinite where one is not a number or the lengths differ.
inline Real largestDifference(const std::vector<Real>& a, const std::vector<Real>& b) {
  if (a.size() != b.size()) return std::numeric_limits<Real>::infinity();
  Real largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Real difference = std::abs(a[i] - b[i]);
    if (std::isnan(difference)) return std::numeric_limits<Real>::infinity();
    if (difference > largest) largest = difference;
  }
  return largest;
}

}  // namespace drystone::test
