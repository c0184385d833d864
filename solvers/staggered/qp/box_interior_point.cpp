#include "solvers/staggered/qp/box_interior_point.h"

#include <algorithm>
#include <cmath>

namespace drystone {
namespace {

constexpr int kBoxMaxSteps = 100;
/// Steps with neither half the error nor half the products before it counts as lost. The error of a
/// variable of small width stands until the products have fallen below what presses it.
constexpr int kBoxPatience = 12;
/// Refinements of a step.
constexpr int kRefinements = 3;
/// Width below which a variable is fixed, as a share of what the largest gradient makes of it.
constexpr Real kFixedWidth = 1e-13;

}  // namespace

void BoxInteriorPoint::evaluateGradient(std::span<const Real> x) {
  qp_.hessian->multiply(x, gradient_);
  for (std::size_t i = 0; i < x.size(); ++i) gradient_[i] -= qp_.linear[i];
}

void BoxInteriorPoint::enter(std::span<Real> x) {
  sides_.clear();
  free_.clear();
  Real scale = 0;
  for (const Real c : qp_.linear) scale = std::max(scale, std::abs(c));
  for (const Real g : gradient_) scale = std::max(scale, std::abs(g));
  Real product = 0;
  for (int i = 0; i < qp_.size(); ++i) {
    const Real lower = qp_.lower[i], upper = qp_.upper[i];
    if (!(metric_[i] * (upper - lower) > kFixedWidth * scale)) continue;
    free_.push_back(i);
    if (lower == -kInfinity && upper == kInfinity) continue;
    x[i] = sides_.add(i, lower, upper, std::min(scale / metric_[i], (upper - lower) / 2), x[i]);
    product += scale * scale / metric_[i];
  }
  sides_.start(product);
}

bool BoxInteriorPoint::factor(K0Solve& k0) {
  diagonal_.assign(extra_.begin(), extra_.end());
  for (const InteriorSides::Unknown& unknown : sides_.unknowns()) {
    diagonal_[unknown.index] += InteriorSides::stiffness(unknown);
  }
  return k0.factor(free_, diagonal_);
}

Real BoxInteriorPoint::findResidual() {
  qp_.hessian->multiply(step_, product_);
  Real largest = 0;
  for (std::size_t k = 0; k < free_.size(); ++k) {
    const int i = free_[k];
    right_[k] = wanted_[i] - product_[i] - (diagonal_[i] - extra_[i]) * step_[i];
    largest = std::max(largest, std::abs(right_[k]));
  }
  return largest;
}

std::span<const Real> BoxInteriorPoint::solveStep(K0Solve& k0, bool refines, int& solves) {
  for (std::size_t i = 0; i < wanted_.size(); ++i) wanted_[i] = -gradient_[i];
  sides_.addPulls(wanted_);
  right_.clear();
  for (const int i : free_) right_.push_back(wanted_[i]);
  k0.solve(right_, 1);
  ++solves;
  std::fill(step_.begin(), step_.end(), 0.0);
  for (std::size_t k = 0; k < free_.size(); ++k) step_[free_[k]] = right_[k];
  // The factor is of H + extra, which is far from H in the directions that no row of H sees.
  Real residual = kInfinity;
  for (int round = 0; refines && round < kRefinements; ++round) {
    const Real next = findResidual();
    if (!(next < residual)) break;
    residual = next;
    k0.solve(right_, 1);
    ++solves;
    for (std::size_t k = 0; k < free_.size(); ++k) step_[free_[k]] += right_[k];
  }
  return step_;
}

void BoxInteriorPoint::classify(std::span<RowState> sets) const {
  for (int i = 0; i < qp_.size(); ++i) {
    const bool canHoldUp = gradient_[i] >= 0 && qp_.lower[i] > -kInfinity;
    sets[i] = canHoldUp || qp_.lower[i] == qp_.upper[i] ? RowState::kLower : RowState::kUpper;
  }
  for (const int i : free_) sets[i] = RowState::kFree;
  for (const InteriorSides::Unknown& unknown : sides_.unknowns()) {
    const bool isLower = unknown.lower.take >= unknown.upper.take;
    const InteriorSides::Side& side = isLower ? unknown.lower : unknown.upper;
    if (side.take <= metric_[unknown.index] * side.gap) continue;
    sets[unknown.index] = isLower ? RowState::kLower : RowState::kUpper;
  }
}

InteriorOutcome BoxInteriorPoint::run(const BoxQp& qp, std::span<const Real> metric,
                                      std::span<const Real> extra, K0Solve& k0, Real tolerance,
                                      std::span<RowState> sets, std::span<Real> x) {
  qp_ = qp;
  metric_ = metric;
  extra_ = extra;
  for (auto* array : {&gradient_, &wanted_, &step_, &product_}) array->resize(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::clamp(x[i], qp.lower[i], qp.upper[i]);
  InteriorOutcome outcome;
  best_.assign(x.begin(), x.end());
  evaluateGradient(x);
  outcome.error = kktError(qp, metric, x, gradient_);
  enter(x);
  Real mark = kInfinity, meanMark = kInfinity;
  for (int patience = kBoxPatience; outcome.steps < kBoxMaxSteps;) {
    evaluateGradient(x);
    const Real error = kktError(qp, metric, x, gradient_);
    if (error < outcome.error) {
      outcome.error = error;
      best_.assign(x.begin(), x.end());
    }
    if (error <= tolerance || !std::isfinite(error)) break;
    const Real mean = sides_.meanProduct();
    if (error < 0.5 * mark || mean < 0.5 * meanMark) {
      mark = std::min(mark, error);
      meanMark = std::min(meanMark, mean);
      patience = kBoxPatience;
    } else if (--patience < 0) {
      break;
    }
    ++outcome.steps;
    if (!factor(k0)) break;
    // A predictor only chooses μ: one solve does.
    const Real share =
        sides_.findStep([&](bool corrects) { return solveStep(k0, corrects, outcome.solves); });
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += share * step_[i];
    sides_.move(share);
  }
  classify(sets);
  std::copy(best_.begin(), best_.end(), x.begin());
  return outcome;
}

}  // namespace drystone
