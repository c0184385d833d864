#include "solvers/pivoting/stage.h"

#include <algorithm>

#include "core/check.h"
#include "solvers/problem/residual.h"

namespace drystone {

Real naturalMapAt(const RowSystem& rows, std::span<const Real> lambda, std::span<const Real> w) {
  return naturalMapSize(rows.problem(), rows.steps(), lambda, w).largest;
}

Real reachableError(const StageContext& context, std::span<const Real> lambda) {
  const Real lastBits = std::min(context.rows.roundOff(lambda), context.tolerance);
  return std::max(context.roundOff, lastBits);
}

void Iterate::measure(RowSystem& rows) {
  DRYSTONE_ASSERT(given.empty());
  rows.velocity(lambda, w);
  states.classify(rows, lambda, w);
  error = naturalMapAt(rows, lambda, w);
}

bool Iterate::measureGiven(RowSystem& rows) {
  rows.velocity(lambda, w);
  const bool isPossible = states.start(rows, given, lambda, w);
  error = naturalMapAt(rows, lambda, w);
  given = {};
  return isPossible;
}

StageFactors::StageFactors(StageContext& context, BasisKind kind)
    : context_(context), before_(context.system.factorizations() - context.report.factorizations) {
  context.system.change(kind);
}

StageFactors::~StageFactors() {
  SolverReport& report = context_.report;
  report.factorizations = context_.system.factorizations() - before_;
  report.factor = context_.system.factorName();
  report.regularization = std::max(report.regularization, context_.system.regularization());
}

void Cascade::reserve(const ProblemSize& size) {
  lambda_.reserve(size.rows);
  startW_.reserve(size.rows);
}

void Cascade::keep(const Iterate& iterate) {
  if (!(iterate.error < error_)) return;
  error_ = iterate.error;
  lambda_.assign(iterate.lambda.begin(), iterate.lambda.end());
}

void Cascade::restore(Iterate& iterate, StageContext& context) const {
  if (std::equal(lambda_.begin(), lambda_.end(), iterate.lambda.begin())) return;
  std::copy(lambda_.begin(), lambda_.end(), iterate.lambda.begin());
  iterate.measure(context.rows);
}

SolveStatus Cascade::run(std::span<const CascadeStep> steps, Iterate& iterate,
                         StageContext& context) {
  error_ = iterate.error;
  solvedBy_ = nullptr;
  lambda_.assign(iterate.lambda.begin(), iterate.lambda.end());
  SolveStatus verdict = SolveStatus::kStalled;
  for (const CascadeStep& step : steps) {
    if (context.allowance.isSpent()) break;
    context.allowance.beginStage();
    if (step.start == StageStart::kBest) restore(iterate, context);
    if (step.start == StageStart::kNothing) {
      std::fill(iterate.lambda.begin(), iterate.lambda.end(), 0.0);
      iterate.measure(context.rows);
    }
    const bool wasGiven = !iterate.given.empty();
    if (wasGiven && step.stage->readsMeasures()) {
      iterate.measureGiven(context.rows);
      error_ = iterate.error;
    }
    step.stage->begin();
    verdict = step.stage->improve(iterate, context);
    // An answer of a problem that the stage has changed need not be better in the one as it was.
    if (verdict == SolveStatus::kConverged) {
      solvedBy_ = step.stage;
      return verdict;
    }
    if (wasGiven && !step.stage->readsMeasures()) {
      startW_.resize(lambda_.size());
      context.rows.velocity(lambda_, startW_);
      error_ = naturalMapAt(context.rows, lambda_, startW_);
    }
    keep(iterate);
  }
  if (!iterate.given.empty()) iterate.measureGiven(context.rows);  // no stage could begin
  restore(iterate, context);
  return context.allowance.isSpent() ? limitStatus(context.allowance) : verdict;
}

}  // namespace drystone
