#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tests/support/cuda_fake/heap.h"
#include "tests/support/cuda_fake/include/cuda_runtime.h"
#include "tests/support/cuda_fake/processor.h"

namespace drystone::cuda_fake {

/// Calls of the runtime that can be told to fail.
enum class Call : std::uint8_t { kMalloc, kLaunch, kCopy, kSync };

/// What a stream does when it comes to it.
struct Operation {
  std::optional<Launch> launch;
  std::function<void()> act;  ///< where it is no launch
};
using Operations = std::vector<Operation>;

}  // namespace drystone::cuda_fake

struct CudaFakeStream {
  std::deque<drystone::cuda_fake::Operation> queue;
  bool isBusy = false;  ///< its last launch has not ended
  bool isCapturing = false, isCaptureBroken = false;
  drystone::cuda_fake::Operations captured;
  std::array<char, 2> tokens = {};  ///< see watched: what comes next acquires one
  int next = 0;
};

namespace drystone::cuda_fake {

/// The one device: streams do what they were given when the program waits for one of them, each in
/// order, and all together in an order by chance. One thread of the system at a time, which has
/// `mutex`. Tests steer it (control) and ask what went wrong.
class Device final : public Processor::Source {
 public:
  static Device& get();

  std::mutex mutex;

  // For tests. All of it is as at the beginning after `reset`, which needs a device without
  // streams and memory.
  void reset(std::uint64_t seed);
  /// The n-th such call from now fails; 1: the next.
  void failAt(Call call, int n, cudaError_t error);
  /// All calls fail from now on.
  void lose() { broken_ = cudaErrorDevicesUnavailable; }
  /// They do not any more.
  void restore() { broken_ = cudaSuccess; }
  void setMemory(std::size_t bytes) { heap_->setRoom(bytes); }
  /// What no device would forgive, in words.
  const std::vector<std::string>& faults() const { return faults_; }
  /// Streams, allocations and all else that was made and not destroyed.
  std::size_t living() const { return handles_.size() + heap_->allocations(); }
  int launches() const { return launches_; }

  // For the runtime.
  cudaError_t broken() const { return broken_; }
  /// Counts a call; returns the error that it is to end with.
  cudaError_t count(Call call);
  Heap& heap() { return *heap_; }
  void add(void* handle) { handles_.insert(handle); }
  /// False: there is no such handle.
  bool remove(void* handle) { return handles_.erase(handle) > 0; }
  bool has(void* handle) const { return handles_.contains(handle); }
  void addStream(cudaStream_t stream) { streams_.push_back(stream); }
  void removeStream(cudaStream_t stream) { std::erase(streams_, stream); }
  /// To the stream, or to what it records.
  void enqueue(CudaFakeStream& stream, Operation operation);
  /// Until the stream has done all that it was given. Returns an error of what ran.
  cudaError_t finish(CudaFakeStream& stream);
  /// Captures of this thread of the system; while there are any, none of it may wait or allocate.
  static int& captures();
  void fail(const std::string& fault) override;

 private:
  Device();
  bool isDone() override;
  bool bringWork() override;

  struct Failure {
    int countdown = 0;
    cudaError_t error = cudaSuccess;
  };

  std::unique_ptr<Heap> heap_;
  std::unique_ptr<Processor> processor_;
  Random random_{0};
  std::vector<cudaStream_t> streams_;
  std::set<void*> handles_;
  CudaFakeStream* awaited_ = nullptr;
  std::array<Failure, 4> failures_ = {};
  cudaError_t broken_ = cudaSuccess;
  std::vector<std::string> faults_;
  int launches_ = 0;
};

}  // namespace drystone::cuda_fake
