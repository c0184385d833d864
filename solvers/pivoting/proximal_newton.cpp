// R. T. Rockafellar, "Monotone operators and the proximal point algorithm", SIAM Journal on Control
// and Optimization 14 (1976); here for friction, whose law is not monotone.

#include "solvers/pivoting/proximal_newton.h"

#include <algorithm>
#include <cmath>

#include "core/patience.h"

namespace drystone {
namespace {

/// Points in a row, solved or not, that do not halve the best natural map, before the run counts as
/// stalled. Runs that solved their problem have rested for more than 30.
constexpr int kRestingPoints = 75;

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
  context.system.correct(iterate.lambda, iterate.w, kRefinedShare * context.roundOff);
  std::fill(rows.shift().begin(), rows.shift().end(), 0.0);
  return true;
}

bool ProximalNewton::solve(Iterate& iterate, StageContext& context, int steps) {
  std::copy(point_.begin(), point_.end(), iterate.lambda.begin());
  Real first = 0;
  Patience patience(kStepPatience, 0.5);
  for (int k = 0;; ++k) {
    evaluate(iterate, context.rows);
    const Real error = naturalMapAt(context.rows, iterate.lambda, proximalW_);
    if (!std::isfinite(error)) return false;
    if (k == 0) {
      first = error;
    } else {
      if (error <= first / 2) return true;
      if (!patience.goesOn(error)) return false;
    }
    context.report.pivots += iterate.states.classify(context.rows, iterate.lambda, proximalW_);
    if (k >= steps || !context.allowance.take() || !step(iterate, context)) {
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
  if (best < bestError_) {
    point_.assign(iterate.lambda.begin(), iterate.lambda.end());
    pointError_ = best;
    weight_.start();
  }
  const int first = context.report.outerIterations;
  const auto stepsLeft = [&] { return maxSteps - (context.report.outerIterations - first); };
  SolveStatus status = SolveStatus::kIterationLimit;
  Patience resting(kRestingPoints, 0.5, best);
  while (best > context.tolerance && stepsLeft() > 0) {
    if (context.allowance.isSpent()) {
      status = limitStatus(context.allowance);
      break;
    }
    if (!resting.goesOn(best)) {
      status = SolveStatus::kStalled;
      break;
    }
    delta_ = weight_.at(pointError_, context.rows.velocityScale());
    const bool isSolved = solve(iterate, context, stepsLeft());
    if (!isSolved && context.allowance.isSpent()) continue;  // ends above
    if (!isSolved && stepsLeft() <= 0) break;
    iterate.states.makeFeasible(context.rows, iterate.lambda);
    context.rows.velocity(iterate.lambda, iterate.w);
    const Real error = naturalMapAt(context.rows, iterate.lambda, iterate.w);
    context.history.add(context.report.outerIterations, error);
    if (!isSolved || !std::isfinite(error)) {
      weight_.grow();
      continue;
    }
    point_.assign(iterate.lambda.begin(), iterate.lambda.end());
    pointError_ = error;
    weight_.fall();
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
