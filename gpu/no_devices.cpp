// The devices of builds without nvcc. Apart from gpu_stub.cpp, so that a test can put others here.
#include "gpu/devices.h"

namespace drystone::gpu {

const std::vector<Device>& devices() {
  static const std::vector<Device> none;
  return none;
}

std::string_view whyUnavailable() { return "this build has no CUDA back end"; }

}  // namespace drystone::gpu
