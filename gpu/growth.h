#pragma once

#include <cstddef>

namespace drystone::gpu {

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
