#pragma once

#include "solvers/driver/registry.h"

namespace drystone::gpu {

/// Adds the solvers for CUDA devices; where none can be used they are listed as unavailable, with
/// the reason.
void addGpuSolvers(SolverRegistry& registry);

}  // namespace drystone::gpu
