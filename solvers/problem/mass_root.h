#pragma once

#include "solvers/problem/contact_problem.h"

namespace drystone {

/// L of one body with M⁻¹ = L Lᵀ. Rows of J L look at every body as if it had unit mass, which
/// keeps mass ratios out of what is made of them.
struct MassRoot {
  Real linear = 0;              ///< 1/√m [kg^-1/2]
  Mat3 angular = Mat3::Zero();  ///< lower triangular, world axes [kg^-1/2 m^-1]
};

/// The Cholesky root. The inverse inertia may be semidefinite: a locked axis gives a zero column.
MassRoot massRoot(const InverseInertia& body);

}  // namespace drystone
