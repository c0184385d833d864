#include "solvers/pivoting/pivot_stages.h"

#include <algorithm>

namespace drystone {
namespace {

/// Rounds of the loop over bounds for a new start: what it solves takes fewer.
constexpr int kLoopRounds = 60;

}  // namespace

void PivotStage::reserve(const ProblemSize& size) {
  bounds_.reserve(size);
  sets_.reserve(size.rows);
  state_.reserve(size.rows);
}

SolveStatus PivotStage::improve(Iterate& iterate, StageContext& context) {
  RowSystem& rows = context.rows;
  AdaptiveRegularization& regularization = *method_.regularization();
  bounds_.assignKnown(rows.problem());
  bounds_.fixIdleRows(rows);
  state_.resize(rows.rowCount());
  iterate.states.write(rows, iterate.lambda, state_);
  sets_.start(bounds_, state_, iterate.lambda);
  method_.prepareForPivots();
  const PivotOutcome outcome = method_.run(bounds_, sets_, iterate.lambda, &context.history);
  addOutcome(outcome, context.report);
  rows.velocity(iterate.lambda, iterate.w);
  iterate.states.start(rows, sets_.states(), iterate.lambda, iterate.w);
  iterate.error = naturalMapAt(rows, iterate.lambda, iterate.w);
  SolveStatus status = outcome.status;
  // The method measures each row by its own step, the natural map a block by one.
  const bool isOwnProblem = regularization.compliance().empty();
  if (isOwnProblem && status == SolveStatus::kConverged && iterate.error > context.tolerance) {
    status = SolveStatus::kStalled;
  }
  // The other stages solve the problem as it is.
  if (status != SolveStatus::kConverged) regularization.clear();
  return status;
}

void BoundRoundsStage::reserve(const ProblemSize& size) {
  loop_.reserve(size);
  state_.reserve(size.rows);
}

SolveStatus BoundRoundsStage::improve(Iterate& iterate, StageContext& context) {
  state_.resize(iterate.lambda.size());
  iterate.states.write(context.rows, iterate.lambda, state_);
  BoundLoopSettings settings = settings_;
  settings.maxRounds = std::min(settings.maxRounds, kLoopRounds);
  SolverReport report;
  loop_.solve(context.rows.problem(), method_, settings, {iterate.lambda, state_}, context.history,
              report);
  // The loop has bound the method to problems of its own.
  method_.attach(context.rows, BasisKind::kGeneral);
  context.report.pivots += report.pivots;
  context.report.factorizations += report.factorizations;
  context.report.innerIterations += report.innerIterations;
  context.report.outerIterations += report.outerIterations;
  context.report.regularization = std::max(context.report.regularization, report.regularization);
  context.report.cacheBytes = std::max(context.report.cacheBytes, report.cacheBytes);
  context.report.assemblyMs += report.assemblyMs;
  iterate.measure(context.rows);
  return iterate.error <= context.roundOff ? SolveStatus::kConverged : report.status;
}

}  // namespace drystone
