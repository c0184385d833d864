#pragma once

#include <vector>

#include "engine/step/rows.h"
#include "solvers/driver/solve.h"

namespace drystone {

struct SoftStepInput;

/// Work space of startAhead(); keeps its capacity.
struct AheadWorkspace {
  std::vector<Vec6> before, end;  ///< [bodies] u at both ends of a step
  std::vector<Vec6> change;       ///< [bodies] of u⁺ in the next step
  std::vector<Real> term;         ///< [rows] of w that positions and compliance make [m/s]
  std::vector<Real> miss;         ///< [rows] w of the next step [m/s]
};

/// What the next steps will ask for beyond the impulses of this one, of an island that `solver` has
/// just solved with `result`: `rows.ahead` [N s] of the next step, and `rows.trend` [N s], what the
/// step after that adds.
///
/// The same impulses would change velocities again that are to stay, close the same gaps again, and
/// act at arms that have changed. What all this adds to w is known to first order, and the factor
/// at hand takes it back (ContactSolver::follow): once for the next step and, where one Newton step
/// solved the island, once more for the step after. A start that is accepted then goes on along
/// the trend, which fades as the bodies come to rest: they take γ of their overlap back a step.
///
/// These are starts, which the judge of each step measures as any other; reports and sensors have
/// the impulses.
///
/// Zero where the answer took no factor, and in islands with joints. Where starts are never
/// accepted, only the 1st, 2nd, 4th, 8th solve and so on looks ahead.
void startAhead(const SoftStepInput& input, int island, const SolveResult& result,
                ContactSolver& solver, AheadWorkspace& work, ConstraintRows& rows);

}  // namespace drystone
