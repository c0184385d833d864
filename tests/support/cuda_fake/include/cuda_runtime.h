#pragma once

// Stands for the header of this name where gpu/cuda is compiled as C++: as much of the CUDA runtime
// as is used there, by a device that is a part of the program (docs/gpu.md). What means something
// else than on a device is said here; the rest is as CUDA 12 documents it.

#include <cstddef>
#include <functional>
#include <type_traits>
#include <typeinfo>

// The library of cuBLAS is looked for by this number: there is none of version 0.
#define CUDART_VERSION 0

#define __global__
#define __host__
#define __device__

enum cudaError_t {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInvalidConfiguration = 9,
  cudaErrorDevicesUnavailable = 46,
  cudaErrorInvalidResourceHandle = 400,
  cudaErrorNotReady = 600,
  cudaErrorLaunchFailure = 719,
  cudaErrorStreamCaptureUnsupported = 900,
  cudaErrorStreamCaptureInvalidated = 901,
  cudaErrorGraphExecUpdateFailure = 910,
};
const char* cudaGetErrorString(cudaError_t error);
cudaError_t cudaGetLastError();

// Devices.
struct cudaDeviceProp {
  char name[256];
  int major, minor;
  int multiProcessorCount;
  std::size_t totalGlobalMem;
};
struct cudaFuncAttributes {};
cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device);
cudaError_t cudaDriverGetVersion(int* version);
cudaError_t cudaSetDevice(int device);
template <class Kernel>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes*, Kernel*) {
  return cudaSuccess;
}

// Streams and events.
using cudaStream_t = struct CudaFakeStream*;
using cudaEvent_t = struct CudaFakeEvent*;
enum { cudaStreamNonBlocking = 1 };
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags);
/// Does what the stream still has to do.
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaEventCreate(cudaEvent_t* event);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end);

// Memory.
enum cudaMemcpyKind {
  cudaMemcpyHostToDevice = 1,
  cudaMemcpyDeviceToHost = 2,
  cudaMemcpyDeviceToDevice = 3
};
enum cudaMemAllocationType { cudaMemAllocationTypePinned = 1 };
enum cudaMemLocationType { cudaMemLocationTypeDevice = 1 };
enum cudaMemPoolAttr { cudaMemPoolAttrReleaseThreshold = 4 };
struct cudaMemLocation {
  cudaMemLocationType type;
  int id;
};
struct cudaMemPoolProps {
  cudaMemAllocationType allocType;
  cudaMemLocation location;
};
using cudaMemPool_t = struct CudaFakePool*;
cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value);
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool);
cudaError_t cudaMallocFromPoolAsync(void** data, std::size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream);
cudaError_t cudaFreeAsync(void* data, cudaStream_t stream);
cudaError_t cudaMallocHost(void** data, std::size_t bytes);
cudaError_t cudaFreeHost(void* data);
/// Reads and writes when the stream comes to it, pageable memory of the host too.
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream);

// Graphs.
using cudaGraph_t = struct CudaFakeGraph*;
using cudaGraphExec_t = struct CudaFakeGraphExec*;
enum cudaStreamCaptureMode { cudaStreamCaptureModeThreadLocal = 1 };
struct cudaGraphExecUpdateResultInfo {};
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph,
                                 unsigned long long flags);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* info);
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec);

// Kernels. Grids and blocks have one dimension.
struct uint3 {
  unsigned x = 0;
};
struct dim3 {
  unsigned x = 1;
};
extern uint3 threadIdx, blockIdx;  ///< of the thread that runs
extern dim3 blockDim, gridDim;

namespace drystone::cuda_fake {

/// Of all arguments of a kernel.
constexpr std::size_t kMostParameterBytes = 4096;

void launchKernel(int blocks, int threads, std::size_t sharedBytes, cudaStream_t stream,
                  const std::type_info& kernel, std::function<void()> body);
void waitForBlock(int line);
unsigned char* sharedMemory();

template <class Kernel, class... Arguments>
void launch(int blocks, int threads, std::size_t sharedBytes, cudaStream_t stream, Kernel kernel,
            Arguments... arguments) {
  static_assert((0 + ... + sizeof(Arguments)) <= kMostParameterBytes);
  static_assert((std::is_trivially_copyable_v<Arguments> && ...), "devices get their bytes");
  launchKernel(blocks, threads, sharedBytes, stream, typeid(Kernel), [=] { kernel(arguments...); });
}

}  // namespace drystone::cuda_fake

/// `line`: of the call.
inline void __syncthreads(int line = __builtin_LINE()) { drystone::cuda_fake::waitForBlock(line); }

#define DRYSTONE_LAUNCH(kernel, blocks, threads, shared, stream, ...)                   \
  drystone::cuda_fake::launch(                                                          \
      blocks, threads, shared, stream, [](auto... arguments) { kernel(arguments...); }, \
      __VA_ARGS__)
#define DRYSTONE_SHARED_BYTES(name) unsigned char* const name = drystone::cuda_fake::sharedMemory()
