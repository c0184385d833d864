#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "solvers/linear/band_factor.h"

namespace drystone {

/// By LAPACK's dpbtrf; solves with one right-hand side or with many. Many go through block
/// substitution (Litven 2013, §5.3): the diagonal blocks of the factor are inverted once, so that
/// all that is left are products of blocks with panels of right-hand sides, which read each number
/// of the factor once a panel.
class BandedCholesky final : public BandFactor {
 public:
  /// Right-hand sides that are solved together; what two of them have in common is read once.
  static constexpr int kPanel = 8;

  BandEntries begin(int size, int bandwidth) override;
  /// Entry of the lower triangle to fill before `factor`; 0 ≤ row − column ≤ bandwidth.
  Real& at(int row, int column) { return band_[index(row, column)]; }

  bool factor() override;
  /// In place, column by column of the factor. [size]
  void solve(std::span<Real> x) const;
  /// Its bits may differ from those of `solve` in the last place.
  void solveMany(std::span<Real> columns, int count, int threads) override;

  int size() const { return size_; }
  int bandwidth() const { return bandwidth_; }

 private:
  /// A block of columns passes over the rows below it while these stay in the cache. It need not be
  /// as long as the band: that would make the inversion cost a third of the factorization.
  static constexpr int kLeastBlock = 8, kMostBlock = 48;

  std::size_t index(int row, int column) const {
    return static_cast<std::size_t>(column) * (bandwidth_ + 1) + (row - column);
  }
  int blockBegin(int block) const { return block * block_; }
  int blockEnd(int block) const { return std::min(size_, (block + 1) * block_); }
  /// End of the rows that a column reaches, and that a block does.
  int columnEnd(int column) const { return std::min(size_, column + bandwidth_ + 1); }
  int reachEnd(int block) const { return columnEnd(blockEnd(block) - 1); }

  void invertBlocks(int threads);
  void invertBlock(int block);
  Real* inverseOf(int block) { return &inverses_[inverseStart(block)]; }
  const Real* inverseOf(int block) const { return &inverses_[inverseStart(block)]; }
  std::size_t inverseStart(int block) const {
    return static_cast<std::size_t>(block) * block_ * block_;
  }

  // Of Width right-hand sides, row by row.
  template <int Width>
  void solvePanel(std::span<Real> columns, Real* panel) const;
  template <int Width>
  void eliminate(int block, Real* panel) const;
  template <int Width>
  void substituteBack(int block, Real* panel) const;

  int size_ = 0, bandwidth_ = 0, block_ = kMostBlock;
  std::vector<Real> band_;      // LAPACK's: column by column, from the diagonal down
  std::vector<Real> diagonal_;  // of the matrix
  std::vector<Real> inverses_;  // of the diagonal blocks, each row by row and block_ long
  bool hasInverses_ = false;
  std::vector<Real> panels_;  // kPanel numbers a row
};

}  // namespace drystone
