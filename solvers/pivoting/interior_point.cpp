#include "solvers/pivoting/interior_point.h"

#include <algorithm>
#include <cmath>

namespace drystone {
namespace {

/// Rounds without half the error before it counts as lost.
constexpr int kInteriorPatience = 12;
/// Refinements of a corrector's step; a predictor's only chooses μ. A solve in the space of the
/// bodies loses a share of some 1e-7 where the compliance is that small beside A_ii.
constexpr int kInteriorCorrections = 1;
/// A row whose bounds are closer, as a share of what the largest velocity of the start makes
/// of it alone, is fixed.
constexpr Real kFixedWidth = 1e-13;

}  // namespace

void InteriorPoint::reserve(const ProblemSize& size) {
  sides_.reserve(size.rows);
  isUnknown_.reserve(size.rows);
  state_.reserve(size.rows);
  for (auto* array : {&w_, &right_, &step_, &best_}) array->reserve(size.rows);
}

void InteriorPoint::attach(RowSystem& rows, FreeSystem& system) {
  rows_ = &rows;
  system_ = &system;
}

void InteriorPoint::enter(const RowBounds& bounds, std::span<Real> lambda) {
  sides_.clear();
  // Where λ is far from w = 0, what it moves tells more of the way to go than b.
  Real scale = rows_->velocityScale();
  for (const Real w : w_) scale = std::max(scale, std::abs(w));
  isUnknown_.assign(lambda.size(), 0);
  Real product = 0;
  for (int row = 0; row < rows_->rowCount(); ++row) {
    const Real lower = bounds.lower[row], upper = bounds.upper[row];
    const Real diagonal = rows_->diagonal(row);
    if (!(diagonal * (upper - lower) > kFixedWidth * scale)) continue;
    isUnknown_[row] = 1;
    if (lower == -kInfinity && upper == kInfinity) continue;
    const Real gap = std::min(scale / diagonal, (upper - lower) / 2);
    lambda[row] = sides_.add(row, lower, upper, gap, lambda[row]);
    product += scale * scale / diagonal;
  }
  sides_.start(product);
}

void InteriorPoint::fillBasis() {
  FreeBasis& basis = system_->basis();
  const ContactProblem& problem = rows_->problem();
  basis.begin(problem);
  const std::span<const InteriorSides::Unknown> bounded = sides_.unknowns();
  auto next = bounded.begin();
  for (const ProblemBlock& block : problem.blocks) {
    basis.beginBlock();
    for (int row = block.firstRow; row < block.firstRow + block.rows; ++row) {
      Real stiffness = 0;
      if (next != bounded.end() && next->index == row) {
        stiffness = InteriorSides::stiffness(*next++);
      }
      if (isUnknown_[row]) basis.addRow(row, stiffness);
    }
  }
  basis.end();
}

std::span<const Real> InteriorPoint::solveStep(int refinements) {
  for (std::size_t row = 0; row < w_.size(); ++row) right_[row] = -w_[row];
  sides_.addPulls(right_);
  system_->solve(right_, step_, refinements);
  return step_;
}

int InteriorPoint::classify(const RowBounds& bounds, IndexSets& sets) {
  for (std::size_t row = 0; row < state_.size(); ++row) {
    const bool holdsUp = w_[row] >= 0 && bounds.lower[row] > -kInfinity;
    const bool holdsDown = w_[row] <= 0 && bounds.upper[row] < kInfinity;
    state_[row] = isUnknown_[row] ? RowState::kFree
                  : holdsUp       ? RowState::kLower
                  : holdsDown     ? RowState::kUpper
                                  : RowState::kFree;
    if (bounds.lower[row] == bounds.upper[row]) state_[row] = RowState::kLower;
  }
  for (const InteriorSides::Unknown& unknown : sides_.unknowns()) {
    const bool isLower = unknown.lower.take >= unknown.upper.take;
    const InteriorSides::Side& side = isLower ? unknown.lower : unknown.upper;
    if (side.take <= rows_->diagonal(unknown.index) * side.gap) continue;
    state_[unknown.index] = isLower ? RowState::kLower : RowState::kUpper;
  }
  int changes = 0;
  for (int row = 0; row < sets.size(); ++row) {
    changes += state_[row] != sets[row] ? 1 : 0;
    sets.set(row, state_[row]);
  }
  return changes;
}

PivotOutcome InteriorPoint::run(const RowBounds& bounds, const PivotSettings& settings,
                                IndexSets& sets, std::span<Real> lambda, ResidualHistory* history) {
  for (auto* array : {&w_, &right_, &step_}) array->resize(lambda.size());
  state_.resize(lambda.size());
  PivotOutcome outcome;
  outcome.status = SolveStatus::kIterationLimit;
  for (std::size_t row = 0; row < lambda.size(); ++row) {
    lambda[row] = std::clamp(lambda[row], bounds.lower[row], bounds.upper[row]);
  }
  best_.assign(lambda.begin(), lambda.end());
  rows_->velocity(lambda, w_);
  outcome.error = complementarityError(*rows_, bounds, lambda, w_);
  enter(bounds, lambda);
  Real mark = kInfinity;
  int patience = kInteriorPatience;
  while (true) {
    rows_->velocity(lambda, w_);
    const Real error = complementarityError(*rows_, bounds, lambda, w_);
    if (error < outcome.error) {
      outcome.error = error;
      best_.assign(lambda.begin(), lambda.end());
    }
    if (error <= signTolerance(*rows_, settings.tolerance, lambda)) {
      outcome.status = SolveStatus::kConverged;
      break;
    }
    if (error < 0.5 * mark) {
      mark = error;
      patience = kInteriorPatience;
    } else if (--patience < 0) {
      outcome.status = SolveStatus::kStalled;
      break;
    }
    if (outcome.rounds >= settings.maxRounds) break;
    if (settings.deadline.passed()) {
      outcome.status = SolveStatus::kTimeLimit;
      break;
    }
    ++outcome.rounds;
    if (history != nullptr) history->add(outcome.rounds, error);
    fillBasis();
    if (!system_->factor()) {
      outcome.status = SolveStatus::kNumericalFailure;
      break;
    }
    const Real share = sides_.findStep(
        [&](bool corrects) { return solveStep(corrects ? kInteriorCorrections : 0); });
    for (std::size_t row = 0; row < lambda.size(); ++row) lambda[row] += share * step_[row];
    sides_.move(share);
  }
  outcome.pivots = classify(bounds, sets);
  std::copy(best_.begin(), best_.end(), lambda.begin());
  return outcome;
}

}  // namespace drystone
