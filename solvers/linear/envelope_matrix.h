#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/timer.h"
#include "solvers/linear/cuthill_mckee.h"
#include "solvers/problem/block_sparse.h"

namespace drystone {

/// Cholesky factor of a symmetric block-sparse matrix, stored column by column inside an envelope
/// that elimination does not leave: column j holds the rows j … last(j), last never falls. Rows may
/// be taken out of the factor one by one, without resizing it (Lefebvre 2020, §2.2).
///
/// Rows are numbered by their place in the order throughout, except where it says otherwise.
class EnvelopeMatrix {
 public:
  /// Where the envelope lies and how the rows are ordered. `reorder`: the blocks in reverse
  /// Cuthill–McKee order, and columns as short as that allows; else the natural order, and full
  /// columns. Reuses the analysis while the pattern stands.
  void analyze(const BlockSparseMatrix& matrix, bool reorder);

  Deadline deadline;  ///< when `factor` gives up

  int size() const { return size_; }
  /// Entries to store; a full matrix stores its upper half too. Known after `analyze`, which does
  /// not make room for them.
  std::int64_t entries() const { return start_.empty() ? 0 : start_.back(); }
  int place(int row) const { return place_[row]; }
  int last(int column) const { return last_[column]; }
  bool isFull() const { return !reordered_; }

  /// Factors A without the rows and columns that `isOut` marks [size]; A + δ diag(A) where a pivot
  /// of a row that stays is round-off. False: that one cannot be factored either. `extra`, where
  /// given, is added to the diagonal [size].
  bool factor(const BlockSparseMatrix& matrix, std::span<const std::uint8_t> isOut,
              std::span<const Real> extra = {});
  /// The same where the factor at hand is one of A without regularization, and differs in the rows
  /// that are out from `first` on only.
  bool factorFrom(const BlockSparseMatrix& matrix, std::span<const std::uint8_t> isOut, int first);
  /// Largest term that the last `factor` added [1/kg].
  Real regularization() const { return regularization_; }

  /// Takes a row out of the factor: L L' of the rows after it gains σ σᵀ, σ the row's column, by
  /// plane rotations (Davis and Hager 2005). Rows before the last one taken out cannot follow.
  void takeOut(int row);

  /// x := A⁻¹ x over the rows that are in; x of the others becomes 0. [size]
  void solve(std::span<const std::uint8_t> isOut, std::span<Real> x) const;

  std::span<const Real> values() const { return values_; }
  /// Copies columns first … size from values of the same analysis.
  void copyColumns(std::span<const Real> values, int first);

 private:
  bool samePattern(const BlockSparseMatrix& matrix, bool reorder) const;
  void fill(const BlockSparseMatrix& matrix, int first, Real delta, std::span<const Real> extra);
  bool factorDense();
  bool factorColumns(int first, std::span<const std::uint8_t> isOut);
  Real* column(int j) { return values_.data() + start_[j]; }
  const Real* column(int j) const { return values_.data() + start_[j]; }

  int size_ = 0;
  bool reordered_ = false;
  std::vector<int> rowStart_, blockStart_;  // the pattern analysed
  std::vector<int> blockColumn_;
  CuthillMckeeWorkspace orderWorkspace_;
  std::vector<int> blockOrder_;
  std::vector<int> place_, last_, first_;  // first_[j]: the first column that reaches row j
  std::vector<std::int64_t> start_;        // [size + 1] of the diagonal entries
  std::vector<Real> values_, diagonal_;    // diagonal_: of A + δ diag(A) + E
  std::vector<Real> own_;                  // [size] of A, which E may drown
  Real regularization_ = 0;
  std::vector<Real> sigma_;  // [size] zero between calls
};

}  // namespace drystone
