#include "gpu/cuda/cuda_executor.h"

#include <cstdint>
#include <string>

#include "gpu/device_error.h"

namespace drystone::gpu {

void checkCuda(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  throw DeviceError(std::string("the CUDA device failed at ") + what + ": " +
                    cudaGetErrorString(status));
}

CudaExecutor::CudaExecutor() {
  checkCuda(cudaSetDevice(0), "choosing it");
  checkCuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "making a stream");
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id = 0;
  checkCuda(cudaMemPoolCreate(&pool_, &properties), "making a memory pool");
  // Freed memory stays with the pool: growth does not go back to the driver.
  std::uint64_t kept = UINT64_MAX;
  checkCuda(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &kept),
            "setting up a memory pool");
}

CudaExecutor::~CudaExecutor() {
  blas_.reset();
  blasWorkspace_.release();
  if (stream_ != nullptr) {
    cudaStreamSynchronize(stream_);
    cudaStreamDestroy(stream_);
  }
  if (pool_ != nullptr) cudaMemPoolDestroy(pool_);
}

CudaExecutor::HostMemory::~HostMemory() {
  if (data_ != nullptr) cudaFreeHost(data_);
}

void CudaExecutor::HostMemory::resize(CudaExecutor&, std::size_t bytes) {
  if (bytes <= capacity_) return;
  if (data_ != nullptr) checkCuda(cudaFreeHost(data_), "freeing host memory");
  data_ = nullptr;
  capacity_ = 0;
  const std::size_t wanted = bytes + bytes / 4;
  checkCuda(cudaMallocHost(&data_, wanted), "allocating host memory");
  capacity_ = wanted;
}

CudaExecutor::DeviceMemory::~DeviceMemory() { release(); }

void CudaExecutor::DeviceMemory::release() {
  if (data_ == nullptr) return;
  cudaFreeAsync(data_, executor_->stream_);
  cudaStreamSynchronize(executor_->stream_);
  data_ = nullptr;
  capacity_ = 0;
}

void CudaExecutor::DeviceMemory::resize(CudaExecutor& executor, std::size_t bytes) {
  if (bytes <= capacity_) return;
  executor_ = &executor;
  if (data_ != nullptr) checkCuda(cudaFreeAsync(data_, executor.stream_), "freeing memory");
  data_ = nullptr;
  capacity_ = 0;
  const std::size_t wanted = bytes + bytes / 4;
  void* data = nullptr;
  checkCuda(cudaMallocFromPoolAsync(&data, wanted, executor.pool_, executor.stream_),
            "allocating memory");
  data_ = static_cast<std::byte*>(data);
  capacity_ = wanted;
}

CudaExecutor::Recording::~Recording() {
  if (graph_ != nullptr) cudaGraphExecDestroy(graph_);
}

void CudaExecutor::upload(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (bytes == 0) return;
  checkCuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream_), "uploading");
  wait();
}

void CudaExecutor::download(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (bytes == 0) return;
  checkCuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream_), "downloading");
  wait();
}

void CudaExecutor::prepareGemv() {
  if (blas_ != nullptr) return;
  blasWorkspace_.resize(*this, Blas::kWorkspaceBytes);
  blas_ = std::make_unique<Blas>(stream_, blasWorkspace_.data());
}

void CudaExecutor::wait() { checkCuda(cudaStreamSynchronize(stream_), "running kernels"); }

void CudaExecutor::endRecording(Recording& recording) {
  cudaGraph_t graph = nullptr;
  checkCuda(cudaStreamEndCapture(stream_, &graph), "recording");
  cudaGraphExecUpdateResultInfo info = {};
  const bool isUpdated = recording.graph_ != nullptr &&
                         cudaGraphExecUpdate(recording.graph_, graph, &info) == cudaSuccess;
  cudaError_t status = cudaSuccess;
  if (!isUpdated) {
    cudaGetLastError();  // of the update
    if (recording.graph_ != nullptr) cudaGraphExecDestroy(recording.graph_);
    recording.graph_ = nullptr;
    status = cudaGraphInstantiate(&recording.graph_, graph, 0);
  }
  cudaGraphDestroy(graph);
  checkCuda(status, "recording");
}

void CudaExecutor::replay(const Recording& recording) {
  checkCuda(cudaGraphLaunch(recording.graph_, stream_), "replaying launches");
}

}  // namespace drystone::gpu
