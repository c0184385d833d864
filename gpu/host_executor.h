#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <memory>
#include <new>
#include <vector>

#include "core/timer.h"
#include "gpu/kernels/place.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

namespace drystone::gpu {

/// Runs kernels on the processor, thread after thread in plain loops: what a device would compute,
/// for tests and checks where there is none. Under the address sanitizer an index beyond its array
/// ends the program. Blocks and threads run from the first to the last, or the other way round: a
/// kernel with other results then has threads that meet in an array without a barrier in between.
class HostExecutor {
 public:
  explicit HostExecutor(bool runsBackwards = false) : runsBackwards_(runsBackwards) {}

  /// Memory that keeps its place until it is resized.
  class Memory {
   public:
    void resize(HostExecutor&, std::size_t bytes) {
      data_.reset();
      data_.reset(static_cast<std::byte*>(::operator new(bytes, kAlignment)));
      // Numbers that would show in every result, for what is read before it is written.
      std::memset(data_.get(), 0xff, bytes);
    }
    std::byte* data() { return data_.get(); }

   private:
    static constexpr std::align_val_t kAlignment{128};
    struct Delete {
      void operator()(std::byte* data) const { ::operator delete(data, kAlignment); }
    };
    std::unique_ptr<std::byte, Delete> data_;
  };
  using HostMemory = Memory;
  using DeviceMemory = Memory;
  using Recording = std::function<void()>;

  /// No kernel may touch these bytes.
  void forbid([[maybe_unused]] std::byte* begin, [[maybe_unused]] std::size_t bytes) {
#if defined(__SANITIZE_ADDRESS__)
    ASAN_POISON_MEMORY_REGION(begin, bytes);
#endif
  }
  void upload(std::byte* to, const std::byte* from, std::size_t bytes) { copy(to, from, bytes); }
  void download(std::byte* to, const std::byte* from, std::size_t bytes) { copy(to, from, bytes); }

  /// Calls `function(index)` for index in [0, count); a device has so many threads a block.
  template <class Function>
  void forEach(int count, const Function& function, int /*threads*/ = 0) {
    for (int index = 0; index < count; ++index) function(ordered(index, count));
  }

  /// Runs a kernel of several phases: no thread of a block starts one before all have ended the
  /// last. See kernels/place.h.
  template <class Kernel>
  void launch(int blocks, int threads, const Kernel& kernel) {
    using Shared = typename Kernel::Shared;
    std::vector<Shared> shared(kernel.sharedCount());
    std::vector<typename Kernel::State> states(threads);
    for (int block = 0; block < blocks; ++block) {
      std::fill(states.begin(), states.end(), typename Kernel::State{});
      // As what memory starts as; see Memory.
      if (!shared.empty()) std::memset(shared.data(), 0xff, shared.size() * sizeof(Shared));
      for (int phase = 0; phase < kernel.phaseCount(); ++phase) {
        for (int i = 0; i < threads; ++i) {
          const int thread = ordered(i, threads);
          kernel.phase(phase, Place{ordered(block, blocks), thread, blocks, threads}, shared.data(),
                       states[thread]);
        }
      }
    }
  }

  /// Before the first `gemv`, and before one is recorded.
  void prepareGemv() {}
  /// y = matrix x of so many rows and columns; column after column, `stride` apart.
  template <class Scalar>
  void gemv(int rows, const Scalar* matrix, std::size_t stride, const Scalar* x, Scalar* y) {
    std::fill_n(y, rows, Scalar(0));
    for (int column = 0; column < rows; ++column) {
      for (int row = 0; row < rows; ++row) y[row] += matrix[column * stride + row] * x[column];
    }
  }

  template <class Work>
  void record(Recording& recording, Work&& work) {
    recording = work;
  }
  void replay(const Recording& recording) { recording(); }

  /// What the launches of `work` take [ms].
  template <class Work>
  double time(Work&& work) {
    const Timer timer;
    work();
    return timer.milliseconds();
  }

 private:
  int ordered(int index, int count) const { return runsBackwards_ ? count - 1 - index : index; }

  /// Leaves out the gaps between arrays.
  static void copy(std::byte* to, const std::byte* from, std::size_t bytes) {
#if defined(__SANITIZE_ADDRESS__)
    for (std::size_t i = 0; i < bytes; ++i) {
      if (__asan_address_is_poisoned(to + i) == 0 && __asan_address_is_poisoned(from + i) == 0) {
        to[i] = from[i];
      }
    }
#else
    std::memcpy(to, from, bytes);
#endif
  }

  bool runsBackwards_;
};

}  // namespace drystone::gpu
