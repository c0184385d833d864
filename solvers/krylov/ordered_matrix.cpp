#include "solvers/krylov/ordered_matrix.h"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/check.h"

namespace drystone {
namespace {

/// Lengths at [i + 1] become starts at [i].
void accumulate(std::vector<int>& start) {
  std::partial_sum(start.begin(), start.end(), start.begin());
}

void minimumDegree(const SymmetricSparse& a, std::vector<int>& order) {
  using Matrix = Eigen::SparseMatrix<Real>;
  const Eigen::Map<const Matrix> matrix(a.size, a.size, static_cast<Eigen::Index>(a.row.size()),
                                        a.columnStart.data(), a.row.data(), a.value.data());
  Eigen::AMDOrdering<int>::PermutationType permutation;
  Eigen::AMDOrdering<int>()(matrix.selfadjointView<Eigen::Lower>(), permutation);
  order.assign(permutation.indices().begin(), permutation.indices().end());
}

}  // namespace

bool OrderedMatrix::load(const SymmetricSparse& a, std::span<const std::uint8_t> isOut,
                         RowOrder order, Prescaling prescaling) {
  const bool isNew = !hasPatternOf(a);
  if (isNew) {
    givenStart_.assign(a.columnStart.begin(), a.columnStart.end());
    givenRow_.assign(a.row.begin(), a.row.end());
    findOrder(a, order);
    findPattern(a);
  }
  isOut_.assign(a.size, 0);
  if (!isOut.empty()) {
    for (int j = 0; j < a.size; ++j) isOut_[j] = isOut[order_[j]];
  }
  diagonal_.resize(a.size);
  for (int j = 0; j < a.size; ++j) {
    diagonal_[j] = a.value[a.columnStart[order_[j]]];
    if (!isOut_[j]) continue;
    diagonal_[j] = std::abs(diagonal_[j]);
    if (!std::isfinite(diagonal_[j]) || diagonal_[j] == 0) diagonal_[j] = 1;
  }
  value_.resize(row_.size());
  for (int j = 0; j < a.size; ++j) {
    for (int e = columnStart_[j]; e < columnStart_[j + 1]; ++e) {
      value_[e] = isOut_[j] || isOut_[row_[e]] ? 0 : a.value[source_[e]];
    }
  }
  findScale(a, prescaling);
  return isNew;
}

bool OrderedMatrix::hasPatternOf(const SymmetricSparse& a) const {
  return std::equal(a.columnStart.begin(), a.columnStart.end(), givenStart_.begin(),
                    givenStart_.end()) &&
         std::equal(a.row.begin(), a.row.end(), givenRow_.begin(), givenRow_.end());
}

void OrderedMatrix::findOrder(const SymmetricSparse& a, RowOrder order) {
  order_.resize(a.size);
  std::iota(order_.begin(), order_.end(), 0);
  if (order == RowOrder::kAmd && a.size > 0) {
    minimumDegree(a, order_);
  } else if (order == RowOrder::kRcm) {
    graphStart_.assign(a.size + 1, 0);
    for (int j = 0; j < a.size; ++j) {
      DRYSTONE_ASSERT(a.row[a.columnStart[j]] == j);
      for (int e = a.columnStart[j] + 1; e < a.columnStart[j + 1]; ++e) {
        ++graphStart_[j + 1];
        ++graphStart_[a.row[e] + 1];
      }
    }
    accumulate(graphStart_);
    neighbour_.resize(graphStart_.back());
    cursor_.assign(graphStart_.begin(), graphStart_.end() - 1);
    for (int j = 0; j < a.size; ++j) {
      for (int e = a.columnStart[j] + 1; e < a.columnStart[j + 1]; ++e) {
        neighbour_[cursor_[j]++] = a.row[e];
        neighbour_[cursor_[a.row[e]]++] = j;
      }
    }
    reverseCuthillMckee(graphStart_, neighbour_, workspace_, order_);
  }
  place_.resize(a.size);
  for (int j = 0; j < a.size; ++j) place_[order_[j]] = j;
}

void OrderedMatrix::findPattern(const SymmetricSparse& a) {
  // Two sorts by counting, first by row and then by column, leave the rows of a column ascending.
  const int size = a.size;
  const int entries = static_cast<int>(a.row.size()) - size;
  rowStart_.assign(size + 1, 0);
  columnStart_.assign(size + 1, 0);
  column_.resize(entries);
  entry_.resize(entries);
  row_.resize(entries);
  source_.resize(entries);
  for (int j = 0; j < size; ++j) {
    DRYSTONE_ASSERT(a.row[a.columnStart[j]] == j);
    for (int e = a.columnStart[j] + 1; e < a.columnStart[j + 1]; ++e) {
      const auto [low, high] = std::minmax(place_[j], place_[a.row[e]]);
      ++columnStart_[low + 1];
      ++rowStart_[high + 1];
    }
  }
  accumulate(columnStart_);
  accumulate(rowStart_);
  cursor_.assign(rowStart_.begin(), rowStart_.end() - 1);
  for (int j = 0; j < size; ++j) {
    for (int e = a.columnStart[j] + 1; e < a.columnStart[j + 1]; ++e) {
      const auto [low, high] = std::minmax(place_[j], place_[a.row[e]]);
      column_[cursor_[high]] = low;
      entry_[cursor_[high]++] = e;
    }
  }
  cursor_.assign(columnStart_.begin(), columnStart_.end() - 1);
  for (int i = 0; i < size; ++i) {
    for (int k = rowStart_[i]; k < rowStart_[i + 1]; ++k) {
      const int e = cursor_[column_[k]]++;
      row_[e] = i;
      source_[e] = entry_[k];
    }
  }
  cursor_.assign(rowStart_.begin(), rowStart_.end() - 1);
  for (int j = 0; j < size; ++j) {
    for (int e = columnStart_[j]; e < columnStart_[j + 1]; ++e) {
      const int k = cursor_[row_[e]]++;
      column_[k] = j;
      entry_[k] = e;
    }
  }
}

void OrderedMatrix::findScale(const SymmetricSparse& a, Prescaling prescaling) {
  scale_.assign(a.size, 1);
  if (prescaling == Prescaling::kDiagonal) {
    for (int j = 0; j < a.size; ++j) scale_[j] = std::abs(diagonal_[j]);
  } else if (prescaling == Prescaling::kColumnNorm) {
    for (int j = 0; j < a.size; ++j) scale_[j] = diagonal_[j] * diagonal_[j];
    for (int j = 0; j < a.size; ++j) {
      for (int e = columnStart_[j]; e < columnStart_[j + 1]; ++e) {
        scale_[j] += value_[e] * value_[e];
        scale_[row_[e]] += value_[e] * value_[e];
      }
    }
    for (Real& square : scale_) square = std::sqrt(square);
  }
  for (Real& s : scale_) {
    s = 1 / std::sqrt(s);
    if (!std::isfinite(s) || s == 0) s = 1;
  }
  Real sum = 0;
  int count = 0;
  for (int j = 0; j < a.size; ++j) {
    diagonal_[j] *= scale_[j] * scale_[j];
    for (int e = columnStart_[j]; e < columnStart_[j + 1]; ++e) {
      value_[e] *= scale_[j] * scale_[row_[e]];
    }
    if (isOut_[j] || !std::isfinite(diagonal_[j])) continue;
    sum += std::abs(diagonal_[j]);
    ++count;
  }
  meanDiagonal_ = sum > 0 ? sum / count : 1;
}

}  // namespace drystone
