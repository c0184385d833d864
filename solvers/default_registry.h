#pragma once

#include "solvers/driver/registry.h"

namespace drystone {

/// Every solver of this build but those for devices (gpu/gpu_solvers.h).
SolverRegistry makeDefaultRegistry();

}  // namespace drystone
