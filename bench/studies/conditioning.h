#pragma once

#include "engine/world/world.h"
#include "solvers/problem/contact_problem.h"

namespace drystone::bench {

/// Largest mass of a dynamic body over the least.
Real massRatio(const World& world);

struct Condition {
  Real value = 0;        ///< largest eigenvalue of A over the smallest one above round-off
  int singularRows = 0;  ///< eigenvalues at round-off; of a bound: not known, 0
  bool isBound = false;  ///< from below, by the Lanczos method
};

/// By all eigenvalues up to `denseRows` rows, beyond by Lanczos steps, which find the largest
/// eigenvalue and come down to the smallest one.
Condition conditionOf(const ContactProblem& problem, int denseRows = 1500);

}  // namespace drystone::bench
