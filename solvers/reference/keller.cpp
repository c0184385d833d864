// Keller's principal pivoting for convex quadratic programs, in the form of an active-set method
// with bounds on both sides. E. L. Keller, "The general quadratic optimization problem",
// Mathematical Programming 5 (1973); J. J. Júdice, "Algorithms for linear complementarity
// problems", in Algorithms for Continuous Optimization (1994).

#include "solvers/reference/keller.h"

#include <algorithm>
#include <cmath>

namespace drystone {
namespace {

/// A step has no curvature when A d is below this share of its largest term. A singular A_FF that
/// was factored with a relative diagonal term of 1e-10 gives steps of that order.
constexpr Real kFlat = 1e-6;

}  // namespace

void KellerMethod::reserve(const ProblemSize& size) {
  PivotMethod::reserve(size);
  for (auto* array : {&startW_, &target_, &w_}) array->reserve(size.rows);
  best_.reserve(size);
  visited_.reserve();
}

PivotOutcome KellerMethod::pivot(const RowBounds& bounds, IndexSets& sets, std::span<Real> lambda,
                                 ResidualHistory* history) {
  PivotOutcome outcome;
  best_.clear();
  visited_.clear();
  for (auto* array : {&startW_, &target_, &w_}) array->resize(lambda.size());
  for (std::size_t row = 0; row < lambda.size(); ++row) {
    lambda[row] = std::clamp(lambda[row], bounds.lower[row], bounds.upper[row]);
  }
  sets.placeTight(bounds, lambda);
  outcome.status = descend(bounds, sets, lambda, history, outcome);
  if (outcome.status != SolveStatus::kConverged) best_.restore(bounds, sets, lambda);
  rows().velocity(lambda, w_);
  outcome.error = complementarityError(rows(), bounds, lambda, w_);
  if (!std::isfinite(outcome.error)) outcome.status = SolveStatus::kNumericalFailure;
  return outcome;
}

SolveStatus KellerMethod::descend(const RowBounds& bounds, IndexSets& sets, std::span<Real> lambda,
                                  ResidualHistory* history, PivotOutcome& outcome) {
  Progress progress;
  while (outcome.rounds < settings.maxRounds) {
    if (!settings.allowance.take()) {
      outcome.endAtLimit(settings.allowance);
      return outcome.status;
    }
    ++outcome.rounds;
    if (!findTarget(sets, lambda)) return SolveStatus::kNumericalFailure;
    if (outcome.rounds == 1) {
      best_.offer(complementarityError(rows(), bounds, lambda, startW_), sets, lambda);
    }
    int violators = 0;
    if (blocked(bounds, sets, lambda, progress, outcome, violators)) {
      if (history != nullptr) history->add(outcome.rounds, violators);
      continue;
    }
    if (residual_ > tolerance_ && residual_ > 0.5 * startResidual_) {
      return runsAway(lambda) ? SolveStatus::kInfeasible : SolveStatus::kStalled;
    }
    std::copy(target_.begin(), target_.end(), lambda.begin());
    // Slow refinement: once more from here.
    if (residual_ > tolerance_) continue;
    best_.offer(complementarityError(rows(), bounds, lambda, w_), sets, lambda);

    progress.leastIndex = progress.forGood || (progress.freed && !progress.moved);
    if (visited_.recur(sets)) {
      if (progress.forGood) return SolveStatus::kCycled;
      progress.forGood = progress.leastIndex = true;
      visited_.clear();
    }
    const int row = rowToFree(bounds, sets, progress.leastIndex, violators);
    if (history != nullptr) history->add(outcome.rounds, violators);
    if (row < 0) return SolveStatus::kConverged;
    sets.set(row, RowState::kFree);
    ++outcome.pivots;
    progress.freed = true;
    progress.moved = false;
  }
  return SolveStatus::kIterationLimit;
}

/// Solves for the free rows from λ. Where A_FF is singular and the equations contradict each other,
/// the target is far away along a direction without curvature, on which the objective falls.
bool KellerMethod::findTarget(const IndexSets& sets, std::span<const Real> lambda) {
  sets.fillBasis(rows().problem(), {}, system().basis());
  if (!system().factor()) return false;
  target_.assign(lambda.begin(), lambda.end());
  rows().velocity(target_, w_);
  startW_.assign(w_.begin(), w_.end());
  const Real least = kRefinedShare * settings.tolerance * rows().velocityScale();
  startResidual_ = system().correct(target_, w_, least, 0);
  residual_ = system().correct(target_, w_, least);
  tolerance_ = signTolerance(rows(), settings.tolerance, target_);
  return std::isfinite(residual_);
}

/// Share of the way from λ to the target of a row at which it meets a bound; ∞: it does not.
Real KellerMethod::shareUpToBound(int row, const RowBounds& bounds, Real lambda) const {
  const Real diagonal = std::abs(rows().diagonal(row));
  const Real slack = diagonal > 0 ? tolerance_ / diagonal : tolerance_;
  const Real target = target_[row];
  const bool below = target < bounds.lower[row] - slack;
  const bool above = target > bounds.upper[row] + slack;
  if (!below && !above) return kInfinity;
  const Real bound = below ? bounds.lower[row] : bounds.upper[row];
  // λ itself may be out by the slack.
  return target == lambda ? 0 : std::clamp((bound - lambda) / (target - lambda), 0.0, 1.0);
}

/// Ratio test: when a bound is in the way, goes there and makes tight the rows that meet it, under
/// the least-index rule only the first. False: none is, and λ has not moved.
bool KellerMethod::blocked(const RowBounds& bounds, IndexSets& sets, std::span<Real> lambda,
                           Progress& progress, PivotOutcome& outcome, int& crossing) {
  Real share = kInfinity;
  Real length = 0;
  crossing = 0;
  for (int row = 0; row < rows().rowCount(); ++row) {
    if (!sets.free(row)) continue;
    const Real own = shareUpToBound(row, bounds, lambda[row]);
    if (own < kInfinity) ++crossing;
    share = std::min(share, own);
    length = std::max(length, std::abs(rows().diagonal(row) * (target_[row] - lambda[row])));
  }
  progress.moved = progress.moved || std::min(share, 1.0) * length > tolerance_;
  if (crossing == 0) return false;
  bool first = true;
  for (int row = 0; row < rows().rowCount(); ++row) {
    if (!sets.free(row)) continue;
    if (shareUpToBound(row, bounds, lambda[row]) <= share && (first || !progress.leastIndex)) {
      sets.set(row, target_[row] < bounds.lower[row] ? RowState::kLower : RowState::kUpper);
      ++outcome.pivots;
      first = false;
    } else {
      lambda[row] += share * (target_[row] - lambda[row]);
    }
  }
  sets.placeTight(bounds, lambda);
  return true;
}

/// Whether the step to the target has no curvature: then the objective falls for ever along it.
bool KellerMethod::runsAway(std::span<const Real> lambda) const {
  Real change = 0, largestTerm = 0;
  for (int row = 0; row < rows().rowCount(); ++row) {
    change = std::max(change, std::abs(w_[row] - startW_[row]));
    largestTerm =
        std::max(largestTerm, std::abs(rows().diagonal(row) * (target_[row] - lambda[row])));
  }
  return change <= kFlat * largestTerm;
}

/// The tight row whose w has the worst wrong sign, or the first such row; -1: there is none.
int KellerMethod::rowToFree(const RowBounds& bounds, const IndexSets& sets, bool leastIndex,
                            int& wrong) const {
  int chosen = -1;
  Real worst = tolerance_;
  wrong = 0;
  for (int row = 0; row < rows().rowCount(); ++row) {
    if (sets.free(row) || bounds.lower[row] == bounds.upper[row]) continue;
    const Real excess = sets[row] == RowState::kLower ? -w_[row] : w_[row];
    if (excess > tolerance_) ++wrong;
    if (excess > worst) {
      chosen = row;
      worst = leastIndex ? kInfinity : excess;
    }
  }
  return chosen;
}

}  // namespace drystone
