// What holds of every test of this program: the device is new, and in the end nothing of it is left
// and nothing went wrong on it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "tests/support/cuda_fake/device.h"

namespace drystone::cuda_fake {
namespace {

/// The order of threads and of streams is drawn from DRYSTONE_CUDA_SEED, where that is set.
std::uint64_t seed() {
  const char* text = std::getenv("DRYSTONE_CUDA_SEED");
  return text == nullptr ? 1 : std::strtoull(text, nullptr, 10);
}

class NewDevice final : public testing::EmptyTestEventListener {
  void OnTestStart(const testing::TestInfo&) override { Device::get().reset(seed()); }
  void OnTestEnd(const testing::TestInfo&) override {
    for (const std::string& fault : Device::get().faults()) ADD_FAILURE() << fault;
    EXPECT_EQ(Device::get().living(), 0u) << "streams, memory or graphs are left";
  }
};

const bool isListening = [] {
  testing::UnitTest::GetInstance()->listeners().Append(new NewDevice);
  return true;
}();

}  // namespace
}  // namespace drystone::cuda_fake
