#pragma once

#include <cstddef>
#include <span>

#include "core/types.h"

namespace drystone {

/// Where the lower triangle of a band matrix lies, of which a stride equal to the bandwidth makes
/// LAPACK's.
struct BandEntries {
  Real* values = nullptr;
  std::size_t stride = 0;  ///< from column to column

  /// 0 ≤ row − column ≤ bandwidth.
  Real& at(int row, int column) const { return values[row + column * stride]; }
};

/// Cholesky factor of a symmetric positive definite band matrix, wherever it is computed, and
/// solves with it. Keeps its storage.
class BandFactor {
 public:
  virtual ~BandFactor() = default;

  /// A zero matrix with `bandwidth` diagonals below the main one, to fill before `factor`.
  virtual BandEntries begin(int size, int bandwidth) = 0;
  /// False: a pivot vanishes beside its diagonal entry (solvers/linear/usable_pivot.h).
  virtual bool factor() = 0;
  /// In place; `count` right-hand sides of as many numbers as the matrix has rows, one after the
  /// other. The same bits for any number of threads.
  virtual void solveMany(std::span<Real> columns, int count, int threads) = 0;
};

}  // namespace drystone
