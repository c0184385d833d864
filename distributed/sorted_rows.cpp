// Sorting by regular samples: each process gives as many keys, evenly spaced among its own, and the
// sorted samples of all are cut into parts of equal weight [Shi and Schaeffer 1992]. A sample
// weighs as much as the rows that it stands for.
#include "distributed/sorted_rows.h"

#include <limits>

namespace drystone {

std::vector<RowKey> cutsOf(const std::vector<RowKey>& keys, Processes& processes) {
  constexpr int kLast = std::numeric_limits<int>::max();
  const auto count = static_cast<std::size_t>(processes.count());
  const Real rows = static_cast<Real>(keys.size());
  std::vector<Real> own, all;
  for (std::size_t i = 0; i < count; ++i) {
    const RowKey key = keys.empty() ? RowKey(kLast, kLast) : keys[i * keys.size() / count];
    own.insert(own.end(), {static_cast<Real>(key.first), static_cast<Real>(key.second), rows});
  }
  processes.gather(own, all);
  std::vector<std::pair<RowKey, Real>> samples;
  Real total = 0;  // of the weights: each row counts once in every sample of its process
  for (std::size_t i = 0; i < all.size(); i += 3) {
    samples.emplace_back(RowKey(static_cast<int>(all[i]), static_cast<int>(all[i + 1])),
                         all[i + 2]);
    total += all[i + 2];
  }
  std::ranges::sort(samples);
  std::vector<RowKey> cuts;
  Real before = 0;
  for (const auto& [key, weight] : samples) {
    const auto next = [&] { return static_cast<Real>(cuts.size() + 1); };
    while (weight > 0 && cuts.size() + 1 < count &&
           before * static_cast<Real>(count) >= next() * total) {
      cuts.push_back(key);
    }
    before += weight;
  }
  cuts.resize(count - 1, RowKey(kLast, kLast));
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
