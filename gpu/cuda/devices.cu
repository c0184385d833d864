#include <cuda_runtime.h>

#include <string>

#include "gpu/devices.h"

namespace drystone::gpu {
namespace {

__global__ void doNothing() {}

struct Found {
  std::vector<Device> devices;
  std::string problem;
};

/// Makes no context on any device.
Found findDevices() {
  Found found;
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess || count == 0) {
    int driver = 0;
    cudaDriverGetVersion(&driver);
    const char* why = status == cudaSuccess ? "none is visible" : cudaGetErrorString(status);
    found.problem =
        driver == 0 ? "no CUDA driver is installed" : std::string("no CUDA device: ") + why;
    cudaGetLastError();
    return found;
  }
  for (int i = 0; i < count; ++i) {
    cudaDeviceProp properties;
    if (cudaGetDeviceProperties(&properties, i) != cudaSuccess) continue;
    found.devices.push_back({properties.name, properties.major, properties.minor,
                             properties.multiProcessorCount, properties.totalGlobalMem});
  }
  return found;
}

const Found& found() {
  static const Found result = findDevices();
  return result;
}

/// A device for which this build has no code shows when the first kernel is looked at, which makes
/// a context on it: memory, and some tenths of a second.
std::string tryDevice() {
  if (!found().problem.empty()) return found().problem;
  cudaFuncAttributes attributes;
  const cudaError_t image = cudaFuncGetAttributes(&attributes, doNothing);
  if (image == cudaSuccess) return "";
  cudaGetLastError();
  return std::string("the CUDA device cannot run this build: ") + cudaGetErrorString(image);
}

}  // namespace

const std::vector<Device>& devices() { return found().devices; }

std::string_view whyUnavailable() {
  static const std::string problem = tryDevice();
  return problem;
}

}  // namespace drystone::gpu
