#include "solvers/pivoting/stage.h"

#include <algorithm>

#include "solvers/problem/residual.h"

namespace drystone {

Real naturalMapAt(const RowSystem& rows, std::span<const Real> lambda, std::span<const Real> w) {
  return naturalMapSize(rows.problem(), rows.steps(), lambda, w).largest;
}

void Iterate::measure(RowSystem& rows) {
  rows.velocity(lambda, w);
  states.classify(rows, lambda, w);
  error = naturalMapAt(rows, lambda, w);
}

StageFactors::StageFactors(StageContext& context, BasisKind kind)
    : context_(context), before_(context.system.factorizations()) {
  context.system.change(kind);
}

StageFactors::~StageFactors() {
  SolverReport& report = context_.report;
  report.factorizations += context_.system.factorizations() - before_;
  report.regularization = std::max(report.regularization, context_.system.regularization());
}

void Cascade::reserve(const ProblemSize& size) { lambda_.reserve(size.rows); }

void Cascade::keep(const Iterate& iterate) {
  if (!(iterate.error < error_)) return;
  error_ = iterate.error;
  lambda_.assign(iterate.lambda.begin(), iterate.lambda.end());
}

void Cascade::restore(Iterate& iterate, StageContext& context) const {
  if (iterate.error == error_) return;
  std::copy(lambda_.begin(), lambda_.end(), iterate.lambda.begin());
  iterate.measure(context.rows);
}

SolveStatus Cascade::run(std::span<const CascadeStep> steps, Iterate& iterate,
                         StageContext& context) {
  error_ = kInfinity;
  lambda_.assign(iterate.lambda.begin(), iterate.lambda.end());
  keep(iterate);
  SolveStatus verdict = SolveStatus::kStalled;
  for (const CascadeStep& step : steps) {
    if (context.allowance.isSpent()) {
      verdict = limitStatus(context.allowance);
      break;
    }
    context.allowance.beginStage();
    if (step.start == StageStart::kBest) restore(iterate, context);
    if (step.start == StageStart::kNothing) {
      std::fill(iterate.lambda.begin(), iterate.lambda.end(), 0.0);
      iterate.measure(context.rows);
    }
    step.stage->begin();
    const SolveStatus status = step.stage->improve(iterate, context);
    // An answer of a problem that the stage has changed need not be better in the one as it was.
    if (status == SolveStatus::kConverged) return status;
    if (&step == steps.data()) verdict = status;
    keep(iterate);
  }
  restore(iterate, context);
  return verdict;
}

}  // namespace drystone
