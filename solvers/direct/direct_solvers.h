#pragma once

#include <memory>

#include "solvers/contact_solver.h"

namespace drystone {

// The pivoting solvers, one a function: which index-set method, which rule, which factor of the
// free system, and how friction follows λ_n.

std::unique_ptr<ContactSolver> makeMurtySolver();
std::unique_ptr<ContactSolver> makeKellerSolver();
std::unique_ptr<ContactSolver> makeLemkeSolver();
std::unique_ptr<ContactSolver> makeBppSolver();
std::unique_ptr<ContactSolver> makeBppDowndateSolver();
std::unique_ptr<ContactSolver> makeBppSkylineSolver();
std::unique_ptr<ContactSolver> makeBppCachedSolver();
std::unique_ptr<ContactSolver> makeBppSparseSolver();
std::unique_ptr<ContactSolver> makeBppAutoSolver();

}  // namespace drystone
