#pragma once

#include <span>
#include <vector>

#include "solvers/direct/pivoting.h"

namespace drystone {

/// Projected Newton steps for symmetric positive semi-definite A: descends on
/// φ = ½ λᵀ A λ + bᵀ λ within the bounds, changing many sets at once. A row is tight when it is at
/// a bound and w holds it there, all others are free; λ goes towards the solution of the free rows,
/// each row no farther than its bound, by the first of the shares 1, ½, ¼ … that lowers φ enough.
/// Where block pivots circle φ falls, and near the solution a step is a block pivot. D. P.
/// Bertsekas, "Projected Newton methods for optimization problems with simple constraints", SIAM
/// Journal on Control and Optimization 20 (1982).
class ProjectedNewton {
 public:
  void reserve(const ProblemSize& size);
  /// Binds to the problem of one solve.
  void attach(RowSystem& rows, FreeSystem& system);
  /// From λ; the sets are an answer only. On failure both are those of the last step.
  PivotOutcome run(const RowBounds& bounds, const PivotSettings& settings, IndexSets& sets,
                   std::span<Real> lambda, ResidualHistory* history);

 private:
  int classify(const RowBounds& bounds, std::span<const Real> lambda, IndexSets& sets) const;
  Real objective(std::span<const Real> lambda, std::span<const Real> w) const;
  bool stepTowardsTarget(const RowBounds& bounds, std::span<Real> lambda);

  RowSystem* rows_ = nullptr;
  FreeSystem* system_ = nullptr;
  std::vector<Real> w_;       // at λ
  std::vector<Real> target_;  // where the free equations hold
  std::vector<Real> trial_, trialW_;
};

}  // namespace drystone
