#include <algorithm>

#include "gpu/cuda/cuda_executor.h"
#include "gpu/devices.h"

namespace drystone::gpu {
namespace {

/// Start and end of what a stream does.
class Stopwatch {
 public:
  Stopwatch() {
    checkCuda(cudaEventCreate(&start_), "making an event");
    checkCuda(cudaEventCreate(&end_), "making an event");
  }
  ~Stopwatch() {
    cudaEventDestroy(start_);
    cudaEventDestroy(end_);
  }
  void start(cudaStream_t stream) { checkCuda(cudaEventRecord(start_, stream), "timing"); }
  float milliseconds(cudaStream_t stream) {
    checkCuda(cudaEventRecord(end_, stream), "timing");
    checkCuda(cudaEventSynchronize(end_), "timing");
    float time = 0;
    checkCuda(cudaEventElapsedTime(&time, start_, end_), "timing");
    return time;
  }

 private:
  cudaEvent_t start_ = nullptr, end_ = nullptr;
};

}  // namespace

double copyBandwidth(std::size_t bytes, int repeats) {
  CudaExecutor executor;
  CudaExecutor::DeviceMemory from, to;
  from.resize(executor, bytes);
  to.resize(executor, bytes);
  Stopwatch watch;
  double best = 0;
  for (int i = 0; i <= repeats; ++i) {
    watch.start(executor.stream());
    checkCuda(
        cudaMemcpyAsync(to.data(), from.data(), bytes, cudaMemcpyDeviceToDevice, executor.stream()),
        "copying");
    const double rate = 2e-6 * static_cast<double>(bytes) / watch.milliseconds(executor.stream());
    if (i > 0) best = std::max(best, rate);
  }
  return best;
}

}  // namespace drystone::gpu
