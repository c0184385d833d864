#include "solvers/direct/projected_newton.h"

#include <algorithm>
#include <cmath>

namespace drystone {
namespace {

/// Refinements of a step.
constexpr int kCorrections = 3;
/// Share of the decrease that the slope promises, to be had at least (Armijo).
constexpr Real kDecrease = 1e-4;
/// Halvings of a step; what lowers φ less than its round-off lowers nothing.
constexpr int kHalvings = 30;

}  // namespace

void ProjectedNewton::reserve(const ProblemSize& size) {
  for (auto* array : {&w_, &target_, &trial_, &trialW_}) array->reserve(size.rows);
}

void ProjectedNewton::attach(RowSystem& rows, FreeSystem& system) {
  rows_ = &rows;
  system_ = &system;
  for (auto* array : {&w_, &target_, &trial_, &trialW_}) array->resize(rows.rowCount());
}

/// Returns how many rows changed their set.
int ProjectedNewton::classify(const RowBounds& bounds, std::span<const Real> lambda,
                              IndexSets& sets) const {
  int changes = 0;
  for (int row = 0; row < sets.size(); ++row) {
    const Real lower = bounds.lower[row], upper = bounds.upper[row];
    RowState next = RowState::kFree;
    if (lower == upper || (lambda[row] <= lower && w_[row] >= 0)) {
      next = RowState::kLower;
    } else if (lambda[row] >= upper && w_[row] <= 0) {
      next = RowState::kUpper;
    }
    changes += next != sets[row] ? 1 : 0;
    sets.set(row, next);
  }
  return changes;
}

Real ProjectedNewton::objective(std::span<const Real> lambda, std::span<const Real> w) const {
  const std::span<const Real> b = rows_->problem().b;
  const std::span<const Real> shift = rows_->shift();
  Real sum = 0;
  for (std::size_t row = 0; row < lambda.size(); ++row) {
    sum += lambda[row] * (w[row] + b[row] + shift[row]);
  }
  return 0.5 * sum;
}

/// False: no share of the step lowers φ.
bool ProjectedNewton::stepTowardsTarget(const RowBounds& bounds, std::span<Real> lambda) {
  const Real start = objective(lambda, w_);
  Real share = 1;
  for (int i = 0; i <= kHalvings; ++i, share /= 2) {
    Real slope = 0;
    for (std::size_t row = 0; row < lambda.size(); ++row) {
      const Real moved = lambda[row] + share * (target_[row] - lambda[row]);
      trial_[row] = std::clamp(moved, bounds.lower[row], bounds.upper[row]);
      slope += w_[row] * (trial_[row] - lambda[row]);
    }
    rows_->velocity(trial_, trialW_);
    if (objective(trial_, trialW_) <= start + kDecrease * slope && slope < 0) {
      std::copy(trial_.begin(), trial_.end(), lambda.begin());
      w_.swap(trialW_);
      return true;
    }
  }
  return false;
}

PivotOutcome ProjectedNewton::run(const RowBounds& bounds, const PivotSettings& settings,
                                  IndexSets& sets, std::span<Real> lambda,
                                  ResidualHistory* history) {
  PivotOutcome outcome;
  outcome.status = SolveStatus::kIterationLimit;
  for (std::size_t row = 0; row < lambda.size(); ++row) {
    lambda[row] = std::clamp(lambda[row], bounds.lower[row], bounds.upper[row]);
  }
  rows_->velocity(lambda, w_);
  const Real least = 0.01 * settings.tolerance * rows_->velocityScale();
  while (outcome.rounds < settings.maxRounds) {
    outcome.pivots += classify(bounds, lambda, sets);
    outcome.error = complementarityError(*rows_, bounds, lambda, w_);
    if (outcome.error <= signTolerance(*rows_, settings.tolerance, lambda)) {
      outcome.status = SolveStatus::kConverged;
      break;
    }
    ++outcome.rounds;
    if (history != nullptr) history->add(outcome.rounds, outcome.error);
    sets.fillBasis(rows_->problem(), system_->basis());
    if (!system_->factor()) {
      outcome.status = SolveStatus::kNumericalFailure;
      break;
    }
    std::copy(lambda.begin(), lambda.end(), target_.begin());
    std::copy(w_.begin(), w_.end(), trialW_.begin());
    system_->correct(target_, trialW_, least, kCorrections);
    if (!stepTowardsTarget(bounds, lambda)) {
      outcome.status = SolveStatus::kStalled;
      break;
    }
  }
  return outcome;
}

}  // namespace drystone
