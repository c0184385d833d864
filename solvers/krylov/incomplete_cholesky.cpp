#include "solvers/krylov/incomplete_cholesky.h"

#include <algorithm>
#include <cmath>

#include "solvers/linear/usable_pivot.h"

namespace drystone {
namespace {

/// Columns that partial shifts may make again, over the number of columns.
constexpr int kMaxPasses = 16;

}  // namespace

void IncompleteCholesky::factorize() {
  const int size = matrix_.size();
  const int entries = static_cast<int>(matrix_.row().size());
  value_.assign(entries + 1, 0);
  target_.assign(size, entries);
  shift_.assign(size, 0);
  switch (settings_.kind) {
    case PreconditionerKind::kIc0Shift:
      return factorizeShifted(0);
    case PreconditionerKind::kIc0PartialShift:
      return factorizePartiallyShifted();
    case PreconditionerKind::kIc0Imaginary:
      makeColumns(0, Breakdown::kKeepNegative);
      return;
    default:
      makeColumns(0, Breakdown::kReplace);
  }
}

void IncompleteCholesky::factorizeShifted(Real gamma) {
  for (int attempt = 0; attempt < kMaxShifts; ++attempt) {
    std::fill(shift_.begin(), shift_.end(), gamma * matrix_.meanDiagonal());
    statistics_.shift = gamma;
    if (makeColumns(0, Breakdown::kStop) == matrix_.size()) return;
    gamma = gamma == 0 ? settings_.shift : settings_.shiftGrowth * gamma;
    ++statistics_.shifts;
  }
  makeColumns(0, Breakdown::kReplace);
}

// A breakdown at column j comes from the columns before it that have an entry in row j. They get
// 2^p γ more the p-th time, and everything from the first of them on is made again. When that takes
// too long the whole diagonal is shifted instead.
void IncompleteCholesky::factorizePartiallyShifted() {
  const int size = matrix_.size();
  raised_.assign(size, 0);
  std::int64_t columns = static_cast<std::int64_t>(kMaxPasses) * size;
  int first = 0;
  while (columns > 0) {
    const int broken = makeColumns(first, Breakdown::kStop);
    if (broken == size) return;
    ++statistics_.shifts;
    columns -= broken - first + 1;
    first = raiseFeeders(broken);
  }
  factorizeShifted(settings_.shift);
}

int IncompleteCholesky::raiseFeeders(int column) {
  int first = column;
  const Real diagonal = matrix_.diagonal()[column] + shift_[column];
  const auto raise = [&](int k) {
    shift_[k] += std::ldexp(settings_.shift, raised_[k]++) * matrix_.meanDiagonal();
    statistics_.shift = std::max(statistics_.shift, shift_[k] / matrix_.meanDiagonal());
    first = std::min(first, k);
  };
  // No shift of others helps where its own diagonal entry is the cause.
  if (!isUsablePivot(diagonal, pivotScale(column) + shift_[column])) {
    raise(column);
    return first;
  }
  for (int r = matrix_.rowStart()[column]; r < matrix_.rowStart()[column + 1]; ++r) {
    if (value_[matrix_.entry()[r]] != 0) raise(matrix_.column()[r]);
  }
  return first;
}

int IncompleteCholesky::makeColumns(int first, Breakdown breakdown) {
  const int size = matrix_.size();
  for (int j = first; j < size; ++j) {
    const Real pivot = usablePivot(j, pivotOf(j), breakdown);
    if (pivot == 0) return j;
    pivot_[j] = pivot;
    fillColumn(j);
  }
  return size;
}

Real IncompleteCholesky::pivotOf(int column) const {
  Real pivot = matrix_.diagonal()[column] + shift_[column];
  for (int r = matrix_.rowStart()[column]; r < matrix_.rowStart()[column + 1]; ++r) {
    const Real entry = value_[matrix_.entry()[r]];
    pivot -= entry * entry * pivot_[matrix_.column()[r]];
  }
  return pivot;
}

Real IncompleteCholesky::usablePivot(int column, Real pivot, Breakdown breakdown) {
  const Real scale = pivotScale(column) + shift_[column];
  // Entries that are not finite, and growth, show in the pivot of their row. Where a negative pivot
  // stays it is as large as its row; where it is replaced, a large row would no longer fit it.
  const Real growth = breakdown == Breakdown::kReplace ? 1 : 1 / kTinyPivot;
  const bool isLost = !(-pivot <= growth * scale && pivot * kTinyPivot < scale);
  sign_[column] = PivotSign::kPositive;
  if (!isLost && isUsablePivot(pivot, scale)) return pivot;
  if (breakdown == Breakdown::kStop && std::isfinite(pivot)) return 0;
  if (isLost) clearRow(column);
  const bool isNegative = isUsablePivot(-pivot, scale);
  sign_[column] = isNegative ? PivotSign::kNegative : PivotSign::kZero;
  return isNegative && !isLost && breakdown == Breakdown::kKeepNegative ? pivot : scale;
}

void IncompleteCholesky::clearRow(int row) {
  for (int r = matrix_.rowStart()[row]; r < matrix_.rowStart()[row + 1]; ++r) {
    value_[matrix_.entry()[r]] = 0;
  }
}

void IncompleteCholesky::fillColumn(int column) {
  const std::span<const int> start = matrix_.columnStart();
  const std::span<const int> row = matrix_.row();
  const int begin = start[column], end = start[column + 1];
  for (int e = begin; e < end; ++e) {
    value_[e] = matrix_.value()[e];
    target_[row[e]] = e;
  }
  for (int r = matrix_.rowStart()[column]; r < matrix_.rowStart()[column + 1]; ++r) {
    const int k = matrix_.column()[r];
    const int entry = matrix_.entry()[r];
    const Real factor = value_[entry] * pivot_[k];
    if (factor == 0) continue;
    for (int e = entry + 1; e < start[k + 1]; ++e) value_[target_[row[e]]] -= value_[e] * factor;
  }
  const Real inverse = 1 / pivot_[column];
  const int outside = static_cast<int>(row.size());
  for (int e = begin; e < end; ++e) {
    value_[e] *= inverse;
    target_[row[e]] = outside;
  }
}

}  // namespace drystone
