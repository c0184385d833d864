// Where memory ends while a recording is made, the file has the steps before and says that some are
// missing. Allocations of HDF5 itself do not fail here.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <new>
#include <string>
#include <vector>

#include "engine/recording/recorder.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/fail_each.h"
#include "tests/support/worlds.h"

namespace drystone::test {
namespace {

class RecorderMemory : public testing::Test {
 protected:
  static constexpr int kSteps = 3;

  void SetUp() override {
    if (allocationCount() == 0) GTEST_SKIP() << "the heap is a sanitizer's own";
    addGround(world_);
    addUnitBox(world_, {0, 0, 0.5});
    start_ = world_.save();
    hashes_ = {world_.observe().hash()};
    for (int i = 0; i < kSteps; ++i) {
      world_.step();
      hashes_.push_back(world_.observe().hash());
    }
  }
  void TearDown() override { std::filesystem::remove(path_); }

  /// Records the steps, while the n-th allocation of one call fails: that of the step of this
  /// number, or that of finish() after the last. Returns whether one failed.
  bool recordFailing(int failing, int n) {
    world_.restore(start_);
    Recorder recorder(path_, {.solvers = {"bpp-auto"}, .every = 2}, world_);
    bool hasFailed = false;
    isEnded_ = false;
    for (int call = 1; call <= kSteps + 1; ++call) {
      if (call <= kSteps) world_.step();
      if (call == failing) failAllocation(n, FailingAllocations::kOfNew);
      const bool wasEnded = isEnded_;
      bool isThrown = false;
      try {
        call <= kSteps ? recorder.addStep(world_) : recorder.finish(world_);
      } catch (const std::bad_alloc&) {
        isThrown = isEnded_ = true;
      }
      if (call == failing) hasFailed = failAllocation(0);
      if (wasEnded) {
        EXPECT_TRUE(isThrown) << "an error stays";
      }
    }
    return hasFailed;
  }

  /// What the file has is what the world did. Returns how many steps that is.
  int expectWholeSteps() const {
    const Recording recording(path_);
    const auto count = static_cast<int>(recording.stepCount());
    EXPECT_EQ(recording.complete(), !isEnded_);
    EXPECT_EQ(recording.startHash(), hashes_[0]);
    for (int i = 1; i <= count; ++i) {
      EXPECT_EQ(recording.steps(i, 1).front().hash, hashes_[static_cast<std::size_t>(i)]) << i;
      recording.events(i);
    }
    WorldSnapshot frame;
    for (std::int64_t i = 0; i < recording.frameCount(); ++i) recording.frame(i, frame);
    EXPECT_LE(frame.step, count);
    return count;
  }

  const std::string path_ =
      (std::filesystem::temp_directory_path() /
       ("drystone_rec_" + std::to_string(getpid()) +
        testing::UnitTest::GetInstance()->current_test_info()->name() + ".h5"))
          .string();
  World world_{settingsFor("bpp-auto"), registry()};
  std::vector<std::byte> start_;
  std::vector<std::uint64_t> hashes_;
  bool isEnded_ = false;
};

TEST_F(RecorderMemory, EndsWhileTheFileIsMade_TheNextTryMakesIt) {
  const auto make = [&] { const Recorder recorder(path_, {.solvers = {"bpp-auto"}}, world_); };
  EXPECT_GT(failEach(
                make, [](bool) {}, 11, FailingAllocations::kOfNew),
            8);
  recordFailing(0, 0);
  EXPECT_EQ(expectWholeSteps(), kSteps);
}

TEST_F(RecorderMemory, EndsInACall_TheStepsBeforeAreThere) {
  for (int failing = 1; failing <= kSteps + 1; ++failing) {
    const bool isStep = failing <= kSteps;
    const int stride = isStep ? 3 : 31;  // the end takes much
    int most = 0, failed = 0;
    for (int n = 1; recordFailing(failing, n); n += stride, ++failed) {
      const int count = expectWholeSteps();
      if (isEnded_) most = std::max(most, count);
    }
    EXPECT_EQ(expectWholeSteps(), kSteps);
    EXPECT_GT(failed, 2);
    // Where the machine halts for long, the thread that writes may be the one that fails; at the
    // end it is, with the last step.
    EXPECT_GE(most, isStep ? failing - 1 : kSteps - 1);
  }
}

}  // namespace
}  // namespace drystone::test
