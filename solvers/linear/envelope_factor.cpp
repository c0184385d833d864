#include "solvers/linear/envelope_factor.h"

#include <algorithm>

#include "core/check.h"

namespace drystone {
namespace {

/// Time of taking a row through a stored entry over that of one multiplication of the factoring:
/// two loads and two stores against a share of one.
constexpr Real kEntryCost = 4;

}  // namespace

void TightRows::find(const EnvelopeMatrix& matrix, const FreeBasis& basis) {
  isOut.assign(matrix.size(), 1);
  for (int k = 0; k < basis.count(); ++k) {
    DRYSTONE_ASSERT(basis.plain(k));
    isOut[matrix.place(basis.row(k))] = 0;
  }
  rows.clear();
  for (int place = 0; place < matrix.size(); ++place) {
    if (isOut[place]) rows.push_back(place);
  }
}

void solveByPlace(const EnvelopeMatrix& envelope, const TightRows& tight,
                  std::span<const int> place, std::vector<Real>& work, std::span<Real> x) {
  work.assign(envelope.size(), 0);
  for (std::size_t k = 0; k < x.size(); ++k) work[place[k]] = x[k];
  envelope.solve(tight.isOut, work);
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = work[place[k]];
}

void EnvelopeFactor::reserve(const ProblemSize& size) {
  tight_.isOut.reserve(size.rows);
  tight_.rows.reserve(size.rows);
  allIn_.reserve(size.rows);
  entriesFrom_.reserve(size.rows + 1);
  place_.reserve(size.rows);
  extra_.reserve(size.rows);
  work_.reserve(size.rows);
  outBefore_.reserve(size.rows);
}

void EnvelopeFactor::analyze(const RowSystem& system, BasisKind) {
  DRYSTONE_ASSERT(system.matrix() != nullptr);
  matrix_.analyze(*system.matrix(), settings_.reorder);
  hasWhole_ = false;
  isFresh_ = false;
  const int size = matrix_.size();
  allIn_.assign(size, 0);
  entriesFrom_.assign(size + 1, 0);
  wholeCost_ = 0;
  for (int j = size - 1; j >= 0; --j) {
    const Real length = matrix_.last(j) - j + 1;
    entriesFrom_[j] = entriesFrom_[j + 1] + length;
    wholeCost_ += length * length / 2;
  }
}

bool EnvelopeFactor::factor(const RowSystem& system, const FreeBasis& basis) {
  matrix_.deadline = deadline_;
  tight_.find(matrix_, basis);
  place_.clear();
  extra_.assign(matrix_.size(), 0);
  bool hasExtra = false;
  for (int k = 0; k < basis.count(); ++k) {
    const int place = matrix_.place(basis.row(k));
    place_.push_back(place);
    extra_[place] = basis.extra(k);
    hasExtra = hasExtra || basis.extra(k) != 0;
  }
  isDowndated_ = false;
  const BlockSparseMatrix& matrix = *system.matrix();
  if (hasExtra) return factorWithExtra(matrix);
  return prefersDowndate() ? downdate(matrix) : refactor(matrix);
}

bool EnvelopeFactor::prefersDowndate() const {
  if (settings_.update != EnvelopeUpdate::kCheaper) {
    return settings_.update == EnvelopeUpdate::kDowndate;
  }
  // The whole factor comes free where all rows are in, and later pays for itself or is not used.
  if (!hasWhole_) return tight_.rows.empty();
  const Real share = 1 - static_cast<Real>(tight_.rows.size()) / std::max(matrix_.size(), 1);
  Real downdating = entriesFrom_[0];
  for (const int row : tight_.rows) downdating += kEntryCost * entriesFrom_[row + 1];
  return downdating <= wholeCost_ * share * share;
}

bool EnvelopeFactor::factorWhole(const BlockSparseMatrix& matrix) {
  if (!matrix_.factor(matrix, allIn_)) return false;
  wholeRegularization_ = matrix_.regularization();
  whole_.assign(matrix_.values().begin(), matrix_.values().end());
  hasWhole_ = true;
  changedFrom_ = matrix_.size();
  return true;
}

bool EnvelopeFactor::downdate(const BlockSparseMatrix& matrix) {
  isFresh_ = false;
  if (!hasWhole_ && !factorWhole(matrix)) return !matrix_.deadline.passed() && refactor(matrix);
  regularization_ = wholeRegularization_;
  if (changedFrom_ < matrix_.size()) matrix_.copyColumns(whole_, changedFrom_);
  changedFrom_ = tight_.rows.empty() ? matrix_.size() : tight_.rows.front();
  for (const int row : tight_.rows) {
    if (matrix_.deadline.passed()) return false;
    matrix_.takeOut(row);
  }
  isDowndated_ = !tight_.rows.empty();
  return true;
}

bool EnvelopeFactor::refactor(const BlockSparseMatrix& matrix) {
  changedFrom_ = 0;
  bool good = false;
  if (isFresh_) {
    const auto change = std::mismatch(outBefore_.begin(), outBefore_.end(), tight_.isOut.begin());
    good = matrix_.factorFrom(matrix, tight_.isOut,
                              static_cast<int>(change.first - outBefore_.begin()));
  } else {
    good = matrix_.factor(matrix, tight_.isOut);
  }
  regularization_ = matrix_.regularization();
  isFresh_ = good && regularization_ == 0;
  outBefore_.assign(tight_.isOut.begin(), tight_.isOut.end());
  return good;
}

bool EnvelopeFactor::factorWithExtra(const BlockSparseMatrix& matrix) {
  changedFrom_ = 0;
  isFresh_ = false;
  const bool good = matrix_.factor(matrix, tight_.isOut, extra_);
  regularization_ = matrix_.regularization();
  return good;
}

bool EnvelopeFactor::sharpen(const RowSystem& system) {
  if (!isDowndated_ || deadline_.secondsLeft() < denseSeconds(2 * wholeCost_)) return false;
  isDowndated_ = false;
  matrix_.deadline = {};  // what was broken off would leave no factor
  if (refactor(*system.matrix())) return true;
  downdate(*system.matrix());
  return false;
}

void EnvelopeFactor::solve(std::span<Real> x) { solveByPlace(matrix_, tight_, place_, work_, x); }

}  // namespace drystone
