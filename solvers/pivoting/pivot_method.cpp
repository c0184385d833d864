#include "solvers/pivoting/pivot_method.h"

#include <algorithm>
#include <utility>

namespace drystone {

PivotMethod::PivotMethod(std::unique_ptr<FreeFactor> factor, PivotSettings given)
    : settings(given), factor_(std::move(factor)) {}

void PivotMethod::reserve(const ProblemSize& size) {
  factor_->reserve(size);
  system_.reserve(size);
}

bool PivotMethod::needsMatrix(const ContactProblem& problem) const {
  return factor_->needsMatrix(problem);
}

void PivotMethod::attach(RowSystem& rows, BasisKind kind) {
  system_.attach(rows, *factor_, kind);
  rows_ = &rows;
}

PivotOutcome PivotMethod::run(const RowBounds& bounds, IndexSets& sets, std::span<Real> lambda,
                              ResidualHistory* history) {
  settings.deadline = deadline;
  settings.maxRounds = maxRounds;
  factor_->setDeadline(deadline);
  const int before = system_.factorizations();
  const std::int64_t innerBefore = system_.innerIterations();
  PivotOutcome outcome = pivot(bounds, sets, lambda, history);
  // A free row may be out of its bounds by the pivot tolerance.
  for (std::size_t row = 0; row < lambda.size(); ++row) {
    lambda[row] = std::clamp(lambda[row], bounds.lower[row], bounds.upper[row]);
  }
  // What a rescue without the factor took stands there already.
  outcome.factorizations += system_.factorizations() - before;
  outcome.innerIterations += system_.innerIterations() - innerBefore;
  outcome.regularization = system_.regularization();
  outcome.cacheBytes = std::max(outcome.cacheBytes, factor_->cacheBytes());
  return outcome;
}

}  // namespace drystone
