#pragma once

#include <array>
#include <atomic>

namespace drystone::viewer {

/// Hands the newest value from one writing thread to one reading thread. Neither ever waits: each
/// has a slot of its own, and the third changes hands by one atomic exchange. Values that the
/// reader was too slow for are lost. Slots keep their capacity.
template <class T>
class TripleBuffer {
 public:
  /// The writer's slot, with some older value in it.
  T& back() { return slots_[back_]; }
  /// Makes the writer's slot the newest value, and another one the writer's.
  void publish() { back_ = shared_.exchange(back_ | kFresh, std::memory_order_acq_rel) & kIndex; }

  /// Takes the newest value, if there is one since the last call.
  bool update() {
    if ((shared_.load(std::memory_order_relaxed) & kFresh) == 0) return false;
    front_ = shared_.exchange(front_, std::memory_order_acq_rel) & kIndex;
    return true;
  }
  /// The reader's slot: what update() took last.
  const T& front() const { return slots_[front_]; }

 private:
  static constexpr unsigned kIndex = 3, kFresh = 4;
  static constexpr int kCacheLine = 64;  // [bytes] the three are written by different threads

  std::array<T, 3> slots_{};
  alignas(kCacheLine) unsigned back_ = 0;
  alignas(kCacheLine) std::atomic<unsigned> shared_{1};  // the slot of neither, and whether fresh
  alignas(kCacheLine) unsigned front_ = 2;
};

}  // namespace drystone::viewer
