#include "solvers/pivoting/pivot_method.h"

#include <algorithm>
#include <utility>

namespace drystone {
namespace {

/// Of the tolerance of signs, where free rows that were out of their bounds by it have to go back.
constexpr Real kSharper = 1e-4;

}  // namespace

PivotMethod::PivotMethod(std::unique_ptr<FreeFactor> factor, PivotSettings given)
    : settings(given), factor_(std::move(factor)), ownTolerance_(given.tolerance) {}

void PivotMethod::reserve(const ProblemSize& size) {
  factor_->reserve(size);
  system_.reserve(size);
  w_.reserve(size.rows);
  placed_.reserve(size);
}

bool PivotMethod::needsMatrix(const ContactProblem& problem) const {
  return factor_->needsMatrix(problem);
}

void PivotMethod::setAllowance(const Allowance& given) {
  FixedBoundMethod::setAllowance(given);
  settings.allowance = given;
  factor_->setDeadline(given.deadline());
}

void PivotMethod::attach(RowSystem& rows, BasisKind kind) {
  system_.attach(rows, *factor_, kind);
  rows_ = &rows;
}

PivotOutcome PivotMethod::run(const RowBounds& bounds, IndexSets& sets, std::span<Real> lambda,
                              ResidualHistory* history) {
  settings.tolerance = relativeTolerance(ownTolerance_, rows());
  const int before = system_.factorizations();
  const std::int64_t innerBefore = system_.innerIterations();
  PivotOutcome outcome = pivot(bounds, sets, lambda, history);
  const bool isMoved = placeWithin(bounds, lambda);
  // A regularized problem has another answer, which its own rows are not measured by.
  const bool isOwnProblem = regularization() == nullptr || regularization()->compliance().empty();
  const bool isMeasured = isOwnProblem && allowedError < kInfinity;
  if (isMoved && isMeasured && outcome.status == SolveStatus::kConverged) {
    sharpen(bounds, sets, lambda, history, outcome);
  }
  // What a rescue without the factor took stands there already.
  outcome.factorizations += system_.factorizations() - before;
  outcome.factor = system_.factorName();
  outcome.innerIterations += system_.innerIterations() - innerBefore;
  outcome.regularization = system_.regularization();
  outcome.cacheBytes = std::max(outcome.cacheBytes, factor_->cacheBytes());
  return outcome;
}

bool PivotMethod::placeWithin(const RowBounds& bounds, std::span<Real> lambda) {
  bool isMoved = false;
  for (std::size_t row = 0; row < lambda.size(); ++row) {
    const Real placed = std::clamp(lambda[row], bounds.lower[row], bounds.upper[row]);
    isMoved = isMoved || placed != lambda[row];
    lambda[row] = placed;
  }
  return isMoved;
}

Real PivotMethod::errorOf(const RowBounds& bounds, std::span<const Real> lambda) {
  w_.resize(lambda.size());
  rows().velocity(lambda, w_);
  return complementarityError(rows(), bounds, lambda, w_);
}

void PivotMethod::sharpen(const RowBounds& bounds, IndexSets& sets, std::span<Real> lambda,
                          ResidualHistory* history, PivotOutcome& outcome) {
  outcome.error = errorOf(bounds, lambda);
  if (outcome.error <= allowedError) return;
  placed_.clear();
  placed_.offer(outcome.error, sets, lambda);
  settings.tolerance *= kSharper;
  const PivotOutcome again = pivot(bounds, sets, lambda, history);
  placeWithin(bounds, lambda);
  outcome.rounds += again.rounds;
  outcome.pivots += again.pivots;
  placed_.offer(errorOf(bounds, lambda), sets, lambda);
  outcome.error = placed_.copyTo(sets, lambda);
  if (outcome.error <= allowedError) return;
  outcome.isSpent = again.isSpent;
  outcome.status = again.isSpent ? again.status : SolveStatus::kStalled;
}

}  // namespace drystone
