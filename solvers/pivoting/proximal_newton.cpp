// R. T. Rockafellar, "Monotone operators and the proximal point algorithm", SIAM Journal on Control
// and Optimization 14 (1976); here for friction, whose law is not monotone.

#include "solvers/pivoting/proximal_newton.h"

#include <algorithm>
#include <cmath>

#include "core/patience.h"

namespace drystone {
namespace {

/// δ at first, and what it grows by where Newton steps wander and falls by where they are quick.
constexpr Real kFirstWeight = 0.1, kWeightGrowth = 3, kWeightDecay = 0.6;
/// Where they wander even at this one nothing helps.
constexpr Real kLargestWeight = 1e3;
/// Newton steps for a point: as many at most, and so many are quick.
constexpr int kMaxNewtonSteps = 12, kQuickSteps = 4;
/// More steps than these in a row that do not bring the natural map of the proximal problem to this
/// share wander.
constexpr int kStepPatience = 3;
constexpr Real kProgress = 0.7;
/// A point is solved to this share of the natural map that it starts at, and refused where its own
/// is so many times as large.
constexpr Real kSolvedShare = 0.1, kRefusedRise = 2;
/// δ below which it changes nothing.
constexpr Real kLeastWeight = 1e-12;
/// Refinements of a step, and what they leave over the largest |b|.
constexpr int kCorrections = 3;
constexpr Real kCorrectedShare = 1e-12;
/// A start whose natural map is less than this share of the best of earlier runs replaces the
/// point.
constexpr Real kReplacingShare = 0.25;

Real naturalMapAt(const FrictionNewton::Problem& problem, std::span<const Real> w) {
  return naturalMapSize(problem.rows.problem(), problem.rows.steps(), problem.lambda, w).largest;
}

}  // namespace

void ProximalNewton::reserve(const ProblemSize& size) {
  for (auto* array : {&point_, &best_, &proximalW_}) array->reserve(size.rows);
}

void ProximalNewton::evaluate(const FrictionNewton::Problem& problem) {
  problem.rows.velocity(problem.lambda, problem.w);
  proximalW_.assign(problem.w.begin(), problem.w.end());
  for (std::size_t row = 0; row < point_.size(); ++row) {
    proximalW_[row] += problem.states.proximalWeight(static_cast<int>(row), delta_) *
                       (problem.lambda[row] - point_[row]);
  }
}

bool ProximalNewton::step(const FrictionNewton::Problem& problem) {
  auto& [rows, system, states, lambda, w] = problem;
  states.fillBasis(rows, delta_, system.basis());
  if (!system.factor()) return false;
  for (int row = 0; row < rows.rowCount(); ++row) {
    rows.shift()[row] = -states.proximalWeight(row, delta_) * point_[row];
  }
  states.place(rows, lambda);
  rows.velocity(lambda, w);
  system.correct(lambda, w, kCorrectedShare * rows.velocityScale(), kCorrections);
  std::fill(rows.shift().begin(), rows.shift().end(), 0.0);
  return true;
}

bool ProximalNewton::solve(const FrictionNewton::Problem& problem, int steps,
                           const Allowance& allowance, NewtonOutcome& outcome) {
  std::copy(point_.begin(), point_.end(), problem.lambda.begin());
  Real first = 0;
  Patience patience(kStepPatience, kProgress);
  for (int k = 0;; ++k) {
    evaluate(problem);
    const Real error = naturalMapAt(problem, proximalW_);
    if (!std::isfinite(error)) return false;
    lastSteps_ = k;
    if (k == 0) {
      first = error;
    } else {
      if (error <= kSolvedShare * first) return true;
      if (!patience.goesOn(error)) return false;
    }
    outcome.changes += problem.states.classify(problem.rows, problem.lambda, proximalW_);
    if (k >= std::min(kMaxNewtonSteps, steps) || !allowance.take() || !step(problem)) return false;
    ++outcome.iterations;
  }
}

void ProximalNewton::run(const FrictionNewton::Problem& problem, const ProximalLimits& limits,
                         ResidualHistory& history, NewtonOutcome& outcome) {
  const int last = outcome.iterations + limits.steps;
  Real best = naturalMapAt(problem, problem.w);
  best_.assign(problem.lambda.begin(), problem.lambda.end());
  if (!std::isfinite(best)) {
    outcome.status = SolveStatus::kStalled;
    outcome.naturalMap = kInfinity;
    return;
  }
  if (best < kReplacingShare * bestError_) {
    point_.assign(problem.lambda.begin(), problem.lambda.end());
    pointError_ = best;
    delta_ = kFirstWeight;
  }
  outcome.status = SolveStatus::kIterationLimit;
  while (best > limits.tolerance && outcome.iterations < last) {
    if (limits.allowance.isSpent()) {
      outcome.status = limitStatus(limits.allowance);
      break;
    }
    const bool isSolved = solve(problem, last - outcome.iterations, limits.allowance, outcome);
    if (!isSolved && limits.allowance.isSpent()) continue;  // ends above
    if (!isSolved && outcome.iterations >= last) break;
    problem.states.makeFeasible(problem.rows, problem.lambda);
    problem.rows.velocity(problem.lambda, problem.w);
    const Real error = naturalMapAt(problem, problem.w);
    history.add(outcome.iterations, error);
    if (!isSolved || !(error <= kRefusedRise * pointError_)) {
      delta_ *= kWeightGrowth;
      if (delta_ <= kLargestWeight) continue;
      outcome.status = SolveStatus::kStalled;
      break;
    }
    point_.assign(problem.lambda.begin(), problem.lambda.end());
    pointError_ = error;
    if (lastSteps_ <= kQuickSteps) delta_ = std::max(kWeightDecay * delta_, kLeastWeight);
    if (!(error < best)) continue;
    best = error;
    best_.assign(point_.begin(), point_.end());
  }
  std::copy(best_.begin(), best_.end(), problem.lambda.begin());
  problem.rows.velocity(problem.lambda, problem.w);
  problem.states.classify(problem.rows, problem.lambda, problem.w);
  bestError_ = std::min(bestError_, best);
  outcome.naturalMap = best;
  if (best <= limits.tolerance) outcome.status = SolveStatus::kConverged;
}

}  // namespace drystone
