#include "solvers/linear/factor_cache.h"

#include <algorithm>
#include <limits>

#include "core/hash.h"

namespace drystone {

void FactorCache::clear(std::size_t values, std::size_t maxBytes) {
  used_ = 0;
  clock_ = 0;
  valueCount_ = values;
  const std::size_t fit = maxBytes / std::max<std::size_t>(values * sizeof(Real), 1);
  capacity_ = static_cast<int>(
      std::min<std::size_t>(fit, static_cast<std::size_t>(std::numeric_limits<int>::max()) / 4));
  ofName_.assign(1, -1);  // the root has no entry
  std::fill(table_.begin(), table_.end(), -1);
}

std::size_t FactorCache::slotOf(std::int64_t prefix, int row) const {
  Hasher hasher;
  hasher.bytes(&prefix, sizeof prefix);
  hasher.bytes(&row, sizeof row);
  std::size_t slot = hasher.value() & (table_.size() - 1);
  while (table_[slot] >= 0) {
    const Entry& entry = entries_[table_[slot]];
    if (entry.prefix == prefix && entry.row == row) break;
    slot = (slot + 1) & (table_.size() - 1);
  }
  return slot;
}

void FactorCache::index(int entry) {
  table_[slotOf(entries_[entry].prefix, entries_[entry].row)] = entry;
}

void FactorCache::rebuildTable() {
  std::fill(table_.begin(), table_.end(), -1);
  for (int entry = 0; entry < used_; ++entry) index(entry);
}

std::int64_t FactorCache::find(std::int64_t prefix, int row) {
  if (used_ == 0) return -1;
  const int found = table_[slotOf(prefix, row)];
  if (found < 0) return -1;
  entries_[found].lastUse = ++clock_;
  return entries_[found].name;
}

std::span<const Real> FactorCache::values(std::int64_t name) const {
  return entries_[ofName_[name]].values;
}

std::int64_t FactorCache::add(std::int64_t prefix, int row, std::span<const Real> values) {
  if (capacity_ == 0) return -1;
  int target = used_;
  const bool drops = used_ == capacity_;
  if (drops) {
    target = 0;
    for (int i = 1; i < used_; ++i) {
      if (entries_[i].lastUse < entries_[target].lastUse) target = i;
    }
    ofName_[entries_[target].name] = -1;
  } else {
    ++used_;
    if (static_cast<int>(entries_.size()) < used_) entries_.emplace_back();
  }
  Entry& entry = entries_[target];
  entry.prefix = prefix;
  entry.row = row;
  entry.name = static_cast<std::int64_t>(ofName_.size());
  entry.lastUse = ++clock_;
  entry.values.assign(values.begin(), values.end());
  ofName_.push_back(target);
  // Half full at most, and rebuilt after a drop: open addressing cannot forget a single entry.
  if (table_.size() < 2 * static_cast<std::size_t>(used_)) {
    table_.assign(std::max<std::size_t>(64, 2 * table_.size()), -1);
    rebuildTable();
  } else if (drops) {
    rebuildTable();
  } else {
    index(target);
  }
  return entry.name;
}

}  // namespace drystone
