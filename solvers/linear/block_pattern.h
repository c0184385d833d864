#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace drystone {

/// Symbolic factorization of a symmetric block matrix: a fill-reducing order (AMD) and the pattern
/// of its triangular factor. Column j of the factor lists the rows i > j that are structurally
/// nonzero.
class BlockPattern {
 public:
  /// Lower-triangular position of the entry that couples two nodes: -1 when the pattern lacks it.
  int find(int nodeA, int nodeB) const;
  /// Orders and analyses anew. Allocates. False: there are more than `mostEntries` entries, and no
  /// pattern.
  bool build(int nodes, std::span<const std::pair<int, int>> pairs,
             int mostEntries = std::numeric_limits<int>::max());

  int nodeCount() const { return static_cast<int>(place_.size()); }
  /// Stored blocks below the diagonal.
  int entryCount() const { return static_cast<int>(rows_.size()); }
  /// Products of two blocks that a Cholesky factor takes, half of what an LU factor does.
  std::int64_t products() const;
  int place(int node) const { return place_[node]; }  ///< position of a node in the order
  int columnBegin(int column) const { return columnStart_[column]; }
  int columnEnd(int column) const { return columnStart_[column + 1]; }
  int row(int entry) const { return rows_[entry]; }
  /// Entries of one row left of the diagonal, by ascending column.
  std::span<const int> rowEntries(int row) const {
    return {rowEntries_.data() + rowStart_[row], rowEntries_.data() + rowStart_[row + 1]};
  }
  int column(int entry) const { return columns_[entry]; }

 private:
  std::vector<int> place_;        // [nodes] node → position
  std::vector<int> columnStart_;  // [nodes + 1]
  std::vector<int> rows_;         // [entries], ascending within a column
  std::vector<int> columns_;      // [entries]
  std::vector<int> rowStart_, rowEntries_;
};

}  // namespace drystone
