#pragma once

#include <span>
#include <vector>

#include "solvers/linear/interior_sides.h"
#include "solvers/staggered/qp/box_qp.h"
#include "solvers/staggered/qp/k0_solve.h"

namespace drystone {

struct InteriorOutcome {
  Real error = kInfinity;  ///< KKT error of the answer
  int steps = 0;           ///< each with a factor of its own
  int solves = 0;          ///< right-hand sides
};

/// Primal-dual interior point for a convex QP with bounds: follows
///   H x − c = z_l − z_u,  z_l (x − l) = z_u (u − x) = μ,  z ≥ 0,
/// to μ = 0 by predictor and corrector steps with one factor of H + D each, D = z_l/(x − l) +
/// z_u/(u − x) (solvers/linear/interior_sides.h). Takes some thirty factors however many bounds
/// change and however redundant they are. As solvers/pivoting/interior_point.h, for a Hessian that
/// is given as a matrix.
class BoxInteriorPoint {
 public:
  /// From near x. Leaves the best x seen there, within its bounds, and the sets that it suggests.
  /// `extra` is added to the diagonal for the factor only.
  InteriorOutcome run(const BoxQp& qp, std::span<const Real> metric, std::span<const Real> extra,
                      K0Solve& k0, Real tolerance, std::span<RowState> sets, std::span<Real> x);

 private:
  void enter(std::span<Real> x);
  bool factor(K0Solve& k0);
  /// Step of x for the pulls that are set, by the factor; 0 where fixed.
  std::span<const Real> solveStep(K0Solve& k0, bool refines, int& solves);
  /// What is left of the equations of the step, in right_; its largest entry.
  Real findResidual();
  void evaluateGradient(std::span<const Real> x);
  void classify(std::span<RowState> sets) const;

  BoxQp qp_;
  std::span<const Real> metric_, extra_;
  InteriorSides sides_;
  std::vector<int> free_;
  std::vector<Real> diagonal_, gradient_, right_, wanted_, step_, product_, best_;
};

}  // namespace drystone
