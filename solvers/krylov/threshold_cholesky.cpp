#include "solvers/krylov/threshold_cholesky.h"

#include <algorithm>
#include <cmath>

#include "solvers/linear/usable_pivot.h"

namespace drystone {
void ThresholdCholesky::factorize() {
  findLimits();
  Real gamma = 0;
  while (!makeColumns(gamma * matrix_.meanDiagonal(), statistics_.shifts > kMaxShifts)) {
    ++statistics_.shifts;
    gamma = gamma == 0 ? settings_.shift : settings_.shiftGrowth * gamma;
    statistics_.shift = gamma;
  }
}

void ThresholdCholesky::findLimits() {
  const int size = matrix_.size();
  const Real mean = static_cast<Real>(matrix_.row().size()) / std::max(size, 1);
  least_.resize(size);
  most_.resize(size);
  std::size_t entries = 0;
  for (int j = 0; j < size; ++j) {
    const int begin = matrix_.columnStart()[j], end = matrix_.columnStart()[j + 1];
    Real square = matrix_.diagonal()[j] * matrix_.diagonal()[j];
    for (int e = begin; e < end; ++e) square += matrix_.value()[e] * matrix_.value()[e];
    least_[j] = settings_.dropTolerance * std::sqrt(square);
    const Real most = std::ceil(settings_.fillCap * std::max<Real>(end - begin, mean));
    most_[j] = static_cast<int>(std::min<Real>(most, size - 1 - j));
    entries += static_cast<std::size_t>(most_[j]);
  }
  // How many there will be depends on the values: the next factor of this pattern has room.
  row_.reserve(entries);
  value_.reserve(entries);
  touched_.reserve(size);
  start_.reserve(size + 1);
}

void ThresholdCholesky::clear() {
  const int size = matrix_.size();
  start_.assign(1, 0);
  row_.clear();
  value_.clear();
  first_.resize(size);
  head_.assign(size, -1);
  next_.resize(size);
  work_.resize(size);
  mark_.assign(size, -1);
}

bool ThresholdCholesky::makeColumns(Real shift, bool replace) {
  clear();
  for (int j = 0; j < matrix_.size(); ++j) {
    if (!findPivot(j, shift, replace)) return false;
    accumulateColumn(j);
    storeColumn(j);
  }
  return true;
}

bool ThresholdCholesky::findPivot(int column, Real shift, bool replace) {
  const Real scale = pivotScale(column) + shift;
  Real pivot = matrix_.diagonal()[column] + shift;
  for (int k = head_[column]; k >= 0; k = next_[k]) {
    const Real entry = value_[first_[k]];
    pivot -= entry * entry * pivot_[k];
  }
  if (!std::isfinite(pivot)) {
    for (int k = head_[column]; k >= 0; k = next_[k]) value_[first_[k]] = 0;
    pivot = 0;
    replace = true;
  }
  sign_[column] = PivotSign::kPositive;
  if (!isUsablePivot(pivot, scale)) {
    if (!replace) return false;
    sign_[column] = isUsablePivot(-pivot, scale) ? PivotSign::kNegative : PivotSign::kZero;
    pivot = scale;
  }
  pivot_[column] = pivot;
  return true;
}

void ThresholdCholesky::accumulateColumn(int column) {
  touched_.clear();
  for (int e = matrix_.columnStart()[column]; e < matrix_.columnStart()[column + 1]; ++e) {
    const int i = matrix_.row()[e];
    mark_[i] = column;
    work_[i] = matrix_.value()[e];
    touched_.push_back(i);
  }
  int next;
  for (int k = head_[column]; k >= 0; k = next) {
    next = next_[k];
    const Real factor = value_[first_[k]] * pivot_[k];
    for (int e = ++first_[k]; e < start_[k + 1]; ++e) {
      const int i = row_[e];
      if (mark_[i] != column) {
        mark_[i] = column;
        work_[i] = 0;
        touched_.push_back(i);
      }
      work_[i] -= value_[e] * factor;
    }
    link(k);
  }
}

void ThresholdCholesky::storeColumn(int column) {
  std::erase_if(touched_, [&](int i) {
    // What is not finite stays: the pivot of its row tells, and clears it.
    return std::abs(work_[i]) < least_[column] || work_[i] == 0;
  });
  if (static_cast<int>(touched_.size()) > most_[column]) {
    std::nth_element(touched_.begin(), touched_.begin() + most_[column], touched_.end(),
                     [&](int i, int k) {
                       const Real a = std::abs(work_[i]), b = std::abs(work_[k]);
                       return a != b ? a > b : i < k;
                     });
    touched_.resize(most_[column]);
  }
  std::sort(touched_.begin(), touched_.end());
  const Real inverse = 1 / pivot_[column];
  first_[column] = static_cast<int>(row_.size());
  for (const int i : touched_) {
    row_.push_back(i);
    value_.push_back(work_[i] * inverse);
  }
  start_.push_back(static_cast<int>(row_.size()));
  link(column);
}

void ThresholdCholesky::link(int column) {
  if (first_[column] == start_[column + 1]) return;
  const int row = row_[first_[column]];
  next_[column] = head_[row];
  head_[row] = column;
}

}  // namespace drystone
