#include "tests/support/cuda_fake/device.h"

#include <cstdio>
#include <utility>

namespace drystone::cuda_fake {

Device& Device::get() {
  static Device device;
  return device;
}

Device::Device() { reset(0); }

int& Device::captures() {
  thread_local int count = 0;
  return count;
}

void Device::reset(std::uint64_t seed) {
  if (heap_ == nullptr || heap_->allocations() == 0) heap_ = std::make_unique<Heap>();
  processor_ = std::make_unique<Processor>(*this, seed + 1);
  random_ = Random(seed);
  failures_ = {};
  broken_ = cudaSuccess;
  faults_.clear();
  launches_ = 0;
}

void Device::failAt(Call call, int n, cudaError_t error) {
  failures_[static_cast<std::size_t>(call)] = {n, error};
}

cudaError_t Device::count(Call call) {
  if (broken_ != cudaSuccess) return broken_;
  if (call == Call::kLaunch) ++launches_;
  Failure& failure = failures_[static_cast<std::size_t>(call)];
  return failure.countdown > 0 && --failure.countdown == 0 ? failure.error : cudaSuccess;
}

void Device::fail(const std::string& fault) {
  std::fprintf(stderr, "CUDA stand-in: %s\n", fault.c_str());
  faults_.push_back(fault);
  broken_ = cudaErrorLaunchFailure;
}

void Device::enqueue(CudaFakeStream& stream, Operation operation) {
  if (stream.isCapturing) {
    stream.captured.push_back(std::move(operation));
  } else {
    stream.queue.push_back(std::move(operation));
  }
}

bool Device::isDone() { return awaited_->queue.empty() && !awaited_->isBusy; }

/// The next operation of one stream that has one and is not amid a launch.
bool Device::bringWork() {
  std::vector<cudaStream_t> able;
  for (const cudaStream_t stream : streams_) {
    if (!stream->isBusy && !stream->queue.empty()) able.push_back(stream);
  }
  if (able.empty()) return false;
  CudaFakeStream& stream = *able[random_.below(able.size())];
  Operation operation = std::move(stream.queue.front());
  stream.queue.pop_front();
  if (!operation.launch.has_value()) {
    operation.act();
    return true;
  }
  stream.isBusy = true;
  // What the threads of one launch release, those of the next acquire, and not each other.
  char* const before = &stream.tokens[stream.next];
  stream.next = 1 - stream.next;
  processor_->begin(std::move(*operation.launch), before, &stream.tokens[stream.next],
                    [&stream] { stream.isBusy = false; });
  return true;
}

cudaError_t Device::finish(CudaFakeStream& stream) {
  if (broken_ != cudaSuccess) return broken_;
  awaited_ = &stream;
  if (isDone()) return cudaSuccess;
  heap_->open();
  processor_->run();
  if (!heap_->close()) fail("a kernel or copy wrote beyond an allocation");
  if (broken_ != cudaSuccess) {
    for (const cudaStream_t one : streams_) {
      one->queue.clear();
      one->isBusy = false;
    }
  }
  return broken_;
}

}  // namespace drystone::cuda_fake
