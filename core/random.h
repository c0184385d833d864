#pragma once

#include <cstdint>

#include "core/types.h"

namespace drystone {

/// Knuth's MMIX linear congruential generator: the same numbers on every platform, and the one by
/// which the measured piles are defined.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  /// Uniform in [0, 1), 53 bits.
  Real uniform() {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<Real>(state_ >> 11) * 0x1.0p-53;
  }
  Real uniform(Real low, Real high) { return low + (high - low) * uniform(); }

 private:
  std::uint64_t state_;
};

}  // namespace drystone
