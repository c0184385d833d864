#include "solvers/staggered/qp/qp_interior_point.h"

#include <algorithm>
#include <cmath>

namespace drystone {
namespace {

constexpr int kMaxPathSteps = 100;

}  // namespace

void QpInteriorPoint::evaluateGradient(std::span<const Real> x, std::span<Real> gradient) {
  qp_.hessian->multiply(x, gradient);
  for (std::size_t i = 0; i < x.size(); ++i) gradient[i] -= qp_.linear[i];
}

Real QpInteriorPoint::errorOf(std::span<const Real> x, std::span<const Real> gradient) {
  return kktError(qp_, metric_, x, gradient);
}

bool QpInteriorPoint::factor() {
  free_.clear();
  for (int i = 0; i < qp_.size(); ++i) {
    if (isFree(i)) free_.push_back(i);
  }
  diagonal_.assign(extra_.begin(), extra_.end());
  for (const InteriorSides::Unknown& unknown : sides().unknowns()) {
    diagonal_[unknown.index] += InteriorSides::stiffness(unknown);
  }
  return k0_->factor(free_, diagonal_);
}

Real QpInteriorPoint::findResidual(std::span<const Real> right) {
  qp_.hessian->multiply(step_, product_);
  Real largest = 0;
  for (std::size_t k = 0; k < free_.size(); ++k) {
    const int i = free_[k];
    residual_[k] = right[i] - product_[i] - (diagonal_[i] - extra_[i]) * step_[i];
    largest = std::max(largest, std::abs(residual_[k]));
  }
  return largest;
}

void QpInteriorPoint::solveResidual() {
  k0_->solve(residual_, 1);
  ++solves_;
  for (std::size_t k = 0; k < free_.size(); ++k) step_[free_[k]] += residual_[k];
}

std::span<const Real> QpInteriorPoint::solveStep(std::span<const Real> right, bool corrects) {
  residual_.clear();
  for (const int i : free_) residual_.push_back(right[i]);
  std::fill(step_.begin(), step_.end(), 0.0);
  solveResidual();
  // The factor is of H + extra, which is far from H in the directions that no row of H sees.
  Real residual = kInfinity;
  for (int round = 0; corrects && round < kMostRefinements; ++round) {
    const Real next = findResidual(right);
    if (!(next < residual)) break;
    residual = next;
    solveResidual();
  }
  return step_;
}

InteriorOutcome QpInteriorPoint::run(const BoxQp& qp, std::span<const Real> metric,
                                     std::span<const Real> extra, K0Solve& k0, Real tolerance,
                                     std::span<RowState> sets, std::span<Real> x) {
  qp_ = qp;
  metric_ = metric;
  extra_ = extra;
  k0_ = &k0;
  tolerance_ = tolerance;
  solves_ = 0;
  step_.resize(x.size());
  product_.resize(x.size());
  Real scale = 0;
  for (const Real c : qp.linear) scale = std::max(scale, std::abs(c));
  const Outcome found = follow({qp.lower, qp.upper, metric, scale}, kMaxPathSteps, x);
  const std::span<const RowState> states = classify();
  std::copy(states.begin(), states.end(), sets.begin());
  return {found.error, found.steps, solves_};
}

}  // namespace drystone
