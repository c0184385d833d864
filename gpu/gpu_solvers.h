#pragma once

#include "gpu/device_work.h"
#include "solvers/driver/registry.h"

namespace drystone::gpu {

/// Adds the solvers for CUDA devices; where none can be used they are listed as unavailable, with
/// the reason.
void addGpuSolvers(SolverRegistry& registry);

/// What the last solve took, of `gpu-sor`, `gpu-jor` and `gpu-apgd`; null: of another solver.
const DeviceWork* deviceWorkOf(const ContactSolver& solver);

}  // namespace drystone::gpu
