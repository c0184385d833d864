#include "solvers/linear/envelope_matrix.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "solvers/linear/free_factor.h"
#include "solvers/linear/usable_pivot.h"

namespace drystone {
namespace {

using Column = Eigen::Map<VecX>;
using ConstColumn = Eigen::Map<const VecX>;

}  // namespace

bool EnvelopeMatrix::samePattern(const BlockSparseMatrix& matrix, bool reorder) const {
  return reorder == reordered_ && matrix.rowStart == rowStart_ &&
         (!reorder || (matrix.blockStart == blockStart_ && matrix.blockColumn == blockColumn_));
}

void EnvelopeMatrix::analyze(const BlockSparseMatrix& matrix, bool reorder) {
  if (size_ > 0 && samePattern(matrix, reorder)) return;
  size_ = matrix.size();
  reordered_ = reorder;
  rowStart_ = matrix.rowStart;
  blockStart_ = matrix.blockStart;
  blockColumn_ = matrix.blockColumn;
  place_.resize(size_);
  last_.resize(size_);
  first_.resize(size_);
  start_.resize(size_ + 1);
  sigma_.assign(size_, 0);
  if (!reorder) {
    for (int i = 0; i < size_; ++i) {
      place_[i] = i;
      last_[i] = size_ - 1;
      first_[i] = 0;
      start_[i] = static_cast<std::int64_t>(i) * size_ + i;
    }
    start_[size_] = static_cast<std::int64_t>(size_) * size_;
    return;
  }
  reverseCuthillMckee(blockStart_, blockColumn_, orderWorkspace_, blockOrder_);
  int next = 0;
  for (const int block : blockOrder_) {
    for (int row = rowStart_[block]; row < rowStart_[block + 1]; ++row) place_[row] = next++;
  }
  for (int block = 0; block < matrix.blockCount(); ++block) {
    int reach = 0;
    for (int k = blockStart_[block]; k < blockStart_[block + 1]; ++k) {
      reach = std::max(reach, place_[rowStart_[blockColumn_[k] + 1] - 1]);
    }
    for (int row = rowStart_[block]; row < rowStart_[block + 1]; ++row) last_[place_[row]] = reach;
  }
  start_[0] = 0;
  int first = 0;
  for (int j = 0; j < size_; ++j) {
    // What a column reaches, every column that it reaches reaches too.
    if (j > 0 && last_[j - 1] >= j) last_[j] = std::max(last_[j], last_[j - 1]);
    while (last_[first] < j) ++first;
    first_[j] = first;
    start_[j + 1] = start_[j] + last_[j] - j + 1;
  }
}

void EnvelopeMatrix::fill(const BlockSparseMatrix& matrix, int first, Real delta,
                          std::span<const Real> extra) {
  values_.resize(static_cast<std::size_t>(entries()));
  diagonal_.resize(size_);
  own_.resize(size_);
  if (first < size_) {
    std::fill(values_.begin() + static_cast<std::ptrdiff_t>(start_[first]), values_.end(), 0.0);
  }
  for (int block = 0; block < matrix.blockCount(); ++block) {
    for (int k = matrix.blockStart[block]; k < matrix.blockStart[block + 1]; ++k) {
      const int other = matrix.blockColumn[k];
      const Real* value = matrix.values.data() + matrix.valueStart[k];
      for (int row = matrix.rowStart[block]; row < matrix.rowStart[block + 1]; ++row) {
        const int i = place_[row];
        for (int col = matrix.rowStart[other]; col < matrix.rowStart[other + 1]; ++col, ++value) {
          const int j = place_[col];
          if (i >= j && j >= first) column(j)[i - j] = *value;
        }
      }
    }
  }
  for (int j = first; j < size_; ++j) {
    own_[j] = column(j)[0];
    column(j)[0] *= 1 + delta;
    if (!extra.empty()) column(j)[0] += extra[j];
    diagonal_[j] = column(j)[0];
  }
}

bool EnvelopeMatrix::factor(const BlockSparseMatrix& matrix, std::span<const std::uint8_t> isOut,
                            std::span<const Real> extra) {
  regularization_ = 0;
  fill(matrix, 0, 0, extra);
  const bool isWhole = std::find(isOut.begin(), isOut.end(), 1) == isOut.end();
  // A dense factor cannot be broken off.
  const Real n = size_;
  const bool isDense = isFull() && isWhole && deadline.secondsLeft() > denseSeconds(n * n * n / 3);
  if (isDense ? factorDense() : factorColumns(0, isOut)) return true;
  if (deadline.passed()) return false;
  for (int j = 0; j < size_; ++j) {
    if (!isOut[j]) regularization_ = std::max(regularization_, kRegularization * own_[j]);
  }
  fill(matrix, 0, kRegularization, extra);
  return factorColumns(0, isOut);
}

bool EnvelopeMatrix::factorFrom(const BlockSparseMatrix& matrix,
                                std::span<const std::uint8_t> isOut, int first) {
  regularization_ = 0;
  fill(matrix, first, 0, {});
  return factorColumns(first, isOut) || (!deadline.passed() && factor(matrix, isOut));
}

bool EnvelopeMatrix::factorDense() {
  Eigen::Map<MatX> whole(values_.data(), size_, size_);
  if (Eigen::internal::llt_inplace<Real, Eigen::Lower>::blocked(whole) >= 0) return false;
  for (int j = 0; j < size_; ++j) {
    if (!isUsablePivot(whole(j, j) * whole(j, j), diagonal_[j])) return false;
  }
  return true;
}

bool EnvelopeMatrix::factorColumns(int first, std::span<const std::uint8_t> isOut) {
  for (int j = first; j < size_; ++j) {
    if (isOut[j]) continue;
    if (deadline.passed()) return false;
    Real* target = column(j);
    // Columns before j, from the left; four at a time over the rows that all of them reach.
    int k = first_[j];
    while (k < j) {
      int source[4];
      int count = 0;
      for (; k < j && count < 4; ++k) {
        if (!isOut[k] && column(k)[j - k] != 0) source[count++] = k;
      }
      if (count == 0) break;
      const auto from = [&](int s) { return column(source[s]) + (j - source[s]); };
      const int rows = last_[source[0]] - j + 1;
      Column head(target, rows);
      if (count == 4) {
        const Real *p0 = from(0), *p1 = from(1), *p2 = from(2), *p3 = from(3);
        head.noalias() -= p0[0] * ConstColumn(p0, rows) + p1[0] * ConstColumn(p1, rows) +
                          p2[0] * ConstColumn(p2, rows) + p3[0] * ConstColumn(p3, rows);
      } else {
        for (int s = 0; s < count; ++s) head.noalias() -= from(s)[0] * ConstColumn(from(s), rows);
      }
      for (int s = 1; s < count; ++s) {
        const int tail = last_[source[s]] - j + 1 - rows;
        Column(target + rows, tail).noalias() -= from(s)[0] * ConstColumn(from(s) + rows, tail);
      }
    }
    if (!isUsablePivot(target[0], diagonal_[j])) return false;
    target[0] = std::sqrt(target[0]);
    const int below = last_[j] - j;
    Column(target + 1, below) /= target[0];
  }
  return true;
}

void EnvelopeMatrix::takeOut(int row) {
  int end = last_[row];
  std::copy_n(column(row) + 1, end - row, sigma_.begin() + row + 1);
  for (int k = row + 1; k <= end; ++k) {
    const Real x = sigma_[k];
    sigma_[k] = 0;
    if (x == 0) continue;
    Real* target = column(k);
    const Real y = target[0];
    const Real length = std::hypot(x, y);
    const Real cosine = y / length, sine = x / length;
    target[0] = length;
    end = std::max(end, last_[k]);
    const int below = last_[k] - k;
    Real* sigma = sigma_.data() + k;
    for (int i = 1; i <= below; ++i) {
      const Real l = target[i], s = sigma[i];
      target[i] = cosine * l + sine * s;
      sigma[i] = cosine * s - sine * l;
    }
  }
}

void EnvelopeMatrix::solve(std::span<const std::uint8_t> isOut, std::span<Real> x) const {
  for (int j = 0; j < size_; ++j) {
    if (isOut[j]) {
      x[j] = 0;
      continue;
    }
    const int below = last_[j] - j;
    x[j] /= column(j)[0];
    Column(x.data() + j + 1, below).noalias() -= x[j] * ConstColumn(column(j) + 1, below);
  }
  for (int j = size_ - 1; j >= 0; --j) {
    if (isOut[j]) continue;
    const int below = last_[j] - j;
    const Real sum = ConstColumn(column(j) + 1, below).dot(ConstColumn(x.data() + j + 1, below));
    x[j] = (x[j] - sum) / column(j)[0];
  }
}

void EnvelopeMatrix::copyColumns(std::span<const Real> values, int first) {
  values_.resize(values.size());
  const auto begin = static_cast<std::ptrdiff_t>(start_[first]);
  std::copy(values.begin() + begin, values.end(), values_.begin() + begin);
}

}  // namespace drystone
