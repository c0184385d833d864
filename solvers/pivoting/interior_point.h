#pragma once

#include <span>
#include <vector>

#include "solvers/linear/interior_path.h"
#include "solvers/pivoting/pivoting.h"

namespace drystone {

/// Primal-dual interior point for positive semi-definite A, x = λ [N s] and g = w = A λ + b [m/s]:
/// see InteriorPath. For where pivots are lost; the answer is inside the bounds by what the
/// tolerance leaves.
class InteriorPoint : public InteriorPath {
 public:
  void reserve(const ProblemSize& size);
  /// Binds to the problem of one solve.
  void attach(RowSystem& rows, FreeSystem& system);
  /// From near λ. On failure λ is the best that was seen, and the sets are the last.
  PivotOutcome run(const RowBounds& bounds, const PivotSettings& settings, IndexSets& sets,
                   std::span<Real> lambda, ResidualHistory* history);

 private:
  void evaluateGradient(std::span<const Real> lambda, std::span<Real> w) override;
  Real errorOf(std::span<const Real> lambda, std::span<const Real> w) override;
  Real toleranceAt(std::span<const Real> lambda) override;
  bool mayStep() const override { return settings_->allowance.take(); }
  void record(int step, Real error) override;
  bool factor() override;
  std::span<const Real> solveStep(std::span<const Real> right, bool corrects) override;

  RowSystem* rows_ = nullptr;
  FreeSystem* system_ = nullptr;
  const RowBounds* bounds_ = nullptr;  // of a run, as what follows
  const PivotSettings* settings_ = nullptr;
  ResidualHistory* history_ = nullptr;
  std::vector<Real> step_;  // [rows]
};

}  // namespace drystone
