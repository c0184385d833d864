#include "gpu/cuda/cuda_executor.h"

#include <cstdint>
#include <string>

#include "gpu/devices.h"
#include "gpu/layout/memory_layout.h"

namespace drystone::gpu {

void checkCuda(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // what is kept of it would be taken for that of the next launch
  throw DeviceError(std::string("the CUDA device failed at ") + what + ": " +
                    cudaGetErrorString(status));
}

namespace {

/// Frees what there was and asks `allocate` for memory in its place, unless there is enough.
template <class Data, class Allocate>
void growMemory(Data& data, std::size_t& capacity, std::size_t bytes, const char* what,
                Allocate&& allocate) {
  if (bytes <= capacity) return;
  const bool isFirst = data == nullptr;
  data.reset();
  capacity = 0;
  cudaError_t status = cudaSuccess;
  capacity = allocateGrowing(bytes, isFirst, [&](std::size_t wanted) {
    status = allocate(wanted);
    if (status != cudaSuccess) cudaGetLastError();  // as in checkCuda
    return status == cudaSuccess;
  });
  checkCuda(status, ("allocating " + std::to_string(bytes) + " bytes of " + what).c_str());
}

}  // namespace

CudaExecutor::Stream CudaExecutor::makeStream() {
  checkCuda(cudaSetDevice(0), "choosing it");
  cudaStream_t stream = nullptr;
  checkCuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "making a stream");
  return Stream(stream);
}

CudaExecutor::Pool CudaExecutor::makePool() {
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id = 0;
  cudaMemPool_t handle = nullptr;
  checkCuda(cudaMemPoolCreate(&handle, &properties), "making a memory pool");
  Pool pool(handle);
  // Freed memory stays with the pool: growth does not go back to the driver.
  std::uint64_t kept = UINT64_MAX;
  checkCuda(cudaMemPoolSetAttribute(handle, cudaMemPoolAttrReleaseThreshold, &kept),
            "setting up a memory pool");
  return pool;
}

CudaExecutor::CudaExecutor() : stream_(makeStream()), pool_(makePool()) {}

void CudaExecutor::HostMemory::resize(CudaExecutor&, std::size_t bytes) {
  growMemory(data_, capacity_, bytes, "host memory", [&](std::size_t wanted) {
    void* data = nullptr;
    const cudaError_t status = cudaMallocHost(&data, wanted);
    if (status == cudaSuccess) data_.reset(static_cast<std::byte*>(data));
    return status;
  });
}

void CudaExecutor::DeviceMemory::Free::operator()(std::byte* data) const {
  cudaFreeAsync(data, stream);
  cudaStreamSynchronize(stream);
  cudaGetLastError();  // as in checkCuda
}

void CudaExecutor::DeviceMemory::resize(CudaExecutor& executor, std::size_t bytes) {
  growMemory(data_, capacity_, bytes, "memory", [&](std::size_t wanted) {
    cudaStream_t stream = executor.stream_.get();
    void* data = nullptr;
    const cudaError_t status = cudaMallocFromPoolAsync(&data, wanted, executor.pool_.get(), stream);
    if (status == cudaSuccess) data_ = Bytes(static_cast<std::byte*>(data), Free{stream});
    return status;
  });
}

void CudaExecutor::upload(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (bytes == 0) return;
  checkCuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream()), "uploading");
  wait();
}

void CudaExecutor::download(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (bytes == 0) return;
  checkCuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream()), "downloading");
  wait();
}

void CudaExecutor::prepareGemv() {
  if (blas_ != nullptr) return;
  blasWorkspace_.resize(*this, Blas::kWorkspaceBytes);
  blas_ = std::make_unique<Blas>(stream(), blasWorkspace_.data());
}

void CudaExecutor::wait() { checkCuda(cudaStreamSynchronize(stream()), "running kernels"); }

void CudaExecutor::endRecording(Recording& recording) {
  cudaGraph_t handle = nullptr;
  checkCuda(cudaStreamEndCapture(stream(), &handle), "recording");
  const Owned<cudaGraph_t, cudaGraphDestroy> graph(handle);
  cudaGraphExecUpdateResultInfo info = {};
  if (recording.graph_ != nullptr &&
      cudaGraphExecUpdate(recording.graph_.get(), handle, &info) == cudaSuccess) {
    return;
  }
  cudaGetLastError();  // of the update
  recording.graph_.reset();
  cudaGraphExec_t instance = nullptr;
  checkCuda(cudaGraphInstantiate(&instance, handle, 0), "recording");
  recording.graph_.reset(instance);
}

void CudaExecutor::replay(const Recording& recording) {
  checkCuda(cudaGraphLaunch(recording.graph_.get(), stream()), "replaying launches");
}

}  // namespace drystone::gpu
