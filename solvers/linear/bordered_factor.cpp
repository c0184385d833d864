#include "solvers/linear/bordered_factor.h"

#include <algorithm>
#include <cmath>

#include "core/check.h"
#include "solvers/linear/usable_pivot.h"

namespace drystone {

void BorderedFactor::append(std::span<const Real> row) {
  DRYSTONE_ASSERT(static_cast<int>(row.size()) == size_ + 1);
  matrix_.resize(rowStart(size_));
  matrix_.insert(matrix_.end(), row.begin(), row.end());
  ++size_;
}

void BorderedFactor::remove(int index) {
  for (int i = index; i + 1 < size_; ++i) {
    const auto from = matrix_.begin() + static_cast<std::ptrdiff_t>(rowStart(i + 1));
    const auto to = matrix_.begin() + static_cast<std::ptrdiff_t>(rowStart(i));
    std::copy(from, from + index, to);
    std::copy(from + index + 1, from + i + 2, to + index);
  }
  --size_;
  factored_ = std::min(factored_, index);
}

bool BorderedFactor::factor() {
  factor_.resize(rowStart(size_));
  pivot_.resize(size_);
  for (; factored_ < size_; ++factored_) {
    const int i = factored_;
    const Real* entries = &matrix_[rowStart(i)];
    Real* row = &factor_[rowStart(i)];
    // First L_ij d_j, then L_ij.
    for (int j = 0; j < i; ++j) {
      const Real* other = &factor_[rowStart(j)];
      Real value = entries[j];
      for (int k = 0; k < j; ++k) value -= row[k] * other[k];
      row[j] = value;
    }
    Real pivot = entries[i];
    for (int j = 0; j < i; ++j) {
      const Real scaled = row[j];
      row[j] = scaled / pivot_[j];
      pivot -= scaled * row[j];
    }
    // Pivots of a quasi-definite matrix have the signs of its diagonal.
    if (!isUsablePivot(entries[i] < 0 ? -pivot : pivot, entries[i])) return false;
    pivot_[i] = pivot;
  }
  return true;
}

void BorderedFactor::solve(std::span<Real> x) const {
  DRYSTONE_ASSERT(factored_ == size_ && static_cast<int>(x.size()) == size_);
  for (int i = 0; i < size_; ++i) {
    const Real* row = &factor_[rowStart(i)];
    for (int j = 0; j < i; ++j) x[i] -= row[j] * x[j];
  }
  for (int i = 0; i < size_; ++i) x[i] /= pivot_[i];
  for (int i = size_ - 1; i >= 0; --i) {
    const Real* row = &factor_[rowStart(i)];
    for (int j = 0; j < i; ++j) x[j] -= row[j] * x[i];
  }
}

}  // namespace drystone
