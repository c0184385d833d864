#pragma once

#include <span>
#include <vector>

#include "solvers/pivoting/friction_newton.h"

namespace drystone {

struct ProximalLimits {
  Real tolerance = 0;  ///< natural map (M.11) that ends a run [m/s]
  int steps = 0;       ///< Newton steps of a run; a point that they do not reach is begun anew
  Allowance allowance = {};
};

/// Proximal points of a problem with all laws at once: the next point solves it with
///   w = A λ + b + δ W (λ − point),  W = 1/ρ of each contact,
/// by semismooth Newton steps. Where a wall of bricks moves, contacts are
/// redundant, and how they share a load decides which of them slip: the problem itself sends Newton
/// steps astray from any start, while with a proximal term they end in a few. δ falls where they
/// do, and grows where they do not. A point that stands solves the problem whatever δ is. Goes on
/// between runs; keeps its storage.
class ProximalNewton {
 public:
  void reserve(const ProblemSize& size);
  /// Forgets the point: a new problem.
  void start() { bestError_ = kInfinity; }
  /// On from the last point, or from λ where that is much better than all that was seen. Leaves the
  /// best λ, with its w and sets, and adds to `outcome`.
  void run(const FrictionNewton::Problem& problem, const ProximalLimits& limits,
           ResidualHistory& history, NewtonOutcome& outcome);

 private:
  /// The next point, into the problem's λ, in at most `steps` Newton steps. False: they wander.
  bool solve(const FrictionNewton::Problem& problem, int steps, const Allowance& allowance,
             NewtonOutcome& outcome);
  /// One step on the proximal problem from λ.
  bool step(const FrictionNewton::Problem& problem);
  /// w of the proximal problem at λ.
  void evaluate(const FrictionNewton::Problem& problem);

  std::vector<Real> point_, best_, proximalW_;
  Real pointError_ = 0, bestError_ = kInfinity, delta_ = 0;
  int lastSteps_ = 0;  // of the last point
};

}  // namespace drystone
