#pragma once

#include "solvers/linear/free_basis.h"
#include "solvers/problem/block_sparse.h"

namespace drystone {

/// Calls `entry(k, l, K_kl)` for every structurally nonzero entry of Rᵀ A C = K − E, row by row and
/// by ascending l within a row of blocks.
template <class Entry>
void forEachFreeEntry(const BlockSparseMatrix& matrix, const FreeBasis& basis, Entry&& entry) {
  for (int c = 0; c < matrix.blockCount(); ++c) {
    for (int k = basis.blockBegin(c); k < basis.blockEnd(c); ++k) {
      for (int stored = matrix.blockStart[c]; stored < matrix.blockStart[c + 1]; ++stored) {
        const int d = matrix.blockColumn[stored];
        const int width = matrix.blockRows(d);
        const Real* values = matrix.values.data() + matrix.valueStart[stored];
        for (int l = basis.blockBegin(d); l < basis.blockEnd(d); ++l) {
          const auto columnEntry = [&](int i) {
            const Real* row = values + i * width;
            if (basis.plain(l)) return row[basis.row(l) - matrix.rowStart[d]];
            const Vec3& column = basis.column(l);
            return row[0] * column[0] + row[1] * column[1] + row[2] * column[2];
          };
          Real value = 0;
          if (basis.plain(k)) {
            value = columnEntry(basis.row(k) - matrix.rowStart[c]);
          } else {
            for (int i = 0; i < 3; ++i) value += basis.equation(k)[i] * columnEntry(i);
          }
          entry(k, l, value);
        }
      }
    }
  }
}

}  // namespace drystone
