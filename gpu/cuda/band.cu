#include "gpu/band_runner.h"
#include "gpu/cuda/cuda_executor.h"

namespace drystone::gpu {

std::unique_ptr<BandBackend> makeCudaBand() { return std::make_unique<BandRunner<CudaExecutor>>(); }

}  // namespace drystone::gpu
