#pragma once

#include <cstddef>
#include <span>

#include "core/types.h"

namespace drystone {

/// x·y. Four sums that do not wait for each other, always split alike.
inline Real dot(std::span<const Real> x, std::span<const Real> y) {
  Real sum[4] = {};
  const std::size_t whole = x.size() / 4 * 4;
  for (std::size_t i = 0; i < whole; i += 4) {
    for (std::size_t k = 0; k < 4; ++k) sum[k] += x[i + k] * y[i + k];
  }
  for (std::size_t i = whole; i < x.size(); ++i) sum[i - whole] += x[i] * y[i];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

}  // namespace drystone
