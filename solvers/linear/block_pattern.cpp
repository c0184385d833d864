#include "solvers/linear/block_pattern.h"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>

namespace drystone {

int BlockPattern::find(int nodeA, int nodeB) const {
  const int column = std::min(place_[nodeA], place_[nodeB]);
  const int row = std::max(place_[nodeA], place_[nodeB]);
  const auto begin = rows_.begin() + columnStart_[column];
  const auto end = rows_.begin() + columnStart_[column + 1];
  const auto found = std::lower_bound(begin, end, row);
  return found != end && *found == row ? static_cast<int>(found - rows_.begin()) : -1;
}

std::int64_t BlockPattern::products() const {
  std::int64_t sum = 0;
  for (int j = 0; j < nodeCount(); ++j) {
    const std::int64_t below = columnEnd(j) - columnBegin(j);
    sum += 1 + below + below * (below + 1) / 2;
  }
  return sum;
}

bool BlockPattern::build(int nodes, std::span<const std::pair<int, int>> pairs, int mostEntries) {
  using Pattern = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;
  std::vector<Eigen::Triplet<double, int>> triplets;
  // Eigen's AMD finds good orders only where the diagonal is stored.
  for (int i = 0; i < nodes; ++i) triplets.emplace_back(i, i, 1.0);
  for (const auto& [a, b] : pairs) {
    triplets.emplace_back(a, b, 1.0);
    triplets.emplace_back(b, a, 1.0);
  }
  Pattern graph(nodes, nodes);
  graph.setFromTriplets(triplets.begin(), triplets.end());
  // Empty: Eigen frees what it has before it takes more, and frees it again where that fails.
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  if (nodes > 0) Eigen::AMDOrdering<int>()(graph, order);
  place_.resize(nodes);
  // AMD gives the order as position → node.
  for (int i = 0; i < nodes; ++i) place_[order.indices()[i]] = i;

  // Column j of the factor: the neighbours after j and the columns of its children in the
  // elimination tree, without j itself.
  std::vector<std::vector<int>> structure(nodes), children(nodes);
  std::vector<int> nodeAt(nodes), marker(nodes, -1);
  for (int i = 0; i < nodes; ++i) nodeAt[place_[i]] = i;
  std::int64_t entries = 0;
  for (int j = 0; j < nodes; ++j) {
    marker[j] = j;
    const auto take = [&](int row) {
      if (row > j && marker[row] != j) {
        marker[row] = j;
        structure[j].push_back(row);
      }
    };
    for (Pattern::InnerIterator it(graph, nodeAt[j]); it; ++it) {
      take(place_[static_cast<int>(it.row())]);
    }
    for (const int child : children[j]) {
      for (const int row : structure[child]) take(row);
    }
    entries += static_cast<std::int64_t>(structure[j].size());
    if (entries > mostEntries) {
      place_.clear();
      rows_.clear();
      return false;
    }
    std::sort(structure[j].begin(), structure[j].end());
    if (!structure[j].empty()) children[structure[j].front()].push_back(j);
  }

  columnStart_.assign(1, 0);
  rows_.clear();
  columns_.clear();
  rowStart_.assign(nodes + 1, 0);
  for (int j = 0; j < nodes; ++j) {
    for (const int row : structure[j]) {
      rows_.push_back(row);
      columns_.push_back(j);
      ++rowStart_[row + 1];
    }
    columnStart_.push_back(static_cast<int>(rows_.size()));
  }
  for (int i = 0; i < nodes; ++i) rowStart_[i + 1] += rowStart_[i];
  rowEntries_.resize(rows_.size());
  std::vector<int> next(rowStart_.begin(), rowStart_.end() - 1);
  for (int entry = 0; entry < entryCount(); ++entry) rowEntries_[next[rows_[entry]]++] = entry;
  return true;
}

}  // namespace drystone
