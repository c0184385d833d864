#include "solvers/pivoting/block_method.h"

#include <utility>

namespace drystone {
namespace {

/// Gyroscopic terms make A unsymmetric by up to this, relative to its largest entry; the interior
/// point takes that for round-off.
constexpr Real kNearlySymmetric = 1e-3;

/// A stage that went on where `outcome` ended.
void addStage(const PivotOutcome& stage, PivotOutcome& outcome) {
  outcome.status = stage.status;
  outcome.isSpent = stage.isSpent;
  outcome.error = stage.error;
  outcome.rounds += stage.rounds;
  outcome.pivots += stage.pivots;
  outcome.factorizations += stage.factorizations;
  outcome.innerIterations += stage.innerIterations;
}

}  // namespace

BlockMethod::BlockMethod(std::unique_ptr<FreeFactor> factor, PivotSettings given)
    : PivotMethod(std::move(factor), given) {}

void BlockMethod::reserve(const ProblemSize& size) {
  PivotMethod::reserve(size);
  candidate_.reserve(size);
  blocks_.reserve(size);
  best_.reserve(size);
  interior_.reserve(size);
  regularization_.reserve(size);
}

void BlockMethod::attach(RowSystem& rows, BasisKind kind) {
  PivotMethod::attach(rows, kind);
  candidate_.attach(rows, system(), &regularization_);
  interior_.attach(rows, system());
}

PivotSettings BlockMethod::blockSettings() const {
  PivotSettings limits = settings;
  if (rows().asymmetry() <= kNearlySymmetric) limits.maxSingleRounds = factor().iterates() ? 0 : 1;
  return limits;
}

PivotOutcome BlockMethod::pivot(const RowBounds& bounds, IndexSets& sets, std::span<Real> lambda,
                                ResidualHistory* history) {
  regularization_.startRun();
  PivotOutcome outcome = blocks_.run(candidate_, bounds, blockSettings(), sets, lambda, history);
  if (outcome.isOver()) return outcome;
  best_.clear();
  best_.offer(outcome.error, sets, lambda);
  outcome.cacheBytes = factor().cacheBytes();
  regularization_.clear();  // nothing circles from here on
  addStage(rescue(bounds, sets, lambda, history), outcome);
  if (outcome.status == SolveStatus::kConverged) return outcome;
  best_.offer(outcome.error, sets, lambda);
  outcome.error = best_.copyTo(sets, lambda);
  return outcome;
}

void BlockMethod::placeOnBounds(const RowBounds& bounds, IndexSets& sets, std::span<Real> lambda,
                                PivotOutcome& outcome) {
  if (!settings.allowance.take()) return;
  ++outcome.rounds;
  if (candidate_.evaluate(sets, bounds, lambda, settings) && candidate_.solved()) {
    outcome.error = candidate_.error();
  } else {
    best_.copyTo(sets, lambda);
  }
}

PivotOutcome BlockMethod::rescue(const RowBounds& bounds, IndexSets& sets, std::span<Real> lambda,
                                 ResidualHistory* history) {
  system().change(BasisKind::kDiagonal);
  PivotOutcome outcome = interior_.run(bounds, settings, sets, lambda, history);
  system().change(rowsKind());
  if (outcome.isSpent) return outcome;
  best_.offer(outcome.error, sets, lambda);
  if (outcome.status == SolveStatus::kConverged) {
    placeOnBounds(bounds, sets, lambda, outcome);
    return outcome;
  }
  addStage(blocks_.run(candidate_, bounds, blockSettings(), sets, lambda, history), outcome);
  return outcome;
}

}  // namespace drystone
