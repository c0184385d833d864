#include "solvers/krylov/free_preconditioner.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/check.h"

namespace drystone {
namespace {

/// A diagonal entry that has grown or shrunk by more than this spoils a factor.
constexpr Real kDiagonalChange = 2;

}  // namespace

void FreePreconditioner::visitSettings(SettingVisitor& visitor) {
  settings_.visit(visitor);
  isMade_ = false;
}

void FreePreconditioner::reserve(const ProblemSize& size) {
  for (auto* array : {&diagonal_, &factoredDiagonal_}) array->reserve(size.rows);
  factoredOut_.reserve(size.rows);
}

bool FreePreconditioner::needsEntries() const {
  return settings_.kind != PreconditionerKind::kNone &&
         settings_.kind != PreconditionerKind::kJacobi;
}

void FreePreconditioner::attach(const RowSystem& rows) {
  if (!isMade_) preconditioner_ = makePreconditioner(settings_);
  isMade_ = true;
  isFactored_ = false;
  const int count = rows.rowCount();
  if (needsEntries()) {
    DRYSTONE_ASSERT(rows.matrix() != nullptr);
    lowerTriangle(*rows.matrix(), {}, matrix_);
  } else {
    matrix_.columnStart.resize(count + 1);
    matrix_.row.resize(count);
    matrix_.value.resize(count);
    for (int row = 0; row < count; ++row) {
      matrix_.columnStart[row] = matrix_.row[row] = row;
      matrix_.value[row] = rows.diagonal(row);
    }
    matrix_.columnStart[count] = count;
  }
  diagonal_.resize(count);
  for (int row = 0; row < count; ++row) diagonal_[row] = matrix_.value[matrix_.columnStart[row]];
}

bool FreePreconditioner::update(std::span<const std::uint8_t> isOut, std::span<const Real> added) {
  const Fit fit = fitOf(isOut, added);
  if (fit == Fit::kFar) {
    factor(isOut, added);
    return true;
  }
  isStale_ = fit == Fit::kNear;
  if (renew(isOut, added)) return true;
  if (isStale_) ++statistics_.reuses;
  return false;
}

int FreePreconditioner::stepsLeft() const {
  if (!isStale_) return std::numeric_limits<int>::max();
  // With 20 entries of L a row a factor takes as long as some 20 steps, and again with each shift.
  const PreconditionerStatistics& last = preconditioner_->statistics();
  const std::int64_t worth = last.fill * (1 + last.shifts) / std::max(last.rows, 1);
  return static_cast<int>(std::max<std::int64_t>(worth - staleSteps_, 0));
}

bool FreePreconditioner::renew(std::span<const std::uint8_t> isOut, std::span<const Real> added) {
  if (stepsLeft() > 0) return false;
  factor(isOut, added);
  return true;
}

FreePreconditioner::Fit FreePreconditioner::fitOf(std::span<const std::uint8_t> isOut,
                                                  std::span<const Real> added) const {
  if (!isFactored_) return Fit::kFar;
  int free = 0, changed = 0;
  bool isSame = true;
  for (std::size_t row = 0; row < isOut.size(); ++row) {
    if (isOut[row] != factoredOut_[row]) ++changed;
    if (isOut[row]) continue;
    ++free;
    const Real now = diagonal_[row] + (added.empty() ? 0 : added[row]);
    const Real then = factoredDiagonal_[row];
    if (now == then) continue;
    if (!(now < kDiagonalChange * then && then < kDiagonalChange * now)) return Fit::kFar;
    isSame = false;
  }
  // Row by row it is that of whatever rows are free.
  if (!needsEntries()) return Fit::kSame;
  if (changed > refactorShare * free) return Fit::kFar;
  return isSame && changed == 0 ? Fit::kSame : Fit::kNear;
}

void FreePreconditioner::factor(std::span<const std::uint8_t> isOut, std::span<const Real> added) {
  factoredOut_.assign(isOut.begin(), isOut.end());
  factoredDiagonal_.assign(diagonal_.begin(), diagonal_.end());
  for (std::size_t row = 0; row < added.size(); ++row) factoredDiagonal_[row] += added[row];
  for (std::size_t row = 0; row < diagonal_.size(); ++row) {
    matrix_.value[matrix_.columnStart[row]] = factoredDiagonal_[row];
  }
  preconditioner_->factor(matrix_.view(), isOut);
  isFactored_ = true;
  isStale_ = false;
  staleSteps_ = 0;
  const PreconditionerStatistics& last = preconditioner_->statistics();
  ++statistics_.factorizations;
  statistics_.rows += std::count(isOut.begin(), isOut.end(), 0);
  statistics_.fill += last.fill;
  statistics_.negativePivots += last.negativePivots;
  statistics_.zeroPivots += last.zeroPivots;
  statistics_.shifts += last.shifts;
  statistics_.shift = std::max(statistics_.shift, last.shift);
  statistics_.factorMs += last.timeMs;
}

}  // namespace drystone
