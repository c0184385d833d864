// Semismooth Newton for frictional contact in the form of P. Alart and A. Curnier, "A mixed
// formulation for frictional contact problems prone to Newton like solution methods", Computer
// Methods in Applied Mechanics and Engineering 92 (1991).

#include "solvers/pivoting/friction_newton.h"

#include <algorithm>
#include <cmath>

#include "core/patience.h"
#include "solvers/pivoting/proximal_point.h"
#include "solvers/problem/residual.h"

namespace drystone {
void FrictionNewton::reserve(const ProblemSize& size) {
  bestLambda_.reserve(size.rows);
  bestW_.reserve(size.rows);
}

void FrictionNewton::keepBest(const Iterate& iterate) {
  bestError_ = iterate.error;
  bestLambda_.assign(iterate.lambda.begin(), iterate.lambda.end());
  bestW_.assign(iterate.w.begin(), iterate.w.end());
}

void FrictionNewton::restoreBest(Iterate& iterate) const {
  std::copy(bestLambda_.begin(), bestLambda_.end(), iterate.lambda.begin());
  std::copy(bestW_.begin(), bestW_.end(), iterate.w.begin());
  iterate.error = bestError_;
}

bool FrictionNewton::step(Iterate& iterate, StageContext& context) {
  RowSystem& rows = context.rows;
  iterate.states.fillBasis(rows, 0, context.system.basis());
  if (!context.system.factor()) return false;
  iterate.states.place(rows, iterate.lambda);
  rows.velocity(iterate.lambda, iterate.w);
  context.system.correct(iterate.lambda, iterate.w, kRefinedShare * context.roundOff);
  const Real error = naturalMapAt(rows, iterate.lambda, iterate.w);
  if (!std::isfinite(error)) return false;
  iterate.error = error;
  context.history.add(++context.report.outerIterations, error);
  if (error < bestError_) keepBest(iterate);
  return true;
}

SolveStatus FrictionNewton::takeSteps(Iterate& iterate, StageContext& context) {
  Patience patience(kStepPatience, 0.5, iterate.error);
  for (int i = 0; i < maxSteps; ++i) {
    if (!context.allowance.take()) return limitStatus(context.allowance);
    if (i > 0) {
      context.report.pivots += iterate.states.classify(context.rows, iterate.lambda, iterate.w);
    }
    if (!step(iterate, context)) return SolveStatus::kStalled;
    if (iterate.error <= reachableError(context, iterate.lambda)) return SolveStatus::kConverged;
    if (!patience.goesOn(iterate.error)) return SolveStatus::kStalled;
  }
  return SolveStatus::kIterationLimit;
}

/// A plain step meets its sets' equations, which leaves slipping impulses beside the cone by what
/// the slip has turned since. Projected they obey the cone; kept unless that costs the tolerance.
void FrictionNewton::leaveNoExcess(Iterate& iterate, const StageContext& context) {
  iterate.states.makeFeasible(context.rows, iterate.lambda);
  if (std::equal(iterate.lambda.begin(), iterate.lambda.end(), bestLambda_.begin())) return;
  context.rows.velocity(iterate.lambda, iterate.w);
  iterate.error = naturalMapAt(context.rows, iterate.lambda, iterate.w);
  if (!(iterate.error <= std::max(context.roundOff, bestError_))) restoreBest(iterate);
}

SolveStatus FrictionNewton::improve(Iterate& iterate, StageContext& context) {
  const StageFactors factors(context, BasisKind::kGeneral);
  keepBest(iterate);
  const SolveStatus status = takeSteps(iterate, context);
  restoreBest(iterate);
  if (status == SolveStatus::kConverged) {
    leaveNoExcess(iterate, context);
  } else {
    // The sets that go with this answer.
    iterate.states.classify(context.rows, iterate.lambda, iterate.w);
  }
  return status;
}

}  // namespace drystone
