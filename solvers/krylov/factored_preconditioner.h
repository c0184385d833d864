#pragma once

#include <vector>

#include "solvers/krylov/ordered_matrix.h"

namespace drystone {

/// Breakdowns after which a shift is given up. For A positive definite a shift of the number of
/// rows makes S A S diagonally dominant, which 64 growths by 1.5 exceed.
constexpr int kMaxShifts = 64;

/// M = S⁻¹ Pᵀ L |D| Lᵀ P S⁻¹ with L unit lower triangular, P the order and S the scaling. What the
/// incomplete factors share; each makes L and D its own way.
class FactoredPreconditioner : public Preconditioner {
 public:
  explicit FactoredPreconditioner(const PreconditionerSettings& settings) : settings_(settings) {}

  void applyMasked(std::span<const std::uint8_t> isOut, std::span<const Real> r,
                   std::span<Real> z) const override;

 protected:
  /// L without its diagonal in compressed columns.
  struct LowerColumns {
    std::span<const int> start, row;
    std::span<const Real> value;
  };

  /// How a pivot was found.
  enum class PivotSign : std::uint8_t { kPositive, kNegative, kZero };

  /// Makes L and D (`pivot_`, `sign_`) of `matrix_`.
  virtual void factorize() = 0;
  virtual LowerColumns lower() const = 0;

  /// What a pivot at `place` is measured by: |A_jj|, or 1 where that is zero or not finite.
  Real pivotScale(int place) const;

  PreconditionerSettings settings_;
  OrderedMatrix matrix_;
  std::vector<Real> pivot_;      // [rows] D
  std::vector<PivotSign> sign_;  // [rows] of what D was before a repair

 private:
  void make(const SymmetricSparse& a, std::span<const std::uint8_t> isOut) final;

  std::vector<Real> inversePivot_;            // [rows] 1/|D|
  mutable std::vector<Real> x_;               // [rows] work space
  mutable std::vector<std::uint8_t> masked_;  // [rows] isOut by place
};

}  // namespace drystone
