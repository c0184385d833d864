#pragma once

#include <gtest/gtest.h>

#include "gpu/backend.h"
#include "gpu/devices.h"

namespace drystone::test {

/// A test of kernels, on the processor in both orders of threads, and on the device; the latter is
/// skipped where there is none. A program with a stand-in for a device has the tests of that alone.
class OnTarget : public testing::TestWithParam<gpu::Target> {
 protected:
  void SetUp() override {
    if (GetParam() == gpu::Target::kCuda && !gpu::whyUnavailable().empty()) {
      GTEST_SKIP() << "needs a CUDA device and a build with CUDA: " << gpu::whyUnavailable();
    }
  }
};

inline auto everyTarget() {
#ifdef DRYSTONE_CUDA_FAKE
  return testing::Values(gpu::Target::kCuda);
#else
  return testing::Values(gpu::Target::kHost, gpu::Target::kHostBackwards, gpu::Target::kCuda);
#endif
}
inline std::string targetName(const testing::TestParamInfo<gpu::Target>& info) {
  switch (info.param) {
    case gpu::Target::kHost:
      return "Host";
    case gpu::Target::kHostBackwards:
      return "HostBackwards";
    case gpu::Target::kCuda:
      break;
  }
  return "Cuda";
}

}  // namespace drystone::test
