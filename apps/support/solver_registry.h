#pragma once

#include "solvers/driver/registry.h"

namespace drystone::cli {

/// Every solver of the program: those of the library and those for devices.
SolverRegistry makeRegistry();

}  // namespace drystone::cli
