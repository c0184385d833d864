#pragma once

#include <span>
#include <vector>

#include "core/types.h"

namespace drystone {

/// Sparse symmetric matrix in compressed rows, both triangles stored, columns ascending within a
/// row. Owns its storage and keeps the capacity when it is filled again.
struct SymmetricMatrix {
  std::vector<int> start = {0};  ///< [size + 1] first entry of each row
  std::vector<int> column;       ///< [entries]
  std::vector<Real> value;       ///< [entries]
  std::vector<Real> diagonal;    ///< [size]

  int size() const { return static_cast<int>(start.size()) - 1; }
  void clear();
  /// Entries of the next row, by ascending column; `endRow` closes it.
  void add(int entryColumn, Real entry);
  void endRow();

  /// y = H x.
  void multiply(std::span<const Real> x, std::span<Real> y) const;
  Real rowTimes(int row, std::span<const Real> x) const;
  /// Entry (row, column); 0 where none is stored.
  Real at(int row, int entryColumn) const;
};

/// Entries that are not zero.
SymmetricMatrix symmetricFromDense(const MatX& dense);

}  // namespace drystone
