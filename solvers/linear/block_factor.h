#pragma once

#include <Eigen/StdVector>
#include <cstdint>
#include <span>
#include <vector>

#include "core/types.h"
#include "solvers/linear/block_kernel.h"
#include "solvers/linear/block_pattern.h"

namespace drystone {

/// Sparse factorization of a matrix of 6x6 blocks with symmetric pattern: Cholesky for symmetric
/// positive definite values, LU with pivoting inside the diagonal blocks for others. Left-looking,
/// one block column at a time; no fill beyond the pattern. Where only some nodes changed, only
/// their columns and those of their ancestors in the elimination tree are made anew, to the same
/// bits. Keeps its storage.
class BlockFactor {
 public:
  void reserve(int nodes, int entries);
  /// Zero matrix over the pattern; `symmetric` chooses the factorization.
  void begin(const BlockPattern& pattern, bool symmetric);
  /// Zeroes the columns to make anew: those of the changed nodes, marked by position in the order,
  /// and their ancestors. The last `factor` succeeded, with the same pattern and symmetry.
  void beginChange(std::span<const std::uint8_t> isChanged);
  /// Whether the values of a column are to be filled.
  bool isOpen(int column) const { return isOpen_[column] != 0; }
  /// Columns to be filled.
  int openColumns() const { return openColumns_; }

  /// Values to fill before `factor`, by position in the order of the pattern.
  Mat6& diagonal(int place) { return diagonal_[place]; }
  /// Block (row, column) of an entry below the diagonal.
  Mat6& lower(int entry) { return lower_[entry]; }
  /// Transpose of block (column, row) above the diagonal; unsymmetric only.
  Mat6& upperTransposed(int entry) { return upper_[entry]; }

  /// False: a diagonal block has no usable pivot.
  bool factor();

  // After `factor` of a symmetric matrix, by position in the order: the inverse of the Cholesky
  // factor C_j of the pivot, and L_ij of an entry.
  const Mat6& inversePivot(int place) const { return diagonal_[place]; }
  const Mat6& factorEntry(int entry) const { return lower_[entry]; }

  /// In place; x by position in the order of the pattern.
  void solve(std::span<Vec6> x) const;

 private:
  template <bool kSymmetric>
  bool factorColumns();

  const BlockPattern* pattern_ = nullptr;
  bool symmetric_ = true;
  // After `factor`: diagonal_ holds the inverse of the Cholesky factor of the pivot block; of
  // others that of their upper factor, and leftPivot_ that of the lower one.
  std::vector<Mat6> diagonal_, lower_, upper_, leftPivot_;
  std::vector<int> entryOfRow_;
  std::vector<Mat6*> targets_;        // blocks that one entry updates
  std::vector<std::uint8_t> isOpen_;  // [nodes]
  int openColumns_ = 0;
};

}  // namespace drystone
