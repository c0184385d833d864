#pragma once

#include <cuda_runtime.h>

#include "gpu/cuda/check.h"

namespace drystone::gpu {

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
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;
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

}  // namespace drystone::gpu
