// Semismooth Newton for frictional contact in the form of P. Alart and A. Curnier, "A mixed
// formulation for frictional contact problems prone to Newton like solution methods", Computer
// Methods in Applied Mechanics and Engineering 92 (1991).

#include "solvers/direct/friction_newton.h"

#include <algorithm>
#include <cmath>

#include "solvers/residual.h"

namespace drystone {

void FrictionNewton::reserve(const ProblemSize& size) {
  bestLambda_.reserve(size.rows);
  bestW_.reserve(size.rows);
}

NewtonOutcome FrictionNewton::run(RowSystem& rows, FreeSystem& system, ContactStates& states,
                                  std::span<Real> lambda, std::span<Real> w, Real tolerance,
                                  int maxIterations, ResidualHistory& history,
                                  int historyOffset) {
  NewtonOutcome outcome;
  outcome.naturalMap = naturalMapSize(rows.problem(), rows.steps(), lambda, w).largest;
  bestLambda_.assign(lambda.begin(), lambda.end());
  bestW_.assign(w.begin(), w.end());
  while (outcome.iterations < maxIterations) {
    ++outcome.iterations;
    states.fillBasis(rows, system.basis());
    if (!system.factor()) break;
    states.place(rows, lambda);
    rows.velocity(lambda, w);
    system.correct(lambda, w, 0.01 * tolerance, 3);
    const Real naturalMap = naturalMapSize(rows.problem(), rows.steps(), lambda, w).largest;
    history.add(historyOffset + outcome.iterations, naturalMap);
    if (!std::isfinite(naturalMap)) break;
    if (naturalMap < outcome.naturalMap) {
      outcome.naturalMap = naturalMap;
      bestLambda_.assign(lambda.begin(), lambda.end());
      bestW_.assign(w.begin(), w.end());
    }
    outcome.converged = naturalMap <= tolerance;
    if (outcome.converged) return outcome;
    outcome.changes += states.classify(rows, lambda, w);
  }
  std::copy(bestLambda_.begin(), bestLambda_.end(), lambda.begin());
  std::copy(bestW_.begin(), bestW_.end(), w.begin());
  return outcome;
}

}  // namespace drystone
