// Primal-dual active-set method with a projected Newton fallback. Equation and algorithm numbers
// are those of J. A. Litven, "A Parallel Active-Set Method for Solving Frictional Contact Problems"
// (2013). D. P. Bertsekas, "Projected Newton methods for optimization problems with simple
// constraints", SIAM Journal on Control and Optimization 20 (1982).

#include "solvers/staggered/qp/pdasm.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/hash.h"
#include "core/patience.h"

namespace drystone {
namespace {

/// Columns of the Schur complement that need not pay.
constexpr int kLeastColumns = 8;
/// How far round-off of the gradient may lift the tolerance.
constexpr Real kRoundOffLimit = 100;
/// Share of the first-order decrease that a step of the fallback must have.
constexpr Real kArmijo = 1e-4;
/// Steps of the fallback that do not halve the KKT error before it gives way.
constexpr int kDescentPatience = 5;
/// Proximal steps that do not halve the KKT error before it counts as lost.
constexpr int kSetPatience = 3;

}  // namespace

void Pdasm::attach(const SymmetricMatrix& hessian, std::span<const Real> metric, K0Solve& k0,
                   const QpSettings& settings) {
  hessian_ = &hessian;
  metric_ = metric;
  settings_ = settings;
  k0_ = &k0;
  system_ =
      settings.engine == QpEngine::kDirect ? static_cast<WorkingSetSystem*>(&direct_) : &schur_;
  extra_.resize(metric.size());
  for (std::size_t i = 0; i < metric.size(); ++i) extra_[i] = settings.proximal * metric[i];
  const int worth = std::max(k0.solvesPerFactor(), kLeastColumns);
  system_->attach(hessian, extra_, k0, std::min(settings.maxSolves, worth));
}

Real Pdasm::toleranceAt(std::span<const Real> x) const {
  Real largest = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    largest = std::max(largest, metric_[i] * std::abs(x[i]));
  return std::max(settings_.tolerance,
                  std::min(kRoundOff * largest, kRoundOffLimit * settings_.tolerance));
}

void Pdasm::evaluateGradient(std::span<const Real> x) {
  hessian_->multiply(x, gradient_);
  for (std::size_t i = 0; i < x.size(); ++i) gradient_[i] += extra_[i] * x[i] - linear_[i];
}

Real Pdasm::freeResidual(std::span<const RowState> sets) const {
  Real largest = 0;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    if (sets[i] != RowState::kFree) continue;
    if (!std::isfinite(gradient_[i])) return kInfinity;
    largest = std::max(largest, std::abs(gradient_[i]));
  }
  return largest;
}

bool Pdasm::evaluate(std::span<const RowState> sets, std::span<Real> x, QpReport& report) {
  if (!system_->solve(sets, x)) return false;
  evaluateGradient(x);
  Real residual = freeResidual(sets);
  const auto refine = [&] {
    for (int k = 0; k < kMostRefinements; ++k) {
      if (residual <= kRefinedShare * toleranceAt(x)) return;
      residual_.assign(sets.size(), 0);
      for (std::size_t i = 0; i < sets.size(); ++i) {
        if (sets[i] == RowState::kFree) residual_[i] = -gradient_[i];
      }
      trial_.assign(x.begin(), x.end());
      system_->correct(residual_, x);
      ++report.refinements;
      evaluateGradient(x);
      const Real next = freeResidual(sets);
      if (!(next < residual)) {
        std::copy(trial_.begin(), trial_.end(), x.begin());
        evaluateGradient(x);
        return;
      }
      residual = next;
    }
  };
  refine();
  // The columns have drifted: the working set itself is factored.
  if (residual > toleranceAt(x) && system_->refactor(sets)) {
    if (!system_->solve(sets, x)) return false;
    evaluateGradient(x);
    residual = freeResidual(sets);
    refine();
  }
  return std::isfinite(residual);
}

int Pdasm::moveViolators(std::span<RowState> sets, std::span<const Real> x) const {
  const Real tolerance = toleranceAt(x);
  int changes = 0;
  for (int i = 0; i < proximal_.size(); ++i) {
    const Real lower = proximal_.lower[i], upper = proximal_.upper[i];
    if (lower == upper) continue;
    const Real slack = tolerance / metric_[i];
    RowState next = sets[i];
    if (sets[i] == RowState::kFree) {
      if (x[i] < lower - slack) next = RowState::kLower;
      if (x[i] > upper + slack) next = RowState::kUpper;
    } else if (sets[i] == RowState::kLower ? gradient_[i] < -tolerance : gradient_[i] > tolerance) {
      next = RowState::kFree;
    }
    changes += next != sets[i] ? 1 : 0;
    sets[i] = next;
  }
  return changes;
}

bool Pdasm::recurs(std::span<const RowState> sets) {
  Hasher hasher;
  hasher.bytes(sets.data(), sets.size());
  const std::uint64_t hash = hasher.value();
  if (std::find(seen_.begin(), seen_.end(), hash) != seen_.end()) return true;
  seen_.push_back(hash);
  return false;
}

SolveStatus Pdasm::iterate(std::span<RowState> sets, std::span<Real> x, QpReport& report) {
  seen_.clear();
  recurs(sets);
  int fewest = std::numeric_limits<int>::max(), patience = settings_.patience;
  for (int k = 0; k < settings_.maxIterations; ++k) {
    ++report.iterations;
    if (!evaluate(sets, x, report)) return SolveStatus::kNumericalFailure;
    const int changes = moveViolators(sets, x);
    if (changes == 0) return SolveStatus::kConverged;
    report.changes += changes;
    patience = changes < fewest ? settings_.patience : patience - 1;
    fewest = std::min(fewest, changes);
    if (patience < 0 || recurs(sets)) return SolveStatus::kCycled;
  }
  return SolveStatus::kCycled;
}

bool Pdasm::searchArc(std::span<const RowState> sets, std::span<const Real> target,
                      std::span<Real> x) {
  for (Real share = 1; share > kRoundOff; share *= share < 0.3 ? 0.1 : 0.5) {
    Real firstOrder = 0, change = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const Real aim = target[i] - x[i];
      trial_[i] = std::clamp(x[i] + share * aim, proximal_.lower[i], proximal_.upper[i]);
      step_[i] = trial_[i] - x[i];
      firstOrder += gradient_[i] * (sets[i] == RowState::kFree ? share * aim : step_[i]);
    }
    hessian_->multiply(step_, product_);
    for (std::size_t i = 0; i < x.size(); ++i) {
      change += step_[i] * (gradient_[i] + 0.5 * (product_[i] + extra_[i] * step_[i]));
    }
    if (change <= kArmijo * firstOrder && firstOrder <= 0) {
      std::copy(trial_.begin(), trial_.end(), x.begin());
      return change < 0;
    }
  }
  return false;
}

SolveStatus Pdasm::descend(std::span<RowState> sets, std::span<Real> x, QpReport& report) {
  const std::size_t size = x.size();
  for (std::size_t i = 0; i < size; ++i) {
    x[i] = std::clamp(x[i], proximal_.lower[i], proximal_.upper[i]);
  }
  for (auto* array : {&target_, &step_, &product_}) array->resize(size);
  Patience patience(kDescentPatience, 0.5);
  for (int k = 0; k < settings_.maxDescents; ++k) {
    trial_.resize(size);
    evaluateGradient(x);
    const Real error = kktError(proximal_, metric_, x, gradient_);
    if (!std::isfinite(error)) return SolveStatus::kNumericalFailure;
    if (!patience.goesOn(error)) return SolveStatus::kStalled;
    // Held at a bound is what lies there, or nearer to it than the error, and is pushed against it.
    for (std::size_t i = 0; i < size; ++i) {
      const Real near = std::min(error, 1e-3 * std::abs(gradient_[i])) / metric_[i];
      const Real lower = proximal_.lower[i], upper = proximal_.upper[i];
      sets[i] = lower == upper || (x[i] <= lower + near && gradient_[i] > 0) ? RowState::kLower
                : x[i] >= upper - near && gradient_[i] < 0                   ? RowState::kUpper
                                                                             : RowState::kFree;
    }
    ++report.descents;
    if (!evaluate(sets, target_, report)) return SolveStatus::kNumericalFailure;
    // Solved where the free variables stay within their bounds and no held one wants to leave.
    if (moveViolators(sets, target_) == 0) {
      std::copy(target_.begin(), target_.end(), x.begin());
      return SolveStatus::kConverged;
    }
    evaluateGradient(x);
    trial_.resize(size);
    if (!searchArc(sets, target_, x)) {
      evaluateGradient(x);
      return SolveStatus::kStalled;
    }
  }
  evaluateGradient(x);
  return SolveStatus::kIterationLimit;
}

Real Pdasm::settle(const BoxQp& qp, std::span<Real> x) {
  // A free variable may be out of its bounds by what the tolerance allows.
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::clamp(x[i], qp.lower[i], qp.upper[i]);
  hessian_->multiply(x, gradient_);
  for (std::size_t i = 0; i < x.size(); ++i) gradient_[i] -= qp.linear[i];
  return kktError(qp, metric_, x, gradient_);
}

void Pdasm::keepBest(Real error, std::span<const RowState> sets, std::span<const Real> x,
                     QpReport& report) {
  if (!(error < report.kktError)) return;
  report.kktError = error;
  best_.assign(x.begin(), x.end());
  bestSets_.assign(sets.begin(), sets.end());
}

QpReport Pdasm::solve(const BoxQp& qp, std::span<RowState> sets, std::span<Real> x) {
  QpReport report;
  const int factorsBefore = system_->factorizations(), solvesBefore = system_->solves();
  const std::size_t size = x.size();
  gradient_.resize(size);
  admitSets(qp, x, sets);
  linear_.resize(size);
  start_.resize(size);
  for (std::size_t i = 0; i < size; ++i) start_[i] = std::clamp(x[i], qp.lower[i], qp.upper[i]);
  proximal_ = qp;
  proximal_.linear = linear_;
  report.kktError = kInfinity;
  best_.assign(start_.begin(), start_.end());
  bestSets_.assign(sets.begin(), sets.end());
  bool hasTriedInterior = false;
  Patience patience(kSetPatience, 0.5);
  for (int k = 0;; ++k) {
    for (std::size_t i = 0; i < size; ++i) linear_[i] = qp.linear[i] + extra_[i] * start_[i];
    system_->begin(proximal_);
    report.status = iterate(sets, x, report);
    if (report.status == SolveStatus::kCycled) {
      std::copy(start_.begin(), start_.end(), x.begin());
      report.status = descend(sets, x, report);
    }
    const Real error = settle(qp, x);
    const bool goesOn = patience.goesOn(error);
    keepBest(error, sets, x, report);
    if (error <= 2 * toleranceAt(x)) {
      report.status = SolveStatus::kConverged;
      break;
    }
    if (report.status != SolveStatus::kConverged && !hasTriedInterior) {
      hasTriedInterior = true;
      if (!std::isfinite(error)) std::copy(best_.begin(), best_.end(), x.begin());
      system_->forgetFactor();
      const InteriorOutcome outcome =
          interior_.run(qp, metric_, extra_, *k0_, settings_.tolerance, sets, x);
      report.interiorSteps = outcome.steps;
      report.factorizations += outcome.steps;
      report.solves += outcome.solves;
      keepBest(outcome.error, sets, x, report);
      patience = Patience(kSetPatience, 0.5, report.kktError);
      start_.assign(x.begin(), x.end());
      continue;
    }
    if (report.kktError <= 2 * toleranceAt(best_)) {
      report.status = SolveStatus::kConverged;
      break;
    }
    if (report.status == SolveStatus::kNumericalFailure) break;
    if (settings_.proximal == 0) {
      if (report.status == SolveStatus::kConverged) report.status = SolveStatus::kStalled;
      break;
    }
    if (!goesOn || k >= settings_.maxProximal) {
      report.status = SolveStatus::kStalled;
      break;
    }
    ++report.refinements;
    start_.assign(x.begin(), x.end());
  }
  std::copy(best_.begin(), best_.end(), x.begin());
  std::copy(bestSets_.begin(), bestSets_.end(), sets.begin());
  settle(qp, x);
  report.factorizations += system_->factorizations() - factorsBefore;
  report.solves += system_->solves() - solvesBefore;
  return report;
}

}  // namespace drystone
