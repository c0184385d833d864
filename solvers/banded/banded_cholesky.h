#pragma once

#include <span>
#include <vector>

#include "engine/core/types.h"

namespace drystone {

/// Cholesky factor of a symmetric positive definite band matrix, by LAPACK's dpbtrf, and solves
/// with one right-hand side or with many. Many go through block substitution (Litven 2013, §5.3):
/// the diagonal blocks of the factor are inverted once, so that all that is left are products of
/// blocks with panels of right-hand sides, which read each number of the factor once a panel. Keeps
/// its storage.
class BandedCholesky {
 public:
  /// Right-hand sides that are solved together; what two of them have in common is read once.
  static constexpr int kPanel = 8;

  /// A zero matrix with `bandwidth` diagonals below the main one.
  void begin(int size, int bandwidth);
  /// Entry of the lower triangle to fill before `factor`; 0 ≤ row − column ≤ bandwidth.
  Real& at(int row, int column) { return band_[index(row, column)]; }

  /// False: a pivot vanishes beside its diagonal entry (solvers/direct/pivot_limits.h).
  bool factor();
  /// In place, column by column of the factor. [size]
  void solve(std::span<Real> x) const;
  /// In place; `count` right-hand sides of size() numbers, one after the other. The same bits for
  /// any number of threads; they may differ from those of `solve` in the last place.
  void solveMany(std::span<Real> columns, int count, int threads);

  int size() const { return size_; }
  int bandwidth() const { return bandwidth_; }

 private:
  /// A row of a block is read while a panel stays in the cache. It need not be as long as the band:
  /// that would make the inversion cost a third of the factorization.
  static constexpr int kBlock = 48;

  std::size_t index(int row, int column) const {
    return static_cast<std::size_t>(column) * (bandwidth_ + 1) + (row - column);
  }
  int blockBegin(int block) const { return block * kBlock; }
  int blockEnd(int block) const { return std::min(size_, (block + 1) * kBlock); }
  /// End of the rows that a column of the block reaches.
  int reachEnd(int block) const { return std::min(size_, blockEnd(block) + bandwidth_); }

  void packBlocks(int threads);
  void packBlock(int block);
  void solvePanel(Real* panel) const;

  int size_ = 0, bandwidth_ = 0;
  std::vector<Real> band_;      // LAPACK's: column by column, from the diagonal down
  std::vector<Real> diagonal_;  // of the matrix
  // Block column by block column, each row by row and kBlock long: the inverse of the diagonal
  // block, then the factor below it.
  std::vector<Real> blocks_;
  std::vector<std::size_t> blockStart_;
  bool isPacked_ = false;
  std::vector<Real> panels_;  // row by row, kPanel numbers each
};

}  // namespace drystone
