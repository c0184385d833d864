#include <algorithm>

#include "gpu/cuda/cuda_executor.h"
#include "gpu/devices.h"

namespace drystone::gpu {
double copyBandwidth(std::size_t bytes, int repeats) {
  CudaExecutor executor;
  CudaExecutor::DeviceMemory from, to;
  from.resize(executor, bytes);
  to.resize(executor, bytes);
  double best = 0;
  for (int i = 0; i <= repeats; ++i) {
    const double time = executor.time([&] {
      checkCuda(cudaMemcpyAsync(to.data(), from.data(), bytes, cudaMemcpyDeviceToDevice,
                                executor.stream()),
                "copying");
    });
    const double rate = 2e-6 * static_cast<double>(bytes) / time;
    if (i > 0) best = std::max(best, rate);
  }
  return best;
}

}  // namespace drystone::gpu
