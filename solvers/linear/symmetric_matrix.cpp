#include "solvers/linear/symmetric_matrix.h"

#include <algorithm>

namespace drystone {

void SymmetricMatrix::clear() {
  start.assign(1, 0);
  column.clear();
  value.clear();
  diagonal.clear();
}

void SymmetricMatrix::add(int entryColumn, Real entry) {
  column.push_back(entryColumn);
  value.push_back(entry);
}

void SymmetricMatrix::endRow() {
  start.push_back(static_cast<int>(column.size()));
  diagonal.push_back(0);
  diagonal.back() = at(size() - 1, size() - 1);
}

void SymmetricMatrix::multiply(std::span<const Real> x, std::span<Real> y) const {
  for (int row = 0; row < size(); ++row) y[row] = rowTimes(row, x);
}

Real SymmetricMatrix::rowTimes(int row, std::span<const Real> x) const {
  Real sum = 0;
  for (int k = start[row]; k < start[row + 1]; ++k) sum += value[k] * x[column[k]];
  return sum;
}

Real SymmetricMatrix::at(int row, int entryColumn) const {
  const auto begin = column.begin() + start[row], end = column.begin() + start[row + 1];
  const auto found = std::lower_bound(begin, end, entryColumn);
  return found != end && *found == entryColumn ? value[found - column.begin()] : 0;
}

SymmetricMatrix symmetricFromDense(const MatX& dense) {
  SymmetricMatrix matrix;
  for (Eigen::Index i = 0; i < dense.rows(); ++i) {
    for (Eigen::Index j = 0; j < dense.cols(); ++j) {
      if (dense(i, j) != 0) matrix.add(static_cast<int>(j), dense(i, j));
    }
    matrix.endRow();
  }
  return matrix;
}

}  // namespace drystone
