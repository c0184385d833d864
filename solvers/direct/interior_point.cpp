#include "solvers/direct/interior_point.h"

#include <algorithm>
#include <cmath>

namespace drystone {
namespace {

/// Rounds without half the error before it counts as lost.
constexpr int kPatience = 12;
/// Refinements of a corrector's step; a predictor's only chooses μ. A solve in the space of the
/// bodies loses a share of some 1e-7 where the compliance is that small beside A_ii.
constexpr int kCorrections = 1;
/// A row whose bounds are closer, as a share of what the largest velocity of the start makes
/// of it alone, is fixed.
constexpr Real kFixedWidth = 1e-13;
/// Share of the way to the nearest bound that a step goes.
constexpr Real kStepShare = 0.995;

}  // namespace

void InteriorPoint::reserve(const ProblemSize& size) {
  bounded_.reserve(size.rows);
  isUnknown_.reserve(size.rows);
  state_.reserve(size.rows);
  for (auto* array : {&w_, &right_, &step_, &best_}) array->reserve(size.rows);
}

void InteriorPoint::attach(RowSystem& rows, FreeSystem& system) {
  rows_ = &rows;
  system_ = &system;
}

void InteriorPoint::enter(const RowBounds& bounds, std::span<Real> lambda) {
  bounded_.clear();
  // Where λ is far from w = 0, what it moves tells more of the way to go than b.
  Real scale = rows_->velocityScale();
  for (const Real w : w_) scale = std::max(scale, std::abs(w));
  isUnknown_.assign(lambda.size(), 0);
  for (int row = 0; row < rows_->rowCount(); ++row) {
    const Real lower = bounds.lower[row], upper = bounds.upper[row];
    const Real diagonal = rows_->diagonal(row);
    if (!(diagonal * (upper - lower) > kFixedWidth * scale)) continue;
    isUnknown_[row] = 1;
    if (lower == -kInfinity && upper == kInfinity) continue;
    const Real gap = std::min(scale / diagonal, (upper - lower) / 2);
    // Gaps of their own: large bounds would round them away.
    BoundedRow b{.row = row};
    if (lower == -kInfinity) {
      b.upper.gap = std::max(upper - lambda[row], gap);
      lambda[row] = upper - b.upper.gap;
    } else {
      b.lower.gap = std::clamp(lambda[row] - lower, gap, upper - lower - gap);
      b.upper.gap = upper - lower - b.lower.gap;
      lambda[row] = lower + b.lower.gap;
    }
    bounded_.push_back(b);
  }
  // Products alike: near the path of the method, though far from w = z_l − z_u.
  Real product = 0;
  for (const BoundedRow& b : bounded_) product += scale * scale / rows_->diagonal(b.row);
  product /= std::max<Real>(bounded_.size(), 1);
  for (BoundedRow& b : bounded_) {
    b.lower.velocity = product / b.lower.gap;
    b.upper.velocity = product / b.upper.gap;
  }
}

void InteriorPoint::fillBasis() {
  FreeBasis& basis = system_->basis();
  const ContactProblem& problem = rows_->problem();
  basis.begin(problem);
  auto next = bounded_.begin();
  for (const ProblemBlock& block : problem.blocks) {
    basis.beginBlock();
    for (int row = block.firstRow; row < block.firstRow + block.rows; ++row) {
      Real stiffness = 0;
      if (next != bounded_.end() && next->row == row) {
        stiffness = next->lower.velocity / next->lower.gap + next->upper.velocity / next->upper.gap;
        ++next;
      }
      if (isUnknown_[row]) basis.addRow(row, stiffness);
    }
  }
  basis.end();
}

void InteriorPoint::findStep(Real target, bool corrects) {
  // What the product of a side is to become, over its gap.
  const auto pull = [&](const Side& side, Real gapStep) {
    return (target - (corrects ? gapStep * side.velocityStep : 0)) / side.gap;
  };
  for (std::size_t row = 0; row < w_.size(); ++row) right_[row] = -w_[row];
  for (BoundedRow& b : bounded_) {
    b.lower.pull = pull(b.lower, b.step);
    b.upper.pull = pull(b.upper, -b.step);
    right_[b.row] += b.lower.pull - b.upper.pull;
  }
  system_->solve(right_, step_, corrects ? kCorrections : 0);
  for (BoundedRow& b : bounded_) {
    b.step = step_[b.row];
    b.lower.velocityStep = b.lower.pull - b.lower.velocity * (1 + b.step / b.lower.gap);
    b.upper.velocityStep = b.upper.pull - b.upper.velocity * (1 - b.step / b.upper.gap);
  }
}

Real InteriorPoint::longestStep() const {
  Real share = kInfinity;
  const auto limit = [&](Real value, Real step) {
    if (step < 0) share = std::min(share, -value / step);
  };
  for (const BoundedRow& b : bounded_) {
    limit(b.lower.gap, b.step);
    limit(b.upper.gap, -b.step);
    limit(b.lower.velocity, b.lower.velocityStep);
    limit(b.upper.velocity, b.upper.velocityStep);
  }
  return share;
}

Real InteriorPoint::complementarity(Real share) const {
  Real sum = 0;
  int count = 0;
  const auto add = [&](const Side& side, Real gapStep) {
    if (!(side.gap < kInfinity)) return;
    sum += (side.gap + share * gapStep) * (side.velocity + share * side.velocityStep);
    ++count;
  };
  for (const BoundedRow& b : bounded_) {
    add(b.lower, b.step);
    add(b.upper, -b.step);
  }
  return count > 0 ? sum / count : 0;
}

void InteriorPoint::move(Real share, std::span<Real> lambda) {
  for (std::size_t row = 0; row < lambda.size(); ++row) lambda[row] += share * step_[row];
  for (BoundedRow& b : bounded_) {
    b.lower.gap += share * b.step;
    b.upper.gap -= share * b.step;
    b.lower.velocity += share * b.lower.velocityStep;
    b.upper.velocity += share * b.upper.velocityStep;
  }
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
  for (const BoundedRow& b : bounded_) {
    const Real diagonal = rows_->diagonal(b.row);
    const bool isLower = b.lower.velocity >= b.upper.velocity;
    const Side& side = isLower ? b.lower : b.upper;
    if (side.velocity <= diagonal * side.gap) continue;
    state_[b.row] = isLower ? RowState::kLower : RowState::kUpper;
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
  int patience = kPatience;
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
      patience = kPatience;
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
    findStep(0, false);
    const Real mean = complementarity(0);
    const Real ahead = mean > 0 ? complementarity(std::min(longestStep(), 1.0)) / mean : 0;
    findStep(mean * ahead * ahead * ahead, true);
    move(std::min(kStepShare * longestStep(), 1.0), lambda);
  }
  outcome.pivots = classify(bounds, sets);
  std::copy(best_.begin(), best_.end(), lambda.begin());
  return outcome;
}

}  // namespace drystone
