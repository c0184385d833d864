#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <memory>

#include "gpu/cuda/blas.h"
#include "gpu/cuda/handles.h"
#include "gpu/kernels/place.h"

// How a kernel is launched, and where its block's memory is. Tests define their own, with which a
// C++ compiler takes this file (tests/support/cuda_fake).
#ifndef DRYSTONE_LAUNCH
#define DRYSTONE_LAUNCH(kernel, blocks, threads, shared, stream, ...) \
  kernel<<<blocks, threads, shared, stream>>>(__VA_ARGS__)
#define DRYSTONE_SHARED_BYTES(name) extern __shared__ __align__(64) unsigned char name[]
#endif

namespace drystone::gpu {

template <class Function>
__global__ void runForEach(int count, const Function function) {
  const int index = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (index < count) function(index);
}

template <class Kernel>
__global__ void runPhases(const Kernel kernel) {
  DRYSTONE_SHARED_BYTES(sharedBytes);
  auto* shared = reinterpret_cast<typename Kernel::Shared*>(sharedBytes);
  const Place place{static_cast<int>(blockIdx.x), static_cast<int>(threadIdx.x),
                    static_cast<int>(gridDim.x), static_cast<int>(blockDim.x)};
  typename Kernel::State state{};
  const int phases = kernel.phaseCount();
  for (int phase = 0; phase < phases; ++phase) {
    if (phase > 0) __syncthreads();
    kernel.phase(phase, place, shared, state);
  }
}

/// Runs kernels on the first CUDA device, one after another on a stream of its own. The interface
/// is that of HostExecutor. Every call is checked.
class CudaExecutor {
 public:
  CudaExecutor();
  CudaExecutor(const CudaExecutor&) = delete;
  CudaExecutor& operator=(const CudaExecutor&) = delete;

  /// Page-locked memory of the host that only grows.
  class HostMemory {
   public:
    void resize(CudaExecutor& executor, std::size_t bytes);
    std::byte* data() { return data_.get(); }

   private:
    Owned<std::byte*, cudaFreeHost> data_;
    std::size_t capacity_ = 0;
  };

  /// Memory of the device, from the pool of the executor, that only grows.
  class DeviceMemory {
   public:
    void resize(CudaExecutor& executor, std::size_t bytes);
    std::byte* data() { return data_.get(); }

   private:
    /// Waits for the stream, so that the pool and the stream may go next.
    struct Free {
      cudaStream_t stream;
      void operator()(std::byte* data) const;
    };
    using Bytes = std::unique_ptr<std::byte, Free>;
    Bytes data_;
    std::size_t capacity_ = 0;
  };

  /// Launches that are replayed in one call.
  class Recording {
   private:
    friend class CudaExecutor;
    Owned<cudaGraphExec_t, cudaGraphExecDestroy> graph_;
  };

  void forbid(std::byte*, std::size_t) {}
  /// `from` may be written again on return.
  void upload(std::byte* to, const std::byte* from, std::size_t bytes);
  /// Waits for all launches before it.
  void download(std::byte* to, const std::byte* from, std::size_t bytes);
  void wait();

  template <class Function>
  void forEach(int count, const Function& function, int threads = 128) {
    if (count == 0) return;
    DRYSTONE_LAUNCH(runForEach, (count + threads - 1) / threads, threads, 0, stream_.get(), count,
                    function);
    checkCuda(cudaGetLastError(), "launching a kernel");
  }

  template <class Kernel>
  void launch(int blocks, int threads, const Kernel& kernel) {
    if (blocks == 0) return;
    const std::size_t shared = kernel.sharedCount() * sizeof(typename Kernel::Shared);
    DRYSTONE_LAUNCH(runPhases, blocks, threads, shared, stream_.get(), kernel);
    checkCuda(cudaGetLastError(), "launching a kernel");
  }

  void prepareGemv();
  template <class Scalar>
  void gemv(int rows, const Scalar* matrix, std::size_t stride, const Scalar* x, Scalar* y) {
    blas_->gemv(rows, matrix, stride, x, y);
  }

  /// The launches of `work` are recorded and not run. A recording of the same shape as the one
  /// before it is changed in place.
  template <class Work>
  void record(Recording& recording, Work&& work) {
    checkCuda(cudaStreamBeginCapture(stream_.get(), cudaStreamCaptureModeThreadLocal), "recording");
    try {
      work();
    } catch (...) {
      cudaGraph_t graph = nullptr;
      cudaStreamEndCapture(stream_.get(), &graph);
      if (graph != nullptr) cudaGraphDestroy(graph);
      cudaGetLastError();  // as in checkCuda
      throw;
    }
    endRecording(recording);
  }
  void replay(const Recording& recording);

  /// What the launches of `work` take, by the clock of the device [ms]; waits for them.
  template <class Work>
  double time(Work&& work) {
    Stopwatch watch;
    watch.start(stream());
    work();
    return watch.milliseconds(stream());
  }

  cudaStream_t stream() const { return stream_.get(); }

 private:
  using Stream = Owned<cudaStream_t, cudaStreamDestroy>;
  using Pool = Owned<cudaMemPool_t, cudaMemPoolDestroy>;
  static Stream makeStream();
  static Pool makePool();
  void endRecording(Recording& recording);

  Stream stream_;
  Pool pool_;
  DeviceMemory blasWorkspace_;
  std::unique_ptr<Blas> blas_;  ///< made when it is first asked for
};

}  // namespace drystone::gpu
