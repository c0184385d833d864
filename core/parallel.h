#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>

namespace drystone {
namespace detail {

using ParallelBody = void (*)(void* context, int index, int thread);
void parallelFor(int count, int threads, void* context, ParallelBody body);

}  // namespace detail

/// Calls `body(index, thread)` for index in [0, count) and thread in [0, threads). Indices are
/// handed out dynamically, so `body` may write only to what belongs to its index or its thread;
/// results that follow this rule have the same bits for every thread count. With one thread the
/// calls run in order in the caller; so do they within a loop of several threads. What a
/// `body` throws reaches the caller: the first of several, once no `body` runs any more. Indices
/// that were not begun by then are left out. Allocates nothing but the threads, once for each
/// thread that calls.
template <class Body>
void parallelFor(int count, int threads, Body&& body) {
  detail::parallelFor(count, threads,
                      const_cast<void*>(static_cast<const void*>(std::addressof(body))),
                      [](void* context, int index, int thread) {
                        (*static_cast<std::remove_reference_t<Body>*>(context))(index, thread);
                      });
}

/// Calls `body(begin, end)` for ranges of at most `grain` indices that together cover [0, count).
/// The same rule as above: each index writes only what belongs to it.
template <class Body>
void parallelRanges(int count, int grain, int threads, Body&& body) {
  const int ranges = (count + grain - 1) / grain;
  parallelFor(ranges, threads,
              [&](int range, int) { body(range * grain, std::min(count, (range + 1) * grain)); });
}

/// Whether `test(begin, end)` holds for one of such ranges; those that begin after one was found
/// are left out.
template <class Test>
bool parallelAny(int count, int grain, int threads, Test&& test) {
  std::atomic<bool> isFound = false;
  parallelRanges(count, grain, threads, [&](int begin, int end) {
    if (!isFound.load(std::memory_order_relaxed) && test(begin, end)) {
      isFound.store(true, std::memory_order_relaxed);
    }
  });
  return isFound;
}

/// Copies an array of at most 2³¹ elements.
template <class T>
void parallelCopy(std::span<const T> from, T* to, int threads) {
  constexpr int kGrain = 1 << 14;  // elements of a range: some 10 µs of work
  parallelRanges(static_cast<int>(from.size()), kGrain, threads, [&](int begin, int end) {
    std::copy(from.begin() + begin, from.begin() + end, to + begin);
  });
}

/// Times the loops of the thread that it lives on.
class LoopTimer {
 public:
  LoopTimer();
  ~LoopTimer();
  LoopTimer(const LoopTimer&) = delete;
  LoopTimer& operator=(const LoopTimer&) = delete;

  /// Time that other threads have worked in its loops so far, less what it waited for them [ms].
  /// With the time that has passed this is the work of all threads together.
  double gained() const;

 private:
  bool wasTimed_;
  std::int64_t start_;  ///< [ns]
};

/// Number of processors that this process may use, at least 1.
int availableThreads();

}  // namespace drystone
