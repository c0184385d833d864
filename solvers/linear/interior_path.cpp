#include "solvers/linear/interior_path.h"

#include <algorithm>
#include <cmath>

#include "core/patience.h"

namespace drystone {
namespace {

/// Steps with neither half the error nor half the products before it counts as lost. The error of
/// an unknown of small width stands until the products have fallen below what presses it.
constexpr int kPathPatience = 12;

}  // namespace

void InteriorPath::reserve(int unknowns) {
  sides_.reserve(unknowns);
  isFree_.reserve(unknowns);
  state_.reserve(unknowns);
  for (auto* array : {&gradient_, &right_, &best_}) array->reserve(unknowns);
}

void InteriorPath::enter(std::span<Real> x) {
  sides_.clear();
  // Where x is far from g = 0, what it moves tells more of the way to go than c.
  Real scale = box_.scale;
  for (const Real g : gradient_) scale = std::max(scale, std::abs(g));
  isFree_.assign(x.size(), 0);
  Real product = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Real lower = box_.lower[i], upper = box_.upper[i], metric = box_.metric[i];
    if (!(metric * (upper - lower) > kRoundOff * scale)) continue;  // fixed
    isFree_[i] = 1;
    if (lower == -kInfinity && upper == kInfinity) continue;
    const Real gap = std::min(scale / metric, (upper - lower) / 2);
    x[i] = sides_.add(static_cast<int>(i), lower, upper, gap, x[i]);
    product += scale * scale / metric;
  }
  sides_.start(product);
}

InteriorPath::Outcome InteriorPath::follow(const Box& box, int maxSteps, std::span<Real> x) {
  box_ = box;
  gradient_.resize(x.size());
  right_.resize(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::clamp(x[i], box.lower[i], box.upper[i]);
  best_.assign(x.begin(), x.end());
  Outcome outcome;
  evaluateGradient(x, gradient_);
  outcome.error = errorOf(x, gradient_);
  enter(x);
  outcome.end = iterate(maxSteps, x, outcome);
  std::copy(best_.begin(), best_.end(), x.begin());
  return outcome;
}

InteriorPath::End InteriorPath::iterate(int maxSteps, std::span<Real> x, Outcome& outcome) {
  Patience ofError(kPathPatience, 0.5), ofMean(kPathPatience, 0.5);
  while (true) {
    evaluateGradient(x, gradient_);
    const Real error = errorOf(x, gradient_);
    if (error < outcome.error) {
      outcome.error = error;
      best_.assign(x.begin(), x.end());
    }
    if (error <= toleranceAt(x)) return End::kSolved;
    if (!std::isfinite(error)) return End::kStalled;
    const bool errorFalls = ofError.goesOn(error), meanFalls = ofMean.goesOn(sides_.meanProduct());
    if (!errorFalls && !meanFalls) return End::kStalled;
    if (outcome.steps >= maxSteps) return End::kStepLimit;
    if (!mayStep()) return End::kSpent;
    ++outcome.steps;
    record(outcome.steps, error);
    if (!factor()) return End::kFactorFailed;
    std::span<const Real> step;
    const Real share = sides_.findStep([&](bool corrects) {
      for (std::size_t i = 0; i < x.size(); ++i) right_[i] = -gradient_[i];
      sides_.addPulls(right_);
      step = solveStep(right_, corrects);
      return step;
    });
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += share * step[i];
    sides_.move(share);
  }
}

std::span<const RowState> InteriorPath::classify() {
  state_.resize(gradient_.size());
  for (std::size_t i = 0; i < state_.size(); ++i) {
    const bool holdsUp = gradient_[i] >= 0 && box_.lower[i] > -kInfinity;
    const bool holdsDown = gradient_[i] <= 0 && box_.upper[i] < kInfinity;
    state_[i] = isFree_[i]  ? RowState::kFree
                : holdsUp   ? RowState::kLower
                : holdsDown ? RowState::kUpper
                            : RowState::kFree;
    if (box_.lower[i] == box_.upper[i]) state_[i] = RowState::kLower;
  }
  for (const InteriorSides::Unknown& unknown : sides_.unknowns()) {
    const bool isLower = unknown.lower.take >= unknown.upper.take;
    const InteriorSides::Side& side = isLower ? unknown.lower : unknown.upper;
    if (side.take <= box_.metric[unknown.index] * side.gap) continue;
    state_[unknown.index] = isLower ? RowState::kLower : RowState::kUpper;
  }
  return state_;
}

}  // namespace drystone
