#include "gpu/device_staggered_solver.h"

#include "gpu/device_band.h"
#include "gpu/devices.h"

namespace drystone::gpu {
namespace {

SolverTraits deviceTraits(SolverTraits traits, Target target) {
  traits.cpuTwin = traits.name;
  traits.name = "gpu-staggered";
  traits.summary = "staggered with band matrices on a CUDA device";
  traits.source = "Litven 2013, section 5.3 and chapter 6";
  traits.whenToTake = "";  // gpu-sor is the door to devices
  if (target == Target::kCuda) traits.whyUnavailable = &whyUnavailable;
  return traits;
}

}  // namespace

DeviceStaggeredSolver::DeviceStaggeredSolver(Target target)
    : StaggeredSolver(deviceTraits(staggeredTraits(), target), std::make_unique<DeviceBand>(target),
                      std::make_unique<DeviceBand>(target)) {
  settings.factor = StaggeredFactor::kBanded;
}

}  // namespace drystone::gpu
