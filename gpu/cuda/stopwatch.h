#pragma once

#include <cuda_runtime.h>

#include "gpu/cuda/owned.h"

namespace drystone::gpu {

/// Time that a stream takes, by the device's own clock, which ticks every half a microsecond.
class Stopwatch {
 public:
  void start(cudaStream_t stream) { checkCuda(cudaEventRecord(start_.get(), stream), "timing"); }
  /// Since `start`, until the stream has done all that it was given; waits for it.
  float milliseconds(cudaStream_t stream) {
    checkCuda(cudaEventRecord(end_.get(), stream), "timing");
    checkCuda(cudaEventSynchronize(end_.get()), "timing");
    float time = 0;
    checkCuda(cudaEventElapsedTime(&time, start_.get(), end_.get()), "timing");
    return time;
  }

 private:
  using Event = Owned<cudaEvent_t, cudaEventDestroy>;
  static Event makeEvent() {
    cudaEvent_t event = nullptr;
    checkCuda(cudaEventCreate(&event), "making an event");
    return Event(event);
  }

  Event start_ = makeEvent(), end_ = makeEvent();
};

}  // namespace drystone::gpu
