#include "bench/studies/bare_pivoting.h"

#include <algorithm>

namespace drystone::bench {

SolveStatus PlainPivoting::solve(const ContactProblem& problem, std::span<const RowState> start,
                                 std::span<const Real> warm) {
  bounds_.assignKnown(problem);
  lambda_.assign(warm.begin(), warm.end());
  rows_.prepare(problem, false);
  system_.attach(rows_, factor_, BasisKind::kRows);
  candidate_.attach(rows_, system_);
  sets_.start(bounds_, start, lambda_);
  visited_.clear();
  for (rounds_ = 0; rounds_ < kMaxRounds; ++rounds_) {
    if (visited_.recur(sets_)) return SolveStatus::kCycled;
    if (!candidate_.evaluate(sets_, bounds_, lambda_, settings_)) {
      return SolveStatus::kNumericalFailure;
    }
    if (candidate_.solved()) return SolveStatus::kConverged;
    if (candidate_.violators().empty()) return SolveStatus::kStalled;
    for (const Violator& violator : candidate_.violators()) {
      sets_.set(violator.row, violator.target);
    }
  }
  return SolveStatus::kIterationLimit;
}

PivotOutcome ThesisPivoting::solve(const ContactProblem& problem, std::span<const RowState> start,
                                   std::span<const Real> warm) {
  bounds_.assignKnown(problem);
  lambda_.assign(warm.begin(), warm.end());
  rows_.prepare(problem, false);
  system_.attach(rows_, factor_, BasisKind::kDiagonal);
  regularization.start(problem);
  regularization.startRun();
  candidate_.attach(rows_, system_, &regularization);
  sets_.start(bounds_, start, lambda_);
  PivotSettings settings;
  settings.maxRounds = settings.maxSingleRounds = maxRounds;
  const PivotOutcome outcome = blocks_.run(candidate_, bounds_, settings, sets_, lambda_, nullptr);
  std::vector<RowState> states(sets_.states().begin(), sets_.states().end());
  regularization.describe({lambda_, states}, report_);
  return outcome;
}

}  // namespace drystone::bench
