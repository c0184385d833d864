// Random band matrices of any size.
#include <algorithm>
#include <cmath>

#include "bench/studies/staggered/study.h"

namespace drystone::bench {
namespace {

/// Diagonal over the largest eigenvalue of the rest. The nearer to 1, the farther a change reaches,
/// and the more working sets a QP takes; at this it is four to six, as published.
constexpr Real kSpread = 1.05;

}  // namespace

RandomBand::RandomBand(int size, int bandwidth, Random& random)
    : size_(size), bandwidth_(std::min(bandwidth, size - 1)) {
  below_.resize(static_cast<std::size_t>(size_) * bandwidth_);
  for (Real& entry : below_) entry = random.uniform(-1, 1);
  // The spectrum of a random band matrix is a semicircle of radius 2 σ √(entries of a row), as
  // Wigner's; σ² = 1/3 of uniform numbers.
  diagonal_ = kSpread * 2 * std::sqrt(2 * bandwidth_ / 3.0);
}

Real RandomBand::entry(int row, int column) const {
  return below_[static_cast<std::size_t>(row) * bandwidth_ + (column - row + bandwidth_)];
}

void RandomBand::copyTo(BandFactor& matrix) const {
  const BandEntries entries = matrix.begin(size_, bandwidth_);
  for (int row = 0; row < size_; ++row) {
    for (int column = std::max(0, row - bandwidth_); column < row; ++column) {
      entries.at(row, column) = entry(row, column);
    }
    entries.at(row, row) = diagonal_;
  }
}

SymmetricMatrix RandomBand::symmetric() const {
  SymmetricMatrix matrix;
  for (int row = 0; row < size_; ++row) {
    const int end = std::min(size_, row + bandwidth_ + 1);
    for (int column = std::max(0, row - bandwidth_); column < end; ++column) {
      matrix.add(column, column == row  ? diagonal_
                         : column < row ? entry(row, column)
                                        : entry(column, row));
    }
    matrix.endRow();
  }
  return matrix;
}

}  // namespace drystone::bench
