#pragma once

#include <vector>

#include "solvers/problem/contact_problem.h"

namespace drystone {

/// Work space of `globalStep`.
struct SpectrumWorkspace {
  std::vector<Real> x, y;
  std::vector<Vec6> bodyVelocity;
};

/// 2/(λ_min + λ_max) of A (Poulsen 2010, Eq. 3.24) [kg], from power iterations on A and on λ_max 1
/// − A. A power iteration comes from inside the spectrum, so λ_max is raised by 2 % and λ_min is an
/// upper estimate: R stays below 2/λ_max whatever they miss.
Real globalStep(const ContactProblem& problem, SpectrumWorkspace& workspace);

}  // namespace drystone
