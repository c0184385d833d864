#include "solvers/krylov/pcg_pivot_method.h"

#include <utility>

namespace drystone {

PcgPivotMethod::PcgPivotMethod(std::shared_ptr<FreePreconditioner> preconditioner,
                               PivotSettings given)
    : PcgPivotMethod(new PcgFactor(preconditioner), preconditioner, given) {}

PcgPivotMethod::PcgPivotMethod(PcgFactor* factor,
                               std::shared_ptr<FreePreconditioner> preconditioner,
                               PivotSettings given)
    : BlockMethod(std::unique_ptr<FreeFactor>(factor), given),
      factor_(factor),
      descent_(std::move(preconditioner)) {}

void PcgPivotMethod::visitSettings(SettingVisitor& visitor) {
  visitor.real(
      {"inner_tolerance", "", "residual that will do to choose pivots, over the largest |b|"},
      settings.trialTolerance, 0, 1);
  regularization()->settings.visit(visitor);
  factor_->visitSettings(visitor);
}

void PcgPivotMethod::reserve(const ProblemSize& size) {
  BlockMethod::reserve(size);
  descent_.reserve(size);
}

PivotOutcome PcgPivotMethod::rescue(const RowBounds& bounds, IndexSets& sets,
                                    std::span<Real> lambda, ResidualHistory* history) {
  descent_.settings.tolerance = settings.tolerance;
  descent_.settings.innerTolerance = settings.trialTolerance;
  descent_.settings.maxInner = factor_->maxIterations();
  descent_.setAllowance(allowance);
  descent_.attach(rows());
  return descent_.run(bounds, sets, lambda, history);
}

}  // namespace drystone
