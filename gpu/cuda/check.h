#pragma once

#include <cuda_runtime.h>

namespace drystone::gpu {

/// Throws DeviceError with what was tried unless `status` is success.
void checkCuda(cudaError_t status, const char* what);

}  // namespace drystone::gpu
