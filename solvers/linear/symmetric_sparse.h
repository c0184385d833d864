#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solvers/problem/block_sparse.h"

namespace drystone {

/// Lower triangle of a symmetric matrix in compressed columns; a view.
struct SymmetricSparse {
  int size = 0;
  std::span<const int> columnStart;  ///< [size + 1]
  std::span<const int> row;  ///< ascending in a column, which starts with its diagonal entry
  std::span<const Real> value;
};

/// Owner of such a matrix; keeps its capacity.
struct SymmetricSparseStorage {
  std::vector<int> columnStart, row;
  std::vector<Real> value;
  std::vector<int> place;  ///< [rows of the source] number of a row that is in; work space

  int size() const { return static_cast<int>(columnStart.size()) - 1; }
  SymmetricSparse view() const { return {size(), columnStart, row, value}; }
};

/// The scalar entries of a symmetric block matrix; its upper triangle is read. Rows with `isOut`
/// are left out and the others numbered anew in their order; empty: all are in.
void lowerTriangle(const BlockSparseMatrix& matrix, std::span<const std::uint8_t> isOut,
                   SymmetricSparseStorage& out);

/// y = A x.
void multiply(const SymmetricSparse& a, std::span<const Real> x, std::span<Real> y);

}  // namespace drystone
