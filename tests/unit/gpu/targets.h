#pragma once

#include <gtest/gtest.h>

#include "gpu/backend.h"
#include "gpu/devices.h"

namespace drystone::test {

/// A test of kernels, on the processor and on the device; the latter is skipped where there is
/// none.
class OnTarget : public testing::TestWithParam<gpu::Target> {
 protected:
  void SetUp() override {
    if (GetParam() == gpu::Target::kCuda && !gpu::whyUnavailable().empty()) {
      GTEST_SKIP() << gpu::whyUnavailable();
    }
  }
};

inline std::string targetName(const testing::TestParamInfo<gpu::Target>& info) {
  return info.param == gpu::Target::kHost ? "Host" : "Cuda";
}

}  // namespace drystone::test
