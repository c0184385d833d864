#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/types.h"

namespace drystone::cli {

/// How far two answers to one problem are apart.
struct ImpulseComparison {
  Real largest = 0;   ///< |λ − λ'| [N s]; ∞ where one is not finite
  Real relative = 0;  ///< of the largest |λ'|
  int worstRow = -1;  ///< -1: equal
  /// Rows by their distance in units in the last place (ulp): 0, 1, 2 … 3, 4 … 7, and so on.
  std::array<std::int64_t, 65> rowsByUlps{};
};

/// Numbers between two doubles, the second included; 0 for equal ones, +0 and −0 too.
std::uint64_t ulpsBetween(Real a, Real b);

ImpulseComparison compareImpulses(std::span<const Real> lambda, std::span<const Real> reference);

/// The buckets that hold a row: their largest distance [ulp], and how many rows they hold.
struct UlpBucket {
  std::uint64_t upTo;
  std::int64_t rows;
};
std::vector<UlpBucket> filledBuckets(const ImpulseComparison& comparison);

}  // namespace drystone::cli
