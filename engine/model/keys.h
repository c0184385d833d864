#pragma once

#include <algorithm>
#include <vector>

#include "core/types.h"

namespace drystone {

/// Where a time lies among keys: between two of them, or at the first or the last, which then is
/// both.
template <class Key>
struct KeyPlace {
  const Key& before;
  const Key& next;
  Real share = 0;  ///< of the way from one to the other, in [0, 1)
};

/// Finds the place of `time` [s] among keys of ascending `time`, of which there is at least one.
/// What is interpolated by it is held before the first key and after the last.
template <class Key>
KeyPlace<Key> placeAmong(const std::vector<Key>& keys, Real time) {
  const auto next = std::upper_bound(keys.begin(), keys.end(), time,
                                     [](Real t, const Key& key) { return t < key.time; });
  if (next == keys.begin()) return {*next, *next};
  const Key& before = *(next - 1);
  if (next == keys.end()) return {before, before};
  return {before, *next, (time - before.time) / (next->time - before.time)};
}

}  // namespace drystone
