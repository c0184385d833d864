// R. T. Rockafellar, "Monotone operators and the proximal point algorithm", SIAM Journal on Control
// and Optimization 14 (1976); here for friction, whose law is not monotone.

#include "solvers/pivoting/proximal_newton.h"

#include <algorithm>
#include <cmath>

#include "core/patience.h"

namespace drystone {
namespace {

/// δ is a factor times the natural map of the point over the largest |b|. The factor is the first
/// of these at the start. It grows by the second where Newton steps wander, and falls to the third
/// of it where they are quick. A δ that follows the natural map is what makes the last points as
/// quick as Newton steps.
constexpr Real kFirstFactor = 0.1, kFactorGrowth = 10, kFactorDecay = 0.6;
/// δ at which nothing helps where Newton steps wander, and below which it changes nothing.
constexpr Real kLargestWeight = 1e3, kLeastWeight = 1e-12;
/// Newton steps for a point: as many at most, and so many are quick.
constexpr int kMaxNewtonSteps = 12, kQuickSteps = 4;
/// More steps than these in a row that do not bring the natural map of the proximal problem to this
/// share wander.
constexpr int kStepPatience = 3;
constexpr Real kProgress = 0.7;
/// A point is solved to this share of the natural map that it starts at, and refused where its own
/// is so many times as large.
constexpr Real kSolvedShare = 0.5, kRefusedRise = 2;
/// Points in a row, solved or not, that do not bring the best natural map to kProgress of it,
/// before the run counts as stalled. Runs that solved their problem have rested for 20 at most.
constexpr int kRestingPoints = 75;
/// Refinements of a step, and what they leave over the largest |b|.
constexpr int kCorrections = 3;
constexpr Real kCorrectedShare = 1e-12;
/// A start whose natural map is less than this share of the best of earlier runs replaces the
/// point.
constexpr Real kReplacingShare = 0.25;

}  // namespace

void ProximalNewton::reserve(const ProblemSize& size) {
  for (auto* array : {&point_, &best_, &proximalW_}) array->reserve(size.rows);
}

void ProximalNewton::evaluate(const Iterate& iterate, RowSystem& rows) {
  rows.velocity(iterate.lambda, iterate.w);
  proximalW_.assign(iterate.w.begin(), iterate.w.end());
  for (std::size_t row = 0; row < point_.size(); ++row) {
    proximalW_[row] += iterate.states.proximalWeight(static_cast<int>(row), delta_) *
                       (iterate.lambda[row] - point_[row]);
  }
}

bool ProximalNewton::step(Iterate& iterate, StageContext& context) {
  RowSystem& rows = context.rows;
  iterate.states.fillBasis(rows, delta_, context.system.basis());
  if (!context.system.factor()) return false;
  for (int row = 0; row < rows.rowCount(); ++row) {
    rows.shift()[row] = -iterate.states.proximalWeight(row, delta_) * point_[row];
  }
  iterate.states.place(rows, iterate.lambda);
  rows.velocity(iterate.lambda, iterate.w);
  context.system.correct(iterate.lambda, iterate.w, kCorrectedShare * rows.velocityScale(),
                         kCorrections);
  std::fill(rows.shift().begin(), rows.shift().end(), 0.0);
  return true;
}

bool ProximalNewton::solve(Iterate& iterate, StageContext& context, int steps) {
  std::copy(point_.begin(), point_.end(), iterate.lambda.begin());
  Real first = 0;
  Patience patience(kStepPatience, kProgress);
  for (int k = 0;; ++k) {
    evaluate(iterate, context.rows);
    const Real error = naturalMapAt(context.rows, iterate.lambda, proximalW_);
    if (!std::isfinite(error)) return false;
    lastSteps_ = k;
    if (k == 0) {
      first = error;
    } else {
      if (error <= kSolvedShare * first) return true;
      if (!patience.goesOn(error)) return false;
    }
    context.report.pivots += iterate.states.classify(context.rows, iterate.lambda, proximalW_);
    if (k >= std::min(kMaxNewtonSteps, steps) || !context.allowance.take() ||
        !step(iterate, context)) {
      return false;
    }
    ++context.report.outerIterations;
  }
}

SolveStatus ProximalNewton::improve(Iterate& iterate, StageContext& context) {
  Real best = naturalMapAt(context.rows, iterate.lambda, iterate.w);
  best_.assign(iterate.lambda.begin(), iterate.lambda.end());
  if (!std::isfinite(best)) return SolveStatus::kStalled;
  const StageFactors factors(context, BasisKind::kGeneral);
  if (best < kReplacingShare * bestError_) {
    point_.assign(iterate.lambda.begin(), iterate.lambda.end());
    pointError_ = best;
    factor_ = kFirstFactor;
  }
  const int first = context.report.outerIterations;
  const auto stepsLeft = [&] { return maxSteps - (context.report.outerIterations - first); };
  SolveStatus status = SolveStatus::kIterationLimit;
  Patience resting(kRestingPoints, kProgress, best);
  while (best > context.tolerance && stepsLeft() > 0) {
    if (context.allowance.isSpent()) {
      status = limitStatus(context.allowance);
      break;
    }
    if (!resting.goesOn(best)) {
      status = SolveStatus::kStalled;
      break;
    }
    const Real share = pointError_ / std::max(context.rows.velocityScale(), pointError_);
    delta_ = std::clamp(factor_ * share, kLeastWeight, kLargestWeight);
    const bool isSolved = solve(iterate, context, stepsLeft());
    if (!isSolved && context.allowance.isSpent()) continue;  // ends above
    if (!isSolved && stepsLeft() <= 0) break;
    iterate.states.makeFeasible(context.rows, iterate.lambda);
    context.rows.velocity(iterate.lambda, iterate.w);
    const Real error = naturalMapAt(context.rows, iterate.lambda, iterate.w);
    context.history.add(context.report.outerIterations, error);
    if (!isSolved || !(error <= kRefusedRise * pointError_)) {
      factor_ *= kFactorGrowth;
      if (delta_ < kLargestWeight) continue;
      status = SolveStatus::kStalled;
      break;
    }
    point_.assign(iterate.lambda.begin(), iterate.lambda.end());
    pointError_ = error;
    if (lastSteps_ <= kQuickSteps) factor_ *= kFactorDecay;
    if (!(error < best)) continue;
    best = error;
    best_.assign(point_.begin(), point_.end());
  }
  std::copy(best_.begin(), best_.end(), iterate.lambda.begin());
  iterate.measure(context.rows);
  bestError_ = std::min(bestError_, best);
  return best <= context.tolerance ? SolveStatus::kConverged : status;
}

}  // namespace drystone
