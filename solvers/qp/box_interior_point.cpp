#include "solvers/qp/box_interior_point.h"

#include <algorithm>
#include <cmath>

namespace drystone {
namespace {

constexpr int kMaxSteps = 100;
/// Steps with neither half the error nor half the products before it counts as lost. The error of a
/// variable of small width stands until the products have fallen below what presses it.
constexpr int kPatience = 12;
/// Refinements of a step.
constexpr int kRefinements = 3;
/// Width below which a variable is fixed, as a share of what the largest gradient makes of it.
constexpr Real kFixedWidth = 1e-13;
/// Share of the way to the nearest bound that a step goes.
constexpr Real kStepShare = 0.995;

}  // namespace

void BoxInteriorPoint::evaluateGradient(std::span<const Real> x) {
  qp_.hessian->multiply(x, gradient_);
  for (std::size_t i = 0; i < x.size(); ++i) gradient_[i] -= qp_.linear[i];
}

void BoxInteriorPoint::enter(std::span<Real> x) {
  unknowns_.clear();
  free_.clear();
  Real scale = 0;
  for (const Real c : qp_.linear) scale = std::max(scale, std::abs(c));
  for (const Real g : gradient_) scale = std::max(scale, std::abs(g));
  Real product = 0;
  for (int i = 0; i < qp_.size(); ++i) {
    const Real lower = qp_.lower[i], upper = qp_.upper[i];
    if (!(metric_[i] * (upper - lower) > kFixedWidth * scale)) continue;
    free_.push_back(i);
    unknowns_.push_back({.variable = i});
    if (lower == -kInfinity && upper == kInfinity) continue;
    Unknown& unknown = unknowns_.back();
    const Real gap = std::min(scale / metric_[i], (upper - lower) / 2);
    // Gaps of their own: large bounds would round them away.
    if (lower == -kInfinity) {
      unknown.upper.gap = std::max(upper - x[i], gap);
      x[i] = upper - unknown.upper.gap;
    } else {
      unknown.lower.gap = std::clamp(x[i] - lower, gap, upper - lower - gap);
      unknown.upper.gap = upper - lower - unknown.lower.gap;
      x[i] = lower + unknown.lower.gap;
    }
    product += scale * scale / metric_[i];
  }
  // Products alike: near the path of the method, though far from g = z_l − z_u.
  product /= std::max<Real>(static_cast<Real>(unknowns_.size()), 1);
  for (Unknown& unknown : unknowns_) {
    unknown.lower.force = product / unknown.lower.gap;
    unknown.upper.force = product / unknown.upper.gap;
  }
}

bool BoxInteriorPoint::factor(K0Solve& k0) {
  diagonal_.assign(extra_.begin(), extra_.end());
  for (const Unknown& unknown : unknowns_) {
    diagonal_[unknown.variable] +=
        unknown.lower.force / unknown.lower.gap + unknown.upper.force / unknown.upper.gap;
  }
  return k0.factor(free_, diagonal_);
}

Real BoxInteriorPoint::findResidual(std::span<const Real> step) {
  qp_.hessian->multiply(step, product_);
  Real largest = 0;
  for (std::size_t k = 0; k < free_.size(); ++k) {
    const int i = free_[k];
    right_[k] = wanted_[k] - product_[i] - (diagonal_[i] - extra_[i]) * step[i];
    largest = std::max(largest, std::abs(right_[k]));
  }
  return largest;
}

void BoxInteriorPoint::findStep(K0Solve& k0, Real target, bool corrects) {
  // What the product of a side is to become, over its gap.
  const auto pull = [&](const Side& side, Real gapStep) {
    return (target - (corrects ? gapStep * side.forceStep : 0)) / side.gap;
  };
  wanted_.clear();
  for (Unknown& unknown : unknowns_) {
    unknown.lower.pull = pull(unknown.lower, unknown.step);
    unknown.upper.pull = pull(unknown.upper, -unknown.step);
    wanted_.push_back(unknown.lower.pull - unknown.upper.pull - gradient_[unknown.variable]);
  }
  right_.assign(wanted_.begin(), wanted_.end());
  k0.solve(right_, 1);
  std::fill(step_.begin(), step_.end(), 0.0);
  for (std::size_t k = 0; k < free_.size(); ++k) step_[free_[k]] = right_[k];
  // The factor is of H + extra, which is far from H in the directions that no row of H sees.
  Real residual = kInfinity;
  for (int k = 0; corrects && k < kRefinements; ++k) {
    const Real next = findResidual(step_);
    if (!(next < residual)) break;
    residual = next;
    k0.solve(right_, 1);
    for (std::size_t f = 0; f < free_.size(); ++f) step_[free_[f]] += right_[f];
  }
  for (Unknown& unknown : unknowns_) {
    unknown.step = step_[unknown.variable];
    Side& lower = unknown.lower;
    Side& upper = unknown.upper;
    lower.forceStep = lower.pull - lower.force * (1 + unknown.step / lower.gap);
    upper.forceStep = upper.pull - upper.force * (1 - unknown.step / upper.gap);
  }
}

Real BoxInteriorPoint::longestStep() const {
  Real share = kInfinity;
  const auto limit = [&](Real value, Real step) {
    if (step < 0) share = std::min(share, -value / step);
  };
  for (const Unknown& unknown : unknowns_) {
    limit(unknown.lower.gap, unknown.step);
    limit(unknown.upper.gap, -unknown.step);
    limit(unknown.lower.force, unknown.lower.forceStep);
    limit(unknown.upper.force, unknown.upper.forceStep);
  }
  return share;
}

Real BoxInteriorPoint::complementarity(Real share) const {
  Real sum = 0;
  int count = 0;
  const auto add = [&](const Side& side, Real gapStep) {
    if (!(side.gap < kInfinity)) return;
    sum += (side.gap + share * gapStep) * (side.force + share * side.forceStep);
    ++count;
  };
  for (const Unknown& unknown : unknowns_) {
    add(unknown.lower, unknown.step);
    add(unknown.upper, -unknown.step);
  }
  return count > 0 ? sum / count : 0;
}

void BoxInteriorPoint::classify(std::span<RowState> sets) const {
  for (int i = 0; i < qp_.size(); ++i) {
    const bool canHoldUp = gradient_[i] >= 0 && qp_.lower[i] > -kInfinity;
    sets[i] = canHoldUp || qp_.lower[i] == qp_.upper[i] ? RowState::kLower : RowState::kUpper;
  }
  for (const Unknown& unknown : unknowns_) {
    const bool isLower = unknown.lower.force >= unknown.upper.force;
    const Side& side = isLower ? unknown.lower : unknown.upper;
    const bool isHeld = side.force > metric_[unknown.variable] * side.gap;
    sets[unknown.variable] = !isHeld   ? RowState::kFree
                             : isLower ? RowState::kLower
                                       : RowState::kUpper;
  }
}

InteriorOutcome BoxInteriorPoint::run(const BoxQp& qp, std::span<const Real> metric,
                                      std::span<const Real> extra, K0Solve& k0, Real tolerance,
                                      std::span<RowState> sets, std::span<Real> x) {
  qp_ = qp;
  metric_ = metric;
  extra_ = extra;
  for (auto* array : {&gradient_, &step_, &product_}) array->resize(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::clamp(x[i], qp.lower[i], qp.upper[i]);
  InteriorOutcome outcome;
  best_.assign(x.begin(), x.end());
  evaluateGradient(x);
  outcome.error = kktError(qp, metric, x, gradient_);
  enter(x);
  Real mark = kInfinity, meanMark = kInfinity;
  for (int patience = kPatience; outcome.steps < kMaxSteps;) {
    evaluateGradient(x);
    const Real error = kktError(qp, metric, x, gradient_);
    if (error < outcome.error) {
      outcome.error = error;
      best_.assign(x.begin(), x.end());
    }
    if (error <= tolerance || !std::isfinite(error)) break;
    const Real mean = complementarity(0);
    if (error < 0.5 * mark || mean < 0.5 * meanMark) {
      mark = std::min(mark, error);
      meanMark = std::min(meanMark, mean);
      patience = kPatience;
    } else if (--patience < 0) {
      break;
    }
    ++outcome.steps;
    if (!factor(k0)) break;
    findStep(k0, 0, false);
    const Real ahead = mean > 0 ? complementarity(std::min(longestStep(), 1.0)) / mean : 0;
    findStep(k0, mean * ahead * ahead * ahead, true);
    const Real share = std::min(kStepShare * longestStep(), 1.0);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += share * step_[i];
    for (Unknown& unknown : unknowns_) {
      unknown.lower.gap += share * unknown.step;
      unknown.upper.gap -= share * unknown.step;
      unknown.lower.force += share * unknown.lower.forceStep;
      unknown.upper.force += share * unknown.upper.forceStep;
    }
  }
  classify(sets);
  std::copy(best_.begin(), best_.end(), x.begin());
  return outcome;
}

}  // namespace drystone
