#pragma once

#include <vector>

#include "engine/step/rows.h"
#include "solvers/driver/solve.h"

namespace drystone {

struct SoftStepInput;

/// Work space of startAhead(); keeps its capacity.
struct AheadWorkspace {
  std::vector<Vec6> end;     ///< [bodies] u⁺, then what the next step adds to it
  std::vector<Vec6> change;  ///< [bodies] of u⁺ in the next step if the impulses stayed
  std::vector<Real> miss;    ///< [rows] w of the next step [m/s]
};

/// What the next step will ask for beyond the impulses of this one, of an island that `solver` has
/// just solved with `result`: written to `rows.ahead` [N s], in which it has zeros.
///
/// The same impulses would change velocities again that are to stay, close the same gaps again, and
/// not turn with their arms. What all this adds to w is known to first order, and the factor at
/// hand takes it back (ContactSolver::follow). That is a start, which the judge of the next step
/// measures as any other; reports and sensors have the impulses.
///
/// Zero stays where the answer took no factor, and in islands with joints. Where starts
/// are never accepted, only the 1st, 2nd, 4th, 8th solve and so on looks ahead.
void startAhead(const SoftStepInput& input, int island, const SolveResult& result,
                ContactSolver& solver, AheadWorkspace& work, ConstraintRows& rows);

}  // namespace drystone
