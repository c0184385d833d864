#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "distributed/body_share.h"
#include "distributed/processes.h"
#include "engine/observe/snapshot_part.h"

namespace drystone {

/// What rows are sorted by.
using RowKey = std::pair<int, int>;

/// Keys that cut the rows of all processes into about equal parts, one less than there are
/// processes, the same on all. Each process gives its keys, sorted.
std::vector<RowKey> cutsOf(const std::vector<RowKey>& keys, Processes& processes);

/// Where the rows of this process lie, which has `count`, after those of the ones before it.
RowPart partOf(std::size_t count, Processes& processes);

/// Sorts the rows of all processes: what each then has follows on that of the one before it. No
/// process has more than about twice its share, unless more rows have one key. Rows of one key keep
/// their order, by process and then as they were. All processes call it.
template <class Row, class KeyOf>
RowPart sortRows(std::vector<Row>& rows, const KeyOf& keyOf, Processes& processes) {
  std::ranges::stable_sort(rows, {}, keyOf);
  std::vector<RowKey> keys;
  for (const Row& row : rows) keys.push_back(keyOf(row));
  const std::vector<RowKey> cuts = cutsOf(keys, processes);
  const int self = processes.rank(), count = processes.count();
  std::vector<std::vector<std::byte>> out(count), in(count);
  std::vector<Row> own, sorted;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto to = std::ranges::upper_bound(cuts, keys[i]) - cuts.begin();
    if (to == self) {
      own.push_back(rows[i]);
    } else {
      pack(rows[i], out[to]);
    }
  }
  processes.exchange(out, in);
  for (int from = 0; from < count; ++from) {
    if (from == self) sorted.insert(sorted.end(), own.begin(), own.end());
    const std::byte* at = in[from].data();
    const std::byte* const end = at + in[from].size();
    while (at != end) sorted.push_back(unpack<Row>(at));
  }
  std::ranges::stable_sort(sorted, {}, keyOf);
  rows.swap(sorted);
  return partOf(rows.size(), processes);
}

}  // namespace drystone
