#include "solvers/linear/symmetric_sparse.h"

#include <algorithm>

namespace drystone {

void lowerTriangle(const BlockSparseMatrix& matrix, std::span<const std::uint8_t> isOut,
                   SymmetricSparseStorage& out) {
  const int rows = matrix.size();
  out.place.resize(rows);
  int count = 0;
  for (int i = 0; i < rows; ++i) out.place[i] = !isOut.empty() && isOut[i] ? -1 : count++;
  out.columnStart.assign(1, 0);
  out.row.clear();
  out.value.clear();
  for (int c = 0; c < matrix.blockCount(); ++c) {
    for (int i = matrix.rowStart[c]; i < matrix.rowStart[c + 1]; ++i) {
      if (out.place[i] < 0) continue;
      for (int stored = matrix.diagonal[c]; stored < matrix.blockStart[c + 1]; ++stored) {
        const int d = matrix.blockColumn[stored];
        const int width = matrix.blockRows(d);
        const Real* values =
            matrix.values.data() + matrix.valueStart[stored] + (i - matrix.rowStart[c]) * width;
        for (int l = d == c ? i - matrix.rowStart[c] : 0; l < width; ++l) {
          const int place = out.place[matrix.rowStart[d] + l];
          if (place < 0) continue;
          out.row.push_back(place);
          out.value.push_back(values[l]);
        }
      }
      out.columnStart.push_back(static_cast<int>(out.row.size()));
    }
  }
}

void multiply(const SymmetricSparse& a, std::span<const Real> x, std::span<Real> y) {
  std::fill(y.begin(), y.end(), 0.0);
  for (int j = 0; j < a.size; ++j) {
    int e = a.columnStart[j];
    Real sum = a.value[e] * x[j];
    for (++e; e < a.columnStart[j + 1]; ++e) {
      sum += a.value[e] * x[a.row[e]];
      y[a.row[e]] += a.value[e] * x[j];
    }
    y[j] += sum;
  }
}

}  // namespace drystone
