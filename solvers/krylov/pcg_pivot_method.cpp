#include "solvers/krylov/pcg_pivot_method.h"

#include <utility>

namespace drystone {

PcgPivotMethod::PcgPivotMethod(std::shared_ptr<FreePreconditioner> preconditioner,
                               PivotSettings settings)
    : PcgPivotMethod(new PcgFactor(preconditioner), preconditioner, settings) {}

PcgPivotMethod::PcgPivotMethod(PcgFactor* factor,
                               std::shared_ptr<FreePreconditioner> preconditioner,
                               PivotSettings settings)
    : BlockMethod(std::unique_ptr<FreeFactor>(factor), settings),
      factor_(factor),
      descent_(std::move(preconditioner)) {}

void PcgPivotMethod::reserve(const ProblemSize& size) {
  BlockMethod::reserve(size);
  descent_.reserve(size);
}

PivotOutcome PcgPivotMethod::rescue(const RowBounds& bounds, IndexSets& sets,
                                    std::span<Real> lambda, ResidualHistory* history) {
  descent_.settings.tolerance = settings().tolerance;
  descent_.settings.innerTolerance = settings().trialTolerance;
  descent_.maxRounds = maxRounds;
  descent_.settings.maxInner = factor_->maxIterations();
  descent_.deadline = deadline;
  descent_.attach(rows());
  return descent_.run(bounds, sets, lambda, history);
}

}  // namespace drystone
