#include "solvers/reference/murty.h"

#include <algorithm>

namespace drystone {

void MurtyMethod::reserve(const ProblemSize& size) {
  PivotMethod::reserve(size);
  candidate_.reserve(size);
  best_.reserve(size);
  visited_.reserve();
}

void MurtyMethod::attach(RowSystem& rows) {
  PivotMethod::attach(rows, BasisKind::kRows);
  candidate_.attach(rows, system());
}

/// From the sets at hand, and where that leads nowhere once more from all rows free: which sets a
/// single pivot meets, and whether they recur, depends on the start alone.
PivotOutcome MurtyMethod::pivot(const RowBounds& bounds, IndexSets& sets, std::span<Real> lambda,
                                ResidualHistory* history) {
  best_.clear();
  const PivotOutcome first = pivotFrom(bounds, sets, lambda, history);
  if (first.isOver()) return first;
  for (int row = 0; row < sets.size(); ++row) sets.set(row, RowState::kFree);
  sets.admit(bounds);
  std::fill(lambda.begin(), lambda.end(), 0.0);
  PivotOutcome second = pivotFrom(bounds, sets, lambda, history);
  second.rounds += first.rounds;
  second.pivots += first.pivots;
  return second;
}

PivotOutcome MurtyMethod::pivotFrom(const RowBounds& bounds, IndexSets& sets,
                                    std::span<Real> lambda, ResidualHistory* history) {
  PivotOutcome outcome;
  outcome.status = SolveStatus::kIterationLimit;
  visited_.clear();
  visited_.recur(sets);
  while (outcome.rounds < settings.maxRounds) {
    if (!evaluateRound(candidate_, bounds, settings, sets, lambda, history, best_, outcome)) break;
    const std::span<const Violator> violators = candidate_.violators();
    outcome.pivots += candidate_.pivot(violators.first(1), sets);
    if (visited_.recur(sets)) {
      outcome.status = SolveStatus::kCycled;
      break;
    }
  }
  if (outcome.status != SolveStatus::kConverged) {
    outcome.error = best_.restore(bounds, sets, lambda);
  }
  return outcome;
}

}  // namespace drystone
