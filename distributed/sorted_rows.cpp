// Sorting by regular samples: each process gives as many keys, evenly spaced among its own, and the
// sorted samples of all are cut into equal parts [Shi and Schaeffer 1992].
#include "distributed/sorted_rows.h"

#include <limits>

namespace drystone {

std::vector<RowKey> cutsOf(const std::vector<RowKey>& keys, Processes& processes) {
  const auto count = static_cast<std::size_t>(processes.count());
  std::vector<Real> own, all;
  for (std::size_t i = 0; i < count; ++i) {
    // Who has no row is to cut nothing.
    constexpr int kLast = std::numeric_limits<int>::max();
    const RowKey key = keys.empty() ? RowKey(kLast, kLast) : keys[i * keys.size() / count];
    own.push_back(key.first);
    own.push_back(key.second);
  }
  processes.gather(own, all);
  std::vector<RowKey> samples;
  for (std::size_t i = 0; i < all.size(); i += 2) {
    samples.emplace_back(static_cast<int>(all[i]), static_cast<int>(all[i + 1]));
  }
  std::ranges::sort(samples);
  std::vector<RowKey> cuts;
  for (std::size_t i = 1; i < count; ++i) cuts.push_back(samples[i * count]);
  return cuts;
}

RowPart partOf(std::size_t count, Processes& processes) {
  const Real own = static_cast<Real>(count);
  std::vector<Real> all;
  processes.gather({&own, 1}, all);
  RowPart part;
  for (int r = 0; r < processes.count(); ++r) {
    const auto rows = static_cast<std::size_t>(all[r]);
    if (r < processes.rank()) part.first += rows;
    part.total += rows;
  }
  return part;
}

}  // namespace drystone
