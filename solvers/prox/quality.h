#pragma once

#include <span>

#include "solvers/problem/contact_problem.h"

namespace drystone {

/// Quality γ of impulses (Poulsen 2010, Eq. 3.32): ½ ‖prox(λ − r (A λ + b)) − λ‖² [N² s²], with one
/// r [kg] for all rows, so that answers compare whatever R factors made them. Smaller is better.
/// Poulsen 2010 takes an r well above the R factors of the solvers, 100 for its scenes.
Real qualityFigure(const ContactProblem& problem, std::span<const Real> lambda, Real r = 100);

}  // namespace drystone
