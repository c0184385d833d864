#include "solvers/pivoting/pivot_method.h"

#include <algorithm>

namespace drystone {
namespace {

/// Gyroscopic terms make A unsymmetric by up to this, relative to its largest entry; the interior
/// point takes that for round-off.
constexpr Real kNearlySymmetric = 1e-3;

bool isOver(SolveStatus status) {
  return status == SolveStatus::kConverged || status == SolveStatus::kTimeLimit;
}

/// A stage that went on where `outcome` ended.
void addStage(const PivotOutcome& stage, PivotOutcome& outcome) {
  outcome.status = stage.status;
  outcome.error = stage.error;
  outcome.rounds += stage.rounds;
  outcome.pivots += stage.pivots;
  outcome.factorizations += stage.factorizations;
  outcome.innerIterations += stage.innerIterations;
}

}  // namespace

PivotMethod::PivotMethod(std::unique_ptr<FreeFactor> factor, PivotRule rule, PivotSettings given)
    : settings(given), factor_(std::move(factor)), rule_(rule) {}

void PivotMethod::reserve(const ProblemSize& size) {
  factor_->reserve(size);
  system_.reserve(size);
  candidate_.reserve(size);
  blocks_.reserve(size);
  singles_.reserve(size);
  best_.reserve(size);
  primal_.reserve(size);
  interior_.reserve(size);
  regularization_.reserve(size);
}

bool PivotMethod::needsMatrix(const ContactProblem& problem) const {
  return factor_->needsMatrix(problem);
}

void PivotMethod::attach(RowSystem& rows, BasisKind kind) {
  system_.attach(rows, *factor_, kind);
  candidate_.attach(rows, system_, rule_ == PivotRule::kBlock ? &regularization_ : nullptr);
  primal_.attach(rows, system_);
  interior_.attach(rows, system_);
  rows_ = &rows;
}

PivotSettings PivotMethod::blockSettings() const {
  PivotSettings limits = settings;
  if (rows_->asymmetry() <= kNearlySymmetric) limits.maxSingleRounds = factor_->iterates() ? 0 : 1;
  return limits;
}

PivotOutcome PivotMethod::runBlocks(const RowBounds& bounds, IndexSets& sets,
                                    std::span<Real> lambda, ResidualHistory* history) {
  PivotOutcome outcome = blocks_.run(candidate_, bounds, blockSettings(), sets, lambda, history);
  if (isOver(outcome.status)) return outcome;
  best_.clear();
  best_.offer(outcome.error, sets, lambda);
  outcome.cacheBytes = factor_->cacheBytes();
  regularization_.clear();  // nothing circles from here on
  addStage(rescue(bounds, sets, lambda, history), outcome);
  if (outcome.status == SolveStatus::kConverged) return outcome;
  best_.offer(outcome.error, sets, lambda);
  outcome.error = best_.copyTo(sets, lambda);
  return outcome;
}

PivotOutcome PivotMethod::rescue(const RowBounds& bounds, IndexSets& sets, std::span<Real> lambda,
                                 ResidualHistory* history) {
  system_.change(BasisKind::kDiagonal);
  PivotOutcome outcome = interior_.run(bounds, settings, sets, lambda, history);
  system_.change(rowsKind());
  if (isOver(outcome.status)) return outcome;
  best_.offer(outcome.error, sets, lambda);
  addStage(blocks_.run(candidate_, bounds, blockSettings(), sets, lambda, history), outcome);
  return outcome;
}

/// From the sets at hand, and where that leads nowhere once more from all rows free: which sets a
/// single pivot meets, and whether they recur, depends on the start alone.
PivotOutcome PivotMethod::runSingles(const RowBounds& bounds, IndexSets& sets,
                                     std::span<Real> lambda, ResidualHistory* history) {
  const PivotOutcome first = singles_.run(candidate_, bounds, settings, sets, lambda, history);
  if (isOver(first.status)) return first;
  for (int row = 0; row < sets.size(); ++row) sets.set(row, RowState::kFree);
  sets.admit(bounds);
  std::fill(lambda.begin(), lambda.end(), 0.0);
  PivotOutcome second = singles_.run(candidate_, bounds, settings, sets, lambda, history);
  second.rounds += first.rounds;
  second.pivots += first.pivots;
  return second;
}

PivotOutcome PivotMethod::runRule(const RowBounds& bounds, IndexSets& sets, std::span<Real> lambda,
                                  ResidualHistory* history) {
  switch (rule_) {
    case PivotRule::kSingle:
      return runSingles(bounds, sets, lambda, history);
    case PivotRule::kPrimal:
      return primal_.run(bounds, settings, sets, lambda, history);
    default:
      return runBlocks(bounds, sets, lambda, history);
  }
}

PivotOutcome PivotMethod::run(const RowBounds& bounds, IndexSets& sets, std::span<Real> lambda,
                              ResidualHistory* history) {
  settings.deadline = deadline;
  settings.maxRounds = maxRounds;
  factor_->setDeadline(deadline);
  const int before = system_.factorizations();
  const std::int64_t innerBefore = system_.innerIterations();
  regularization_.startRun();
  PivotOutcome outcome = runRule(bounds, sets, lambda, history);
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
