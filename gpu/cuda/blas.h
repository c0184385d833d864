#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <memory>
#include <string>

namespace drystone::gpu {

/// cuBLAS for one stream, loaded when it is first asked for: programs start without it.
class Blas {
 public:
  /// Bytes of work space on the device, aligned to 256: what NVIDIA recommends for the largest
  /// devices.
  static constexpr std::size_t kWorkspaceBytes = std::size_t{32} << 20;

  /// Throws MissingBlasError where there is no cuBLAS, DeviceError where it fails.
  Blas(cudaStream_t stream, void* workspace);

  /// The same sums as HostExecutor::gemv.
  void gemv(int rows, const float* matrix, std::size_t stride, const float* x, float* y);
  void gemv(int rows, const double* matrix, std::size_t stride, const double* x, double* y);

  /// Why it cannot be loaded; empty: it can.
  static const std::string& whyMissing();

 private:
  struct Destroy {
    void operator()(void* handle) const;
  };
  std::unique_ptr<void, Destroy> handle_;
};

}  // namespace drystone::gpu
