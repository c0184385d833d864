#pragma once

#include <memory>

#include "solvers/driver/contact_solver.h"

namespace drystone {

/// Traits of a solver that ends at round-off, with friction by the loop over bounds (M.10).
SolverTraits directTraits(std::string_view name, std::string_view summary, std::string_view source);

std::unique_ptr<ContactSolver> makeBppSparseSolver();
std::unique_ptr<ContactSolver> makeBppAutoSolver();

}  // namespace drystone
