#pragma once

#include <memory>

#include "solvers/driver/contact_solver.h"

namespace drystone {

// Methods of the literature that are kept to measure against, one a function: which index-set
// method, which rule, which factor of the free system.

std::unique_ptr<ContactSolver> makeMurtySolver();
std::unique_ptr<ContactSolver> makeKellerSolver();
std::unique_ptr<ContactSolver> makeLemkeSolver();
std::unique_ptr<ContactSolver> makeBppSolver();
std::unique_ptr<ContactSolver> makeBppDowndateSolver();
std::unique_ptr<ContactSolver> makeBppSkylineSolver();
std::unique_ptr<ContactSolver> makeBppCachedSolver();

}  // namespace drystone
