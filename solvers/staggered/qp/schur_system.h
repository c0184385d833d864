#pragma once

#include <vector>

#include "solvers/linear/bordered_factor.h"
#include "solvers/staggered/qp/working_set_system.h"

namespace drystone {

/// SCHURPA (Litven 2013, alg. 3.1 and 3.2; Gill et al. 1990): one factor of the K_0 of a first
/// working set, and for each later one the bordered system
///   (K_0 U; Uᵀ 0) (y, π) = (c, w)
/// through R = K_0⁻¹ U and the Schur complement C = −Uᵀ R. A variable that has become fixed adds a
/// column to U, and so does one that has been released; a change undone removes its column. Of a
/// column of R only x_F is kept: the rest follows from H. When there are more columns than
/// `maxSolves`, or C breaks down, the working set at hand becomes the first one.
class SchurSystem final : public WorkingSetSystem {
 public:
  bool solve(std::span<const RowState> sets, std::span<Real> x) override;
  void correct(std::span<const Real> r, std::span<Real> x) override;
  bool refactor(std::span<const RowState> sets) override;

 private:
  struct Change {
    int variable;
    bool isReleased;  // else fixed
  };

  void forget() override;
  void forgetLinear() override { hasStart_ = false; }
  /// Makes the sets the first ones.
  bool rebase(std::span<const RowState> sets);
  bool isBaseFree(int variable) const { return place_[variable] >= 0; }
  /// Brings U, R and C to the sets. False: C broke down or has too many columns.
  bool follow(std::span<const RowState> sets);
  void removeColumn(int index);
  void appendColumns(int first);
  /// v = K_0⁻¹ (c, bounds): x_F in base_, the bounds of the other variables beside it.
  void solveStart(std::span<const RowState> sets);
  /// Puts x_F = K_0⁻¹ (right_, 0) into `x`; the caller has filled the other variables.
  void scatter(std::span<Real> x);
  /// π from C π = w − Uᵀ v, then x = v − R π. v: `start`, where `linear` is its c.
  void combine(std::span<const RowState> sets, std::span<const Real> linear,
               std::span<const Real> start, bool isCorrection, std::span<Real> x);
  std::span<const Real> column(int index) const {
    return {r_.data() + static_cast<std::size_t>(index) * free_.size(), free_.size()};
  }
  /// (H x)_i of the x with x_F = `freePart`, and zero elsewhere.
  Real rowTimesFree(int variable, std::span<const Real> freePart) const;

  std::vector<int> place_;     // variable → place in free_, -1: fixed at first
  std::vector<int> columnOf_;  // variable → column, -1: as at first
  std::vector<Change> changes_;
  std::vector<Real> r_;  // column by column, [free]
  BorderedFactor c_;
  std::vector<Real> base_;  // [size] v
  bool hasStart_ = false;
  std::vector<RowState> sets_;  // solved last
  std::vector<Real> right_, pi_, entries_, start_;
};

}  // namespace drystone
