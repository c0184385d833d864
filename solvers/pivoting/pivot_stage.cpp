#include "solvers/pivoting/pivot_stage.h"

#include <algorithm>

namespace drystone {

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
  if (iterate.given.empty()) {
    iterate.states.write(rows, iterate.lambda, state_);
  } else {
    std::copy(iterate.given.begin(), iterate.given.end(), state_.begin());
    iterate.given = {};
  }
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

}  // namespace drystone
