#pragma once

#include <span>
#include <vector>

#include "core/types.h"

namespace drystone {

/// Square block-sparse matrix in compressed block rows. Block row i has `blockRows(i)` scalar rows;
/// its blocks are stored by ascending block column, each dense and row-major. Owns its storage and
/// keeps the capacity when it is rebuilt, so a warm rebuild allocates nothing.
struct BlockSparseMatrix {
  std::vector<int> rowStart;     ///< [blocks + 1] first scalar row of each block row
  std::vector<int> blockStart;   ///< [blocks + 1] first stored block of each block row
  std::vector<int> blockColumn;  ///< [stored] block column of each stored block
  std::vector<int> valueStart;   ///< [stored + 1] first value of each stored block
  std::vector<int> diagonal;     ///< [blocks] stored index of the diagonal block; always stored
  std::vector<Real> values;

  int blockCount() const { return static_cast<int>(diagonal.size()); }
  int size() const { return rowStart.empty() ? 0 : rowStart.back(); }
  int blockRows(int block) const { return rowStart[block + 1] - rowStart[block]; }
  void clear();

  /// y = A x, both of size().
  void multiply(std::span<const Real> x, std::span<Real> y) const;
  /// y_i = (A x)_i for the rows of one block row; y has blockRows(block) entries.
  void multiplyRow(int block, std::span<const Real> x, Real* y) const;
  /// Dense copy, for small systems and tests.
  MatX toDense() const;
  /// Largest |A - Aᵀ| over largest |A|, dimensionless.
  Real asymmetry() const;
};

/// Builds a matrix from coordinate entries; repeated entries add up. `rowStart` gives the block
/// partition; diagonal blocks are stored even when empty.
BlockSparseMatrix blockSparseFromTriplets(std::span<const int> rowStart, std::span<const int> rows,
                                          std::span<const int> columns,
                                          std::span<const Real> values);

}  // namespace drystone
