#include "solvers/problem/block_sparse.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/check.h"

namespace drystone {
namespace {

/// y += block x for a row-major block; the common 3 x 3 block is spelt out.
inline void addProduct(const Real* block, int rows, int columns, const Real* x, Real* y) {
  if (rows == 3 && columns == 3) {
    y[0] += block[0] * x[0] + block[1] * x[1] + block[2] * x[2];
    y[1] += block[3] * x[0] + block[4] * x[1] + block[5] * x[2];
    y[2] += block[6] * x[0] + block[7] * x[1] + block[8] * x[2];
    return;
  }
  for (int i = 0; i < rows; ++i) {
    Real sum = 0;
    for (int j = 0; j < columns; ++j) sum += block[i * columns + j] * x[j];
    y[i] += sum;
  }
}

}  // namespace

void BlockSparseMatrix::clear() {
  rowStart.clear();
  blockStart.clear();
  blockColumn.clear();
  valueStart.clear();
  diagonal.clear();
  values.clear();
}

void BlockSparseMatrix::multiply(std::span<const Real> x, std::span<Real> y) const {
  DRYSTONE_ASSERT(static_cast<int>(x.size()) == size() && static_cast<int>(y.size()) == size());
  for (int block = 0; block < blockCount(); ++block) multiplyRow(block, x, &y[rowStart[block]]);
}

void BlockSparseMatrix::multiplyRow(int block, std::span<const Real> x, Real* y) const {
  const int rows = blockRows(block);
  std::fill(y, y + rows, 0);
  for (int stored = blockStart[block]; stored < blockStart[block + 1]; ++stored) {
    const int column = blockColumn[stored];
    addProduct(&values[valueStart[stored]], rows, blockRows(column), &x[rowStart[column]], y);
  }
}

MatX BlockSparseMatrix::toDense() const {
  MatX dense = MatX::Zero(size(), size());
  for (int block = 0; block < blockCount(); ++block) {
    for (int stored = blockStart[block]; stored < blockStart[block + 1]; ++stored) {
      const int column = blockColumn[stored];
      using RowMajor = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
      dense.block(rowStart[block], rowStart[column], blockRows(block), blockRows(column)) =
          Eigen::Map<const RowMajor>(&values[valueStart[stored]], blockRows(block),
                                     blockRows(column));
    }
  }
  return dense;
}

Real BlockSparseMatrix::asymmetry() const {
  Real largest = 0;
  Real difference = 0;
  for (int block = 0; block < blockCount(); ++block) {
    for (int stored = blockStart[block]; stored < blockStart[block + 1]; ++stored) {
      const int column = blockColumn[stored];
      const auto begin = blockColumn.begin() + blockStart[column];
      const auto end = blockColumn.begin() + blockStart[column + 1];
      const auto mirror = std::lower_bound(begin, end, block);
      const Real* mirrored = mirror != end && *mirror == block
                                 ? &values[valueStart[mirror - blockColumn.begin()]]
                                 : nullptr;
      const int rows = blockRows(block);
      const int columns = blockRows(column);
      for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < columns; ++j) {
          const Real value = values[valueStart[stored] + i * columns + j];
          const Real transposed = mirrored ? mirrored[j * rows + i] : 0;
          largest = std::max(largest, std::abs(value));
          difference = std::max(difference, std::abs(value - transposed));
        }
      }
    }
  }
  return largest > 0 ? difference / largest : 0;
}

BlockSparseMatrix blockSparseFromTriplets(std::span<const int> rowStart, std::span<const int> rows,
                                          std::span<const int> columns,
                                          std::span<const Real> values) {
  DRYSTONE_ASSERT(!rowStart.empty() && rowStart.front() == 0);
  DRYSTONE_ASSERT(rows.size() == columns.size() && rows.size() == values.size());
  const int blocks = static_cast<int>(rowStart.size()) - 1;
  BlockSparseMatrix matrix;
  matrix.rowStart.assign(rowStart.begin(), rowStart.end());

  std::vector<int> blockOfRow(rowStart.back());
  for (int block = 0; block < blocks; ++block) {
    std::fill(blockOfRow.begin() + rowStart[block], blockOfRow.begin() + rowStart[block + 1],
              block);
  }
  // Entries by (block row, block column) in the order given, so that sums of repeated entries do
  // not depend on the sort. The diagonal blocks enter without a value.
  struct Place {
    int blockRow, blockColumn, entry;
  };
  std::vector<Place> places;
  places.reserve(rows.size() + blocks);
  for (int block = 0; block < blocks; ++block) places.push_back({block, block, -1});
  for (std::size_t entry = 0; entry < rows.size(); ++entry) {
    DRYSTONE_ASSERT(rows[entry] >= 0 && rows[entry] < rowStart.back());
    DRYSTONE_ASSERT(columns[entry] >= 0 && columns[entry] < rowStart.back());
    places.push_back(
        {blockOfRow[rows[entry]], blockOfRow[columns[entry]], static_cast<int>(entry)});
  }
  std::stable_sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
    return a.blockRow != b.blockRow ? a.blockRow < b.blockRow : a.blockColumn < b.blockColumn;
  });

  matrix.blockStart.assign(blocks + 1, 0);
  matrix.diagonal.assign(blocks, 0);
  matrix.valueStart.push_back(0);
  int lastRow = -1;
  int lastColumn = -1;
  for (const Place& place : places) {
    if (place.blockRow != lastRow || place.blockColumn != lastColumn) {
      lastRow = place.blockRow;
      lastColumn = place.blockColumn;
      if (lastRow == lastColumn) matrix.diagonal[lastRow] = matrix.blockColumn.size();
      matrix.blockColumn.push_back(lastColumn);
      ++matrix.blockStart[lastRow + 1];
      matrix.values.resize(matrix.values.size() +
                           matrix.blockRows(lastRow) * matrix.blockRows(lastColumn));
      matrix.valueStart.push_back(static_cast<int>(matrix.values.size()));
    }
    if (place.entry < 0) continue;
    const int first = matrix.valueStart[matrix.blockColumn.size() - 1];
    const int row = rows[place.entry] - rowStart[lastRow];
    const int column = columns[place.entry] - rowStart[lastColumn];
    matrix.values[first + row * matrix.blockRows(lastColumn) + column] += values[place.entry];
  }
  std::partial_sum(matrix.blockStart.begin(), matrix.blockStart.end(), matrix.blockStart.begin());
  return matrix;
}

}  // namespace drystone
