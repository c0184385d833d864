#include "solvers/linear/cached_factor.h"

#include "core/check.h"

namespace drystone {
namespace {

/// Memory for copies of factors [MiB]; the one used longest ago is dropped beyond.
constexpr Real kMaxMegabytes = 512;

}  // namespace

void CachedFactor::reserve(const ProblemSize& size) {
  tight_.isOut.reserve(size.rows);
  tight_.rows.reserve(size.rows);
  allIn_.reserve(size.rows);
  place_.reserve(size.rows);
  work_.reserve(size.rows);
}

void CachedFactor::analyze(const RowSystem& system, BasisKind) {
  DRYSTONE_ASSERT(system.matrix() != nullptr);
  matrix_.analyze(*system.matrix(), false);
  allIn_.assign(matrix_.size(), 0);
  hasWhole_ = false;
  cache_.clear(static_cast<std::size_t>(matrix_.entries()),
               static_cast<std::size_t>(kMaxMegabytes * (1 << 20)));
}

bool CachedFactor::factor(const RowSystem& system, const FreeBasis& basis) {
  matrix_.deadline = deadline_;
  tight_.find(matrix_, basis);
  place_.clear();
  for (int k = 0; k < basis.count(); ++k) place_.push_back(matrix_.place(basis.row(k)));
  if (!hasWhole_) {
    if (!matrix_.factor(*system.matrix(), allIn_)) return false;
    wholeRegularization_ = matrix_.regularization();
    whole_.assign(matrix_.values().begin(), matrix_.values().end());
    hasWhole_ = true;
  }
  regularization_ = wholeRegularization_;
  isSharp_ = tight_.rows.empty();
  std::int64_t prefix = FactorCache::kRoot;
  std::size_t done = 0;
  for (; done < tight_.rows.size(); ++done) {
    const std::int64_t next = cache_.find(prefix, tight_.rows[done]);
    if (next < 0) break;
    prefix = next;
  }
  matrix_.copyColumns(done == 0 ? std::span<const Real>(whole_) : cache_.values(prefix), 0);
  for (; done < tight_.rows.size(); ++done) {
    if (deadline_.passed()) return false;
    matrix_.takeOut(tight_.rows[done]);
    // What would take the rest of the time serves no later candidate.
    const bool keeps =
        prefix >= 0 && deadline_.secondsLeft() > copySeconds(static_cast<Real>(storage()));
    prefix = keeps ? cache_.add(prefix, tight_.rows[done], matrix_.values()) : -1;
  }
  return true;
}

bool CachedFactor::sharpen(const RowSystem& system) {
  const Real n = matrix_.size();
  if (isSharp_ || deadline_.secondsLeft() < denseSeconds(n * n * n / 3)) return false;
  matrix_.deadline = {};  // what was broken off would leave no factor
  if (!matrix_.factor(*system.matrix(), tight_.isOut)) return false;
  regularization_ = matrix_.regularization();
  isSharp_ = true;
  return true;
}

void CachedFactor::solve(std::span<Real> x) { solveByPlace(matrix_, tight_, place_, work_, x); }

}  // namespace drystone
