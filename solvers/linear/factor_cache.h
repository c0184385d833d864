#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/types.h"

namespace drystone {

/// Factors of one matrix with rows taken out, by the ascending prefix of the rows that are out: a
/// prefix is named by the entry of the prefix without its last row, and that row (Lefebvre 2020,
/// §3.1). Beyond a cap on memory the entry used longest ago makes room. Keeps its buffers when it
/// is cleared.
class FactorCache {
 public:
  static constexpr std::int64_t kRoot = 0;  ///< name of the empty prefix

  /// Forgets everything; from now on copies have `values` numbers, and take `maxBytes` at most.
  void clear(std::size_t values, std::size_t maxBytes);
  /// Name of the prefix that `row` extends, or -1. What is found counts as used.
  std::int64_t find(std::int64_t prefix, int row);
  std::span<const Real> values(std::int64_t name) const;
  /// Stores a copy; returns its name. -1: not even one copy fits.
  std::int64_t add(std::int64_t prefix, int row, std::span<const Real> values);

  int entries() const { return used_; }
  /// Size of the copies held [bytes].
  std::size_t bytes() const { return static_cast<std::size_t>(used_) * valueCount_ * sizeof(Real); }

 private:
  struct Entry {
    std::int64_t prefix = -1, name = -1;
    int row = -1;
    std::uint64_t lastUse = 0;
    std::vector<Real> values;
  };

  std::size_t slotOf(std::int64_t prefix, int row) const;
  void index(int entry);
  void rebuildTable();

  std::vector<Entry> entries_;  // the first used_ are in use
  std::vector<int> table_;      // open addressing over (prefix, row); -1: free. A power of two
  std::vector<int> ofName_;     // [names] entry, -1: dropped
  int used_ = 0, capacity_ = 0;
  std::size_t valueCount_ = 0;
  std::uint64_t clock_ = 0;
};

}  // namespace drystone
