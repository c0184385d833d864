#pragma once

#include <cstddef>

#include "core/host_device.h"

namespace drystone::gpu {

/// Bytes to which every array is aligned: what a warp reads at once.
constexpr std::size_t kArrayAlignment = 128;

/// Elements from one column of a table to the next: a multiple of a warp, so that each is aligned.
DRYSTONE_HD constexpr std::size_t paddedCount(std::size_t count) {
  constexpr std::size_t kLanes = 32;
  return (count + kLanes - 1) / kLanes * kLanes;
}

/// What of a view's memory goes which way.
struct Sections {
  std::size_t keptEnd = 0;     ///< uploaded, unless it is there as before: [0, keptEnd)
  std::size_t inputEnd = 0;    ///< uploaded: [keptEnd, inputEnd)
  std::size_t impulseEnd = 0;  ///< λ: [inputEnd, impulseEnd)
  std::size_t resultEnd = 0;   ///< one by one: [impulseEnd, resultEnd); the host needs no more
  std::size_t end = 0;
};

/// Places arrays one after another from `base`, with at least one unused byte behind each.
/// `onGap(begin, bytes)` is told what lies unused. With a null base only `end()` is of use.
template <class OnGap>
class Placement {
 public:
  Placement(std::byte* base, OnGap& onGap) : base_(base), onGap_(onGap) {}

  /// Null where there are none.
  template <class T>
  void place(T*& array, std::size_t count) {
    array = nullptr;
    if (count == 0) return;
    const std::size_t used = end_ + count * sizeof(T);
    const std::size_t next = (used / kArrayAlignment + 1) * kArrayAlignment;
    if (base_ != nullptr) {
      array = reinterpret_cast<T*>(base_ + end_);
      onGap_(base_ + used, next - used);
    }
    end_ = next;
  }
  std::size_t end() const { return end_; }

 private:
  std::byte* base_;
  OnGap& onGap_;
  std::size_t end_ = 0;
};

/// Finds room for memory that only grows and needs `bytes` now: just these at first, so that what
/// is as large as the device fits, and a quarter more when it grows, so that slow growth does not
/// allocate again and again; where that is too much, just what is needed. `allocate(bytes)` says
/// whether there was room. Returns the bytes that there are then, 0: no room.
template <class Allocate>
std::size_t allocateGrowing(std::size_t bytes, bool isFirst, Allocate&& allocate) {
  const std::size_t ample = bytes + bytes / 4;
  if (!isFirst && allocate(ample)) return ample;
  return allocate(bytes) ? bytes : 0;
}

}  // namespace drystone::gpu
