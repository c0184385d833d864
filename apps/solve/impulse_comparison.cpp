#include "apps/solve/impulse_comparison.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace drystone::cli {
namespace {

/// Its place among all doubles: neighbours differ by one, and ±0 are the same.
std::int64_t ordered(Real value) {
  const auto bits = std::bit_cast<std::int64_t>(value);
  return bits < 0 ? std::numeric_limits<std::int64_t>::min() - bits : bits;
}

}  // namespace

std::uint64_t ulpsBetween(Real a, Real b) {
  const std::int64_t first = ordered(a), second = ordered(b);
  const auto low = static_cast<std::uint64_t>(std::min(first, second));
  const auto high = static_cast<std::uint64_t>(std::max(first, second));
  return high - low;  // modulo 2^64, which is the distance
}

ImpulseComparison compareImpulses(std::span<const Real> lambda, std::span<const Real> reference) {
  ImpulseComparison result;
  Real scale = 0;
  for (std::size_t row = 0; row < lambda.size(); ++row) {
    Real difference = std::abs(lambda[row] - reference[row]);
    if (!std::isfinite(difference)) difference = std::numeric_limits<Real>::infinity();
    if (difference > result.largest) {
      result.largest = difference;
      result.worstRow = static_cast<int>(row);
    }
    scale = std::max(scale, std::abs(reference[row]));
    ++result.rowsByUlps[std::bit_width(ulpsBetween(lambda[row], reference[row]))];
  }
  if (result.largest > 0) {
    result.relative = scale > 0 ? result.largest / scale : std::numeric_limits<Real>::infinity();
  }
  return result;
}

std::vector<UlpBucket> filledBuckets(const ImpulseComparison& comparison) {
  std::vector<UlpBucket> filled;
  for (int bits = 0; bits <= 64; ++bits) {
    const std::int64_t rows = comparison.rowsByUlps[bits];
    if (rows == 0) continue;
    filled.push_back({bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1, rows});
  }
  return filled;
}

}  // namespace drystone::cli
