#pragma once

#include <cuda_runtime.h>

#include <memory>
#include <type_traits>

namespace drystone::gpu {

/// Throws DeviceError with what was tried unless `status` is success.
void checkCuda(cudaError_t status, const char* what);

/// What fails at it, as all does once a kernel has failed, is not kept: checkCuda says why.
template <auto kDestroy>
struct DestroyBy {
  template <class Object>
  void operator()(Object* object) const {
    if (kDestroy(object) != cudaSuccess) cudaGetLastError();
  }
};

/// What CUDA hands out as a pointer (a stream, a graph, memory), destroyed by `kDestroy` with its
/// owner.
template <class Handle, auto kDestroy>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, DestroyBy<kDestroy>>;

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
