#pragma once

#include <Eigen/StdVector>
#include <span>
#include <vector>

#include "engine/core/types.h"
#include "solvers/direct/block_pattern.h"

namespace drystone {

using Mat6 = Eigen::Matrix<Real, 6, 6>;

/// Sparse factorization of a matrix of 6x6 blocks with symmetric pattern: Cholesky for symmetric
/// positive definite values, LU with pivoting inside the diagonal blocks for others. Left-looking,
/// one block column at a time; no fill beyond the pattern. Keeps its storage.
class BlockFactor {
 public:
  void reserve(int nodes, int entries);
  /// Zero matrix over the pattern; `symmetric` chooses the factorization.
  void begin(const BlockPattern& pattern, bool symmetric);

  /// Values to fill before `factor`, by position in the order of the pattern.
  Mat6& diagonal(int place) { return diagonal_[place]; }
  /// Block (row, column) of an entry below the diagonal.
  Mat6& lower(int entry) { return lower_[entry]; }
  /// Transpose of block (column, row) above the diagonal; unsymmetric only.
  Mat6& upperTransposed(int entry) { return upper_[entry]; }

  /// False: a diagonal block has no usable pivot.
  bool factor();
  /// In place; x by position in the order of the pattern.
  void solve(std::span<Vec6> x) const;

 private:
  template <bool kSymmetric>
  bool factorColumns();

  const BlockPattern* pattern_ = nullptr;
  bool symmetric_ = true;
  // After `factor`: diagonal_ holds the inverse of the Cholesky factor of the pivot block, or of
  // the pivot block itself.
  std::vector<Mat6> diagonal_, lower_, upper_;
  std::vector<int> entryOfRow_;
};

}  // namespace drystone
