#pragma once

#include <span>
#include <vector>

#include "solvers/contact_solver.h"
#include "solvers/direct/contact_states.h"
#include "solvers/direct/free_system.h"

namespace drystone {

/// How a run of the coupled friction iteration ended.
struct NewtonOutcome {
  bool converged = false;
  int iterations = 0;
  int changes = 0;         ///< rows and contacts that changed their state
  Real naturalMap = 0;     ///< of the λ left behind (M.11) [m/s]
};

/// Solves the problem with friction bound to the solved normal impulse, `pyramid` or `cone`, by
/// semismooth Newton steps on all sets at once. One factorization a step; ends at round-off when
/// the sets settle, but may wander: the λ left behind is the best one seen.
class FrictionNewton {
 public:
  void reserve(const ProblemSize& size);
  /// `lambda` and the sets in `states_` are the start. w is work space and holds A λ + b on return.
  NewtonOutcome run(RowSystem& rows, FreeSystem& system, ContactStates& states,
                    std::span<Real> lambda, std::span<Real> w, Real tolerance, int maxIterations,
                    ResidualHistory& history, int historyOffset);

 private:
  std::vector<Real> bestLambda_, bestW_;
};

}  // namespace drystone
