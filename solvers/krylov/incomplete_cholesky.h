#pragma once

#include <vector>

#include "solvers/krylov/factored_preconditioner.h"

namespace drystone {

/// Incomplete factors on the pattern of A (Ho 2022, alg. 4, 6 and 7; §4.1.2, §4.1.4). As L D Lᵀ
/// instead of L Lᵀ: an imaginary column of the thesis is one with D_jj < 0.
class IncompleteCholesky : public FactoredPreconditioner {
 public:
  using FactoredPreconditioner::FactoredPreconditioner;

 private:
  /// What to do with a pivot that is not positive.
  enum class Breakdown : std::uint8_t { kReplace, kKeepNegative, kStop };

  void factorize() override;
  LowerColumns lower() const override {
    return {matrix_.columnStart(), matrix_.row(), {value_.data(), matrix_.row().size()}};
  }

  /// With the first of the shifts γ, growing from `gamma`, that meets no breakdown.
  void factorizeShifted(Real gamma);
  void factorizePartiallyShifted();
  /// Raises the columns that feed `column`, once each; returns the first of them.
  int raiseFeeders(int column);
  /// Makes the columns from `first` on. Returns the column that broke down, or the size.
  int makeColumns(int first, Breakdown breakdown);
  /// D_jj by the columns before j.
  Real pivotOf(int column) const;
  /// The pivot to take for `pivot`; 0: none, break down.
  Real usablePivot(int column, Real pivot, Breakdown breakdown);
  void clearRow(int row);
  void fillColumn(int column);

  std::vector<Real> value_;  // [entries + 1] of L; the last takes what falls outside the pattern
  std::vector<int> target_;  // [rows] entry of the column at hand in a row, else the last
  std::vector<Real> shift_;  // [rows] added to the diagonal
  std::vector<int> raised_;  // [rows] times that a column was shifted
};

}  // namespace drystone
