#pragma once

#include <span>
#include <vector>

#include "solvers/linear/interior_path.h"
#include "solvers/staggered/qp/box_qp.h"
#include "solvers/staggered/qp/k0_solve.h"

namespace drystone {

struct InteriorOutcome {
  Real error = kInfinity;  ///< KKT error of the answer
  int steps = 0;           ///< each with a factor of its own
  int solves = 0;          ///< right-hand sides
};

/// Primal-dual interior point for a convex QP with bounds: see InteriorPath.
class QpInteriorPoint : public InteriorPath {
 public:
  /// From near x. Leaves the best x seen there, within its bounds, and the sets that it suggests.
  /// `extra` is added to the diagonal for the factor only.
  InteriorOutcome run(const BoxQp& qp, std::span<const Real> metric, std::span<const Real> extra,
                      K0Solve& k0, Real tolerance, std::span<RowState> sets, std::span<Real> x);

 private:
  void evaluateGradient(std::span<const Real> x, std::span<Real> gradient) override;
  Real errorOf(std::span<const Real> x, std::span<const Real> gradient) override;
  Real toleranceAt(std::span<const Real>) override { return tolerance_; }
  bool factor() override;
  std::span<const Real> solveStep(std::span<const Real> right, bool corrects) override;
  /// What is left of the equations of the step, in residual_; its largest entry.
  Real findResidual(std::span<const Real> right);
  /// One solve of residual_.
  void solveResidual();

  BoxQp qp_;
  std::span<const Real> metric_, extra_;
  K0Solve* k0_ = nullptr;
  Real tolerance_ = 0;
  int solves_ = 0;
  std::vector<int> free_;  // ascending
  std::vector<Real> diagonal_, residual_, step_, product_;
};

}  // namespace drystone
