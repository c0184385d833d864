#include "apps/support/solver_registry.h"

#include "gpu/gpu_solvers.h"
#include "solvers/default_registry.h"

namespace drystone::cli {

SolverRegistry makeRegistry() {
  SolverRegistry registry = makeDefaultRegistry();
  gpu::addGpuSolvers(registry);
  return registry;
}

}  // namespace drystone::cli
