// The device that stands in for a real one reports what a real one would let pass or fail at.
#include <gmock/gmock.h>

#include <memory>
#include <set>
#include <vector>

#include "gpu/cuda/cuda_executor.h"
#include "gpu/devices.h"
#include "tests/support/cuda_fake/device.h"

namespace drystone::gpu {
namespace {

using cuda_fake::Call;
using cuda_fake::Device;
using testing::ElementsAre;
using testing::HasSubstr;

/// An executor, and numbers on its device.
struct Numbers {
  explicit Numbers(int size) : count(size), image(size, 0) { memory.resize(executor, bytes()); }

  int* data() { return reinterpret_cast<int*>(memory.data()); }
  std::size_t bytes() const { return count * sizeof(int); }
  void upload() {
    executor.upload(memory.data(), reinterpret_cast<const std::byte*>(image.data()), bytes());
  }
  const std::vector<int>& download() {
    executor.download(reinterpret_cast<std::byte*>(image.data()), memory.data(), bytes());
    return image;
  }

  int count;
  std::vector<int> image;
  CudaExecutor executor;
  CudaExecutor::DeviceMemory memory;
};

struct NoState {};

/// Each thread writes its own number in the memory of its block and adds that of the next thread,
/// with a barrier in between or without.
struct AddNeighbour {
  int* out;
  bool hasBarrier;

  using Shared = int;
  using State = NoState;
  int sharedCount() const { return 64; }
  int phaseCount() const { return hasBarrier ? 2 : 1; }
  void phase(int phase, const Place& place, int* shared, State&) const {
    if (phase == 0) shared[place.thread] = place.thread;
    if (phase + 1 < phaseCount()) return;
    out[place.block * place.threads + place.thread] =
        shared[place.thread] + shared[(place.thread + 1) % place.threads];
  }
};

TEST(StandIn, ThreadsMeetAtABarrier_AndGoOnInAnOrderByChance) {
  std::vector<int> expected;
  for (int block = 0; block < 9; ++block) {
    for (int thread = 0; thread < 64; ++thread) expected.push_back(thread + (thread + 1) % 64);
  }
  std::set<std::vector<int>> withBarrier, without;
  for (int seed = 0; seed < 5; ++seed) {
    Device::get().reset(seed);
    Numbers numbers(9 * 64);
    numbers.executor.launch(9, 64, AddNeighbour{numbers.data(), true});
    withBarrier.insert(numbers.download());
    numbers.executor.launch(9, 64, AddNeighbour{numbers.data(), false});
    without.insert(numbers.download());
  }
  EXPECT_THAT(withBarrier, ElementsAre(expected));
  EXPECT_EQ(without.size(), 5u);
}

/// The first thread takes other turns than the rest: it ends early, or comes late.
struct Divergent {
  int stepsOfFirst;

  using Shared = int;
  using State = NoState;
  int sharedCount() const { return 0; }
  int phaseCount() const { return threadIdx.x == 0 ? stepsOfFirst : 2; }
  void phase(int, const Place&, int*, State&) const {}
};

/// What went wrong since the last call, of one fault; the device is new afterwards.
std::string takeFault() {
  const std::vector<std::string> faults = Device::get().faults();
  EXPECT_EQ(faults.size(), 1u);
  Device::get().reset(1);
  return faults.empty() ? "" : faults.front();
}

TEST(StandIn, BarrierThatNotAllReach_IsReported) {
  for (const int steps : {1, 3}) {
    for (int seed = 0; seed < 5; ++seed) {
      Device::get().reset(seed);
      {
        CudaExecutor executor;
        executor.launch(2, 8, Divergent{steps});
        EXPECT_THROW(executor.wait(), DeviceError);
        EXPECT_THROW(executor.wait(), DeviceError) << "a device does not recover";
      }
      EXPECT_THAT(takeFault(), HasSubstr("barrier"));
    }
  }
}

/// Writes a number at an index.
struct WriteAt {
  int* data;
  int at;
  void operator()(int) const { data[at] = 1; }
};

TEST(StandIn, WriteBesideAnAllocation_IsReported) {
  for (const int at : {-1, 10}) {
    {
      Numbers numbers(10);
      numbers.executor.forEach(1, WriteAt{numbers.data(), at});
      EXPECT_THROW(numbers.executor.wait(), DeviceError);
    }
    EXPECT_THAT(Device::get().faults(), testing::Each(HasSubstr("beyond an allocation")));
    EXPECT_FALSE(Device::get().faults().empty());
    Device::get().reset(1);
  }
}

/// Writes beyond the memory of its block.
struct WriteBesideShared {
  int at;

  using Shared = int;
  using State = NoState;
  int sharedCount() const { return 4; }
  int phaseCount() const { return 1; }
  void phase(int, const Place&, int* shared, State&) const { shared[at] = 1; }
};

#if !defined(__SANITIZE_ADDRESS__)
TEST(StandIn, WriteBesideSharedMemory_IsReported) {
  for (const int at : {-1, 4}) {
    {
      CudaExecutor executor;
      executor.launch(1, 1, WriteBesideShared{at});
      EXPECT_THROW(executor.wait(), DeviceError);
    }
    EXPECT_THAT(takeFault(), HasSubstr("shares"));
  }
}
#endif

// Memory is NaN in the beginning, in float and double.
TEST(StandIn, MemoryThatNobodyWrote_IsNotZero) {
  Numbers numbers(3);
  EXPECT_THAT(numbers.download(), testing::Each(-1));
}

using StandInDeathTest = testing::Test;

TEST(StandInDeathTest, MemoryOfTheDevice_IsOutOfReachOfTheProgram) {
  Numbers numbers(10);
  numbers.upload();
  EXPECT_DEATH(numbers.data()[0] = 1, "");
}

TEST(StandInDeathTest, FreedMemory_IsOutOfReachOfKernels) {
  Numbers numbers(10);
  const WriteAt write{numbers.data(), 0};
  numbers.memory = {};
  const auto run = [&] {
    numbers.executor.forEach(1, write);
    numbers.executor.wait();
  };
  EXPECT_DEATH(run(), "");
}

TEST(StandIn, Limits_AreThoseOfDevices) {
  Numbers numbers(10);
  CudaExecutor& executor = numbers.executor;
  EXPECT_THROW(executor.forEach(1, WriteAt{numbers.data(), 0}, 1025), DeviceError);
  EXPECT_NO_THROW(executor.forEach(1, WriteAt{numbers.data(), 0}, 1024));
  struct Sharing : WriteBesideShared {
    int count;
    int sharedCount() const { return count; }
    void phase(int, const Place&, int*, State&) const {}
  };
  EXPECT_NO_THROW(executor.launch(1, 1, Sharing{{0}, 12 * 1024}));
  EXPECT_THROW(executor.launch(1, 1, Sharing{{0}, 12 * 1024 + 1}), DeviceError);
  executor.wait();
}

TEST(StandIn, WhileLaunchesAreRecorded_NothingWaitsOrAllocates) {
  Numbers numbers(10);
  CudaExecutor& executor = numbers.executor;
  CudaExecutor::Recording recording;
  EXPECT_THROW(executor.record(recording, [&] { executor.wait(); }), DeviceError);
  CudaExecutor::HostMemory host;
  EXPECT_THROW(executor.record(recording, [&] { host.resize(executor, 8); }), DeviceError);
  CudaExecutor::DeviceMemory more;
  EXPECT_THROW(executor.record(recording, [&] { more.resize(executor, 8); }), DeviceError);
  EXPECT_NO_THROW(executor.forEach(1, WriteAt{numbers.data(), 0})) << "an error was kept";
}

/// Adds to a number: what is not done once in turn shows.
struct Step {
  int* data;
  int factor, summand;
  void operator()(int index) const { data[index] = data[index] * factor + summand; }
};

TEST(StandIn, Recordings_AreReplayedAndChanged) {
  Numbers numbers(2);
  numbers.image = {1, 2};
  numbers.upload();
  CudaExecutor& executor = numbers.executor;
  CudaExecutor::Recording recording;
  const auto record = [&](int summand) {
    executor.record(recording, [&] {
      executor.forEach(2, Step{numbers.data(), 2, 0});
      executor.forEach(2, Step{numbers.data(), 1, summand});
    });
  };
  record(1);
  EXPECT_THAT(numbers.download(), ElementsAre(1, 2)) << "recording runs nothing";
  executor.replay(recording);
  executor.replay(recording);
  EXPECT_THAT(numbers.download(), ElementsAre(7, 11));
  record(5);
  executor.replay(recording);
  EXPECT_THAT(numbers.download(), ElementsAre(19, 27));
  executor.record(recording, [&] { executor.forEach(1, Step{numbers.data(), 0, 3}); });
  executor.replay(recording);
  EXPECT_THAT(numbers.download(), ElementsAre(3, 27));
}

/// Writes how many threads came before it, of all launches.
struct TakeNumber {
  int* counter;
  int* out;
  void operator()(int index) const { out[index] = (*counter)++; }
};

TEST(StandIn, StreamsRunTogether_EachInItsOrder) {
  int mixed = 0;
  for (int seed = 0; seed < 5; ++seed) {
    Device::get().reset(seed);
    Numbers one(301), other(300);
    one.upload();
    int* const counter = one.data() + 300;
    one.executor.forEach(300, TakeNumber{counter, one.data()});
    other.executor.forEach(300, TakeNumber{counter, other.data()});
    other.executor.forEach(300, Step{other.data(), 1, 1000});
    other.download();
    one.download();
    const auto& numbers = other.image;
    EXPECT_GE(*std::ranges::min_element(numbers), 1000);
    const int first = *std::ranges::min_element(numbers), last = *std::ranges::max_element(numbers);
    if (last - first > 299) ++mixed;  // threads of the other stream came in between
  }
  EXPECT_GT(mixed, 2);
}

// Two streams copy to the same place: any of them may be the last, whichever the program waits for.
TEST(StandIn, WhichStreamGoesOn_IsChance) {
  std::set<int> last;
  for (int seed = 0; seed < 10; ++seed) {
    Device::get().reset(seed);
    Numbers one(1), other(1);
    int sources[] = {1, 2};
    for (const int k : {0, 1}) {
      CudaExecutor& executor = k == 0 ? one.executor : other.executor;
      checkCuda(cudaMemcpyAsync(one.data(), &sources[k], sizeof(int), cudaMemcpyHostToDevice,
                                executor.stream()),
                "copying");
    }
    other.executor.wait();
    last.insert(one.download().front());
  }
  EXPECT_THAT(last, ElementsAre(1, 2));
}

// The program may write again what was copied, and read what it has asked for.
TEST(StandIn, Copies_AreOverWhenTheyReturn) {
  Numbers numbers(1);
  numbers.image = {1};
  numbers.upload();
  numbers.image = {2};
  EXPECT_THAT(numbers.download(), ElementsAre(1));
}

TEST(StandIn, CallsFailWhereTheyAreToldTo) {
  Numbers numbers(10);
  Device& device = Device::get();
  const auto write = [&] { numbers.executor.forEach(1, WriteAt{numbers.data(), 0}); };
  device.failAt(Call::kLaunch, 2, cudaErrorInvalidConfiguration);
  EXPECT_NO_THROW(write());
  EXPECT_THROW(write(), DeviceError);
  EXPECT_NO_THROW(write());
  device.failAt(Call::kCopy, 1, cudaErrorInvalidValue);
  EXPECT_THROW(numbers.upload(), DeviceError);
  EXPECT_NO_THROW(numbers.upload());
  device.failAt(Call::kSync, 1, cudaErrorLaunchFailure);
  EXPECT_THROW(numbers.upload(), DeviceError);
  EXPECT_NO_THROW(numbers.upload());
  CudaExecutor::DeviceMemory more;
  device.setMemory(100);
  EXPECT_THROW(more.resize(numbers.executor, 61), DeviceError);
  EXPECT_NO_THROW(more.resize(numbers.executor, 60));
  device.lose();
  EXPECT_THROW(write(), DeviceError);
  EXPECT_THROW(numbers.upload(), DeviceError);
  EXPECT_THROW(CudaExecutor(), DeviceError);
}

// Of a failed recording no error is left, which the next launch would be blamed for.
TEST(StandIn, FailedRecording_IsOverWhenItHasFailed) {
  Numbers numbers(1);
  numbers.upload();
  CudaExecutor& executor = numbers.executor;
  CudaExecutor::Recording recording;
  const auto step = [&] { executor.forEach(1, Step{numbers.data(), 1, 1}); };
  Device::get().failAt(Call::kLaunch, 1, cudaErrorInvalidConfiguration);
  EXPECT_THROW(executor.record(recording, step), DeviceError);
  EXPECT_NO_THROW(step());
  EXPECT_THAT(numbers.download(), ElementsAre(1));
}

// The device's memory has no room for a quarter more, but for what is needed.
TEST(StandIn, GrowingMemory_TakesWhatIsNeededWhereMoreIsTooMuch) {
  CudaExecutor executor;
  CudaExecutor::DeviceMemory memory;
  Device::get().setMemory(1100);
  memory.resize(executor, 800);
  EXPECT_NO_THROW(memory.resize(executor, 1000));
  EXPECT_THROW(memory.resize(executor, 1101), DeviceError);
  EXPECT_EQ(memory.data(), nullptr);
  EXPECT_NO_THROW(memory.resize(executor, 1100));
}

TEST(StandIn, BandwidthOfACopy_IsMeasured) { EXPECT_GT(copyBandwidth(1 << 16, 2), 0); }

}  // namespace
}  // namespace drystone::gpu
