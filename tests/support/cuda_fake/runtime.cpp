// The calls of the CUDA runtime, by the one device of device.h.
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "tests/support/cuda_fake/device.h"

using drystone::cuda_fake::Call;
using drystone::cuda_fake::Device;
using drystone::cuda_fake::Launch;
using drystone::cuda_fake::Operation;
using drystone::cuda_fake::Operations;

struct CudaFakeEvent {
  cudaStream_t stream = nullptr;  ///< where it was last recorded
  std::shared_ptr<double> milliseconds = std::make_shared<double>(0);
};
struct CudaFakePool {};
struct CudaFakeGraph {
  Operations operations;
};
struct CudaFakeGraphExec {
  Operations operations;
};

namespace {

constexpr int kMostThreads = 1024;
constexpr std::size_t kMostSharedBytes = std::size_t{48} << 10;

thread_local cudaError_t lastError = cudaSuccess;

cudaError_t ended(cudaError_t error) {
  if (error != cudaSuccess) lastError = error;
  return error;
}

/// Does `work`, which returns an error, on a device that is there.
template <class Work>
cudaError_t called(Work&& work) {
  Device& device = Device::get();
  const std::scoped_lock lock(device.mutex);
  return ended(device.broken() != cudaSuccess ? device.broken() : work(device));
}

template <class Handle>
cudaError_t create(Handle** handle) {
  return called([&](Device& device) {
    device.add(*handle = new Handle);
    return cudaSuccess;
  });
}

/// On a lost device too, as far as the program can tell: it returns the error and lets go.
template <class Handle>
cudaError_t destroy(Handle* handle) {
  Device& device = Device::get();
  const std::scoped_lock lock(device.mutex);
  if (!device.remove(handle)) return ended(cudaErrorInvalidResourceHandle);
  delete handle;
  return ended(device.broken());
}

/// What waits or allocates may not come while this thread records; its recordings are then void.
cudaError_t refusedByCapture(CudaFakeStream* stream) {
  if (Device::captures() == 0) return cudaSuccess;
  if (stream != nullptr && stream->isCapturing) stream->isCaptureBroken = true;
  return cudaErrorStreamCaptureUnsupported;
}

double now() {
  const auto since = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::milli>(since).count();
}

}  // namespace

const char* cudaGetErrorString(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return "no error";
    case cudaErrorInvalidValue:
      return "invalid argument";
    case cudaErrorMemoryAllocation:
      return "out of memory";
    case cudaErrorInvalidConfiguration:
      return "invalid configuration argument";
    case cudaErrorDevicesUnavailable:
      return "the device is gone";
    case cudaErrorInvalidResourceHandle:
      return "invalid resource handle";
    case cudaErrorNotReady:
      return "not ready";
    case cudaErrorLaunchFailure:
      return "a kernel failed";
    case cudaErrorStreamCaptureUnsupported:
      return "not permitted while a stream is captured";
    case cudaErrorStreamCaptureInvalidated:
      return "the capture was broken by an error before";
    case cudaErrorGraphExecUpdateFailure:
      return "the graph has another shape";
  }
  return "unknown error";
}

cudaError_t cudaGetLastError() { return std::exchange(lastError, cudaSuccess); }

cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  if (device != 0) return ended(cudaErrorInvalidValue);
  *properties = {"stand-in on the processor", 9, 0, 1, std::size_t{1} << 30};
  return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int* version) {
  *version = 12000;
  return cudaSuccess;
}

cudaError_t cudaSetDevice(int index) {
  return called([&](Device&) { return index == 0 ? cudaSuccess : cudaErrorInvalidValue; });
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  const cudaError_t error = create(stream);
  if (error == cudaSuccess) {
    called([&](Device& device) { return device.addStream(*stream), cudaSuccess; });
  }
  return error;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  called([&](Device& device) {
    if (!device.has(stream)) return cudaErrorInvalidResourceHandle;
    return device.finish(*stream);
  });
  {
    const std::scoped_lock lock(Device::get().mutex);
    Device::get().removeStream(stream);
  }
  return destroy(stream);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return called([&](Device& device) {
    if (!device.has(stream)) return cudaErrorInvalidResourceHandle;
    if (const cudaError_t error = refusedByCapture(stream); error != cudaSuccess) return error;
    if (const cudaError_t error = device.count(Call::kSync); error != cudaSuccess) return error;
    return device.finish(*stream);
  });
}

cudaError_t cudaEventCreate(cudaEvent_t* event) { return create(event); }
cudaError_t cudaEventDestroy(cudaEvent_t event) { return destroy(event); }

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return called([&](Device& device) {
    if (!device.has(event) || !device.has(stream)) return cudaErrorInvalidResourceHandle;
    event->stream = stream;
    *event->milliseconds = 0;
    device.enqueue(*stream, {{}, [time = event->milliseconds] { *time = now(); }});
    return cudaSuccess;
  });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return called([&](Device& device) {
    if (!device.has(event) || !device.has(event->stream)) return cudaErrorInvalidResourceHandle;
    if (const cudaError_t error = refusedByCapture(event->stream); error != cudaSuccess)
      return error;
    if (const cudaError_t error = device.count(Call::kSync); error != cudaSuccess) return error;
    return device.finish(*event->stream);
  });
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return called([&](Device& device) {
    if (!device.has(start) || !device.has(end)) return cudaErrorInvalidResourceHandle;
    if (*start->milliseconds == 0 || *end->milliseconds == 0) return cudaErrorNotReady;
    constexpr double kTick = 0.0005;  // half a microsecond, as devices have
    *milliseconds = static_cast<float>(std::max(kTick, *end->milliseconds - *start->milliseconds));
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps*) { return create(pool); }
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) { return destroy(pool); }

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr, void*) {
  return called([&](Device& device) {
    return device.has(pool) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t cudaMallocFromPoolAsync(void** data, std::size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream) {
  return called([&](Device& device) {
    if (!device.has(pool) || !device.has(stream)) return cudaErrorInvalidResourceHandle;
    if (const cudaError_t error = refusedByCapture(stream); error != cudaSuccess) return error;
    if (const cudaError_t error = device.count(Call::kMalloc); error != cudaSuccess) return error;
    *data = device.heap().allocate(bytes);
    return *data == nullptr ? cudaErrorMemoryAllocation : cudaSuccess;
  });
}

cudaError_t cudaFreeAsync(void* data, cudaStream_t stream) {
  Device& device = Device::get();
  const std::scoped_lock lock(device.mutex);
  const auto free = [data, &device] {
    bool isIntact = true;
    if (!device.heap().free(data, isIntact)) device.fail("memory was freed that is not allocated");
    if (!isIntact) device.fail("a kernel or copy wrote beyond an allocation");
  };
  if (device.broken() != cudaSuccess) {
    free();
    return ended(device.broken());
  }
  if (!device.has(stream)) return ended(cudaErrorInvalidResourceHandle);
  device.enqueue(*stream, {{}, free});
  return cudaSuccess;
}

cudaError_t cudaMallocHost(void** data, std::size_t bytes) {
  return called([&](Device& device) {
    if (const cudaError_t error = refusedByCapture(nullptr); error != cudaSuccess) return error;
    if (const cudaError_t error = device.count(Call::kMalloc); error != cudaSuccess) return error;
    constexpr std::size_t kPage = 4096;
    *data = std::aligned_alloc(kPage, (bytes + kPage - 1) / kPage * kPage);
    if (*data == nullptr) return cudaErrorMemoryAllocation;
    std::memset(*data, 0xff, bytes);
    device.add(*data);
    return cudaSuccess;
  });
}

cudaError_t cudaFreeHost(void* data) {
  Device& device = Device::get();
  const std::scoped_lock lock(device.mutex);
  if (!device.remove(data)) return ended(cudaErrorInvalidValue);
  std::free(data);
  return ended(device.broken());
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return called([&](Device& device) {
    if (!device.has(stream)) return cudaErrorInvalidResourceHandle;
    if (const cudaError_t error = device.count(Call::kCopy); error != cudaSuccess) return error;
    const auto fits = [&device, bytes](const void* data, bool isOfDevice) {
      return isOfDevice ? device.heap().has(data, bytes) : !device.heap().contains(data);
    };
    const auto areThere = [=] {
      return fits(to, kind != cudaMemcpyDeviceToHost) && fits(from, kind != cudaMemcpyHostToDevice);
    };
    if (!areThere()) return cudaErrorInvalidValue;
    device.enqueue(*stream, {{}, [=, &device] {
                               if (!areThere())
                                 return device.fail("a copy of memory that was freed");
                               std::memcpy(to, from, bytes);
                             }});
    return cudaSuccess;
  });
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  return called([&](Device& device) {
    if (!device.has(stream)) return cudaErrorInvalidResourceHandle;
    if (stream->isCapturing) return cudaErrorInvalidValue;
    stream->isCapturing = true;
    stream->isCaptureBroken = false;
    stream->captured.clear();
    ++Device::captures();
    return cudaSuccess;
  });
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  *graph = nullptr;
  Device& device = Device::get();
  const std::scoped_lock lock(device.mutex);
  if (!device.has(stream) || !stream->isCapturing) return ended(cudaErrorInvalidValue);
  stream->isCapturing = false;
  --Device::captures();
  if (device.broken() != cudaSuccess) return ended(device.broken());
  if (stream->isCaptureBroken) return ended(cudaErrorStreamCaptureInvalidated);
  device.add(*graph = new CudaFakeGraph{std::move(stream->captured)});
  return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long) {
  const cudaError_t error = create(exec);
  if (error == cudaSuccess) (*exec)->operations = graph->operations;
  return error;
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo*) {
  return called([&](Device& device) {
    if (!device.has(exec) || !device.has(graph)) return cudaErrorInvalidResourceHandle;
    const auto isAlike = [](const Operation& a, const Operation& b) {
      if (!a.launch || !b.launch) return !a.launch && !b.launch;
      return *a.launch->kernel == *b.launch->kernel;
    };
    if (!std::equal(exec->operations.begin(), exec->operations.end(), graph->operations.begin(),
                    graph->operations.end(), isAlike)) {
      return cudaErrorGraphExecUpdateFailure;
    }
    exec->operations = graph->operations;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  return called([&](Device& device) {
    if (!device.has(exec) || !device.has(stream)) return cudaErrorInvalidResourceHandle;
    if (const cudaError_t error = device.count(Call::kLaunch); error != cudaSuccess) return error;
    for (const Operation& operation : exec->operations) device.enqueue(*stream, operation);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) { return destroy(graph); }
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) { return destroy(exec); }

void drystone::cuda_fake::launchKernel(int blocks, int threads, std::size_t sharedBytes,
                                       cudaStream_t stream, const std::type_info& kernel,
                                       std::function<void()> body) {
  called([&](Device& device) {
    if (!device.has(stream)) return cudaErrorInvalidResourceHandle;
    if (blocks < 1 || threads < 1 || threads > kMostThreads) return cudaErrorInvalidConfiguration;
    if (sharedBytes > kMostSharedBytes) return cudaErrorInvalidValue;
    if (const cudaError_t error = device.count(Call::kLaunch); error != cudaSuccess) return error;
    device.enqueue(*stream, {Launch{std::move(body), &kernel, blocks, threads, sharedBytes}, {}});
    return cudaSuccess;
  });
}
