#include "gpu/band_runner.h"
#include "gpu/host_executor.h"

namespace drystone::gpu {

std::unique_ptr<BandBackend> makeHostBand(bool runsBackwards) {
  return std::make_unique<BandRunner<HostExecutor>>(runsBackwards);
}

}  // namespace drystone::gpu
