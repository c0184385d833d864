#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include "core/parallel.h"

namespace drystone {

/// Lists whose length is not known before they are made, by several threads: each range of indices
/// lists its own, and then all know where theirs goes. Keeps its capacity.
class ParallelSelect {
 public:
  /// Replaces `out` by the values of the indices in [0, count), in this order; indices whose
  /// `valueOf(index)` is negative are left out. It is called once an index, and may write only to
  /// what belongs to that. `grain`: indices that a thread takes at a time.
  template <class ValueOf>
  void list(int count, int grain, int threads, ValueOf&& valueOf, std::vector<int>& out) {
    if (threads <= 1 || count <= grain) {
      out.clear();
      for (int i = 0; i < count; ++i) {
        if (const int value = valueOf(i); value >= 0) out.push_back(value);
      }
      return;
    }
    listed_.resize(static_cast<std::size_t>(count));
    start_.assign(static_cast<std::size_t>((count + grain - 1) / grain) + 1, 0);
    parallelRanges(count, grain, threads, [&](int begin, int end) {
      int next = begin;
      for (int i = begin; i < end; ++i) {
        if (const int value = valueOf(i); value >= 0) {
          listed_[static_cast<std::size_t>(next++)] = value;
        }
      }
      start_[static_cast<std::size_t>(begin / grain) + 1] = next - begin;
    });
    std::partial_sum(start_.begin(), start_.end(), start_.begin());
    out.resize(static_cast<std::size_t>(start_.back()));
    parallelRanges(count, grain, threads, [&](int begin, int) {
      const auto range = static_cast<std::size_t>(begin / grain);
      std::copy_n(listed_.begin() + begin, start_[range + 1] - start_[range],
                  out.begin() + start_[range]);
    });
  }

 private:
  std::vector<int> listed_;  ///< [count] those of a range from its first index on
  std::vector<int> start_;   ///< [ranges + 1] into the list
};

}  // namespace drystone
