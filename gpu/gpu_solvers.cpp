#include "gpu/gpu_solvers.h"

#include "gpu/device_dense_solver.h"
#include "gpu/device_prox_solver.h"
#include "gpu/device_staggered_solver.h"

namespace drystone::gpu {

void addGpuSolvers(SolverRegistry& registry) {
  registry.add(
      []() -> std::unique_ptr<ContactSolver> { return std::make_unique<DeviceSorSolver>(); });
  registry.add(
      []() -> std::unique_ptr<ContactSolver> { return std::make_unique<DeviceJorSolver>(); });
  registry.add(
      []() -> std::unique_ptr<ContactSolver> { return std::make_unique<DeviceJorDenseSolver>(); });
  registry.add(
      []() -> std::unique_ptr<ContactSolver> { return std::make_unique<DeviceSorDenseSolver>(); });
  registry.add([]() -> std::unique_ptr<ContactSolver> {
    return std::make_unique<DeviceSorRelaxedSolver>();
  });
  registry.add(
      []() -> std::unique_ptr<ContactSolver> { return std::make_unique<DeviceStaggeredSolver>(); });
}

}  // namespace drystone::gpu
