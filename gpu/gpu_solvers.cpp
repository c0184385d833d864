#include "gpu/gpu_solvers.h"

#include "gpu/counts_device_work.h"
#include "gpu/device_apgd_solver.h"
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
      []() -> std::unique_ptr<ContactSolver> { return std::make_unique<DeviceApgdSolver>(); });
  registry.add(
      []() -> std::unique_ptr<ContactSolver> { return std::make_unique<DeviceStaggeredSolver>(); });
}

const DeviceWork* deviceWorkOf(const ContactSolver& solver) {
  const auto* device = dynamic_cast<const CountsDeviceWork*>(&solver);
  return device == nullptr ? nullptr : &device->work();
}

}  // namespace drystone::gpu
