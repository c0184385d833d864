#include "bench/studies/thesis_pivoting.h"

#include <algorithm>

namespace drystone::bench {

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
