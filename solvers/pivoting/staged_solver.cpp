#include "solvers/pivoting/staged_solver.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/check.h"
#include "solvers/driver/settings.h"
#include "solvers/driver/stopping.h"

namespace drystone {
namespace {

/// Newton steps on proximal points beyond the tolerance: most answers end at round-off in fewer,
/// and one that does not is an answer all the same.
constexpr int kStepsToRoundOff = 100;

/// Of the longest list of stages.
constexpr int kMostSteps = 8;

}  // namespace

void StagedSolver::visitSettings(SettingVisitor& visitor) {
  visitor.real(
      {"relative_tolerance", "", "natural map that plain steps end at, over the largest |b|"},
      relativeTolerance, 0, 1);
  visitor.integer({"max_proximal", "", "Newton steps on proximal points"}, proximal.maxSteps, 0,
                  std::numeric_limits<int>::max());
}

void StagedSolver::reserveOwn(const ProblemSize& size) {
  rows_.reserve(size);
  newton.reserve(size);
  proximal.reserve(size);
  cascade_.reserve(size);
  steps_.reserve(kMostSteps);
  states_.reserve(size);
  given_.reserve(size.rows);
  w_.reserve(size.rows);
}

void StagedSolver::run(const ContactProblem& problem, const SolveContext& context,
                       ImpulseView impulses, SolverReport& report) {
  answered_ = nullptr;
  rows_.prepare(problem, needsMatrix(problem));
  report.assemblyMs += rows_.assemblyMs();
  if (!std::isfinite(rows_.velocityScale())) {
    report.status = SolveStatus::kNumericalFailure;
    return;
  }
  Spending spending{.iterationsLeft = context.iterations};
  const Allowance allowance(spending, context.deadline);
  w_.resize(rows_.rowCount());
  given_.assign(impulses.state.begin(), impulses.state.end());
  Iterate iterate{impulses.lambda, w_, states_, kInfinity, given_};
  const bool isKnown = std::ranges::find(given_, RowState::kUnknown) == given_.end();
  const bool measuresFirst = !beginsAtStates(problem) || rows_.hasIdleRows() || !isKnown;
  const bool isPossible = !measuresFirst || iterate.measureGiven(rows_);
  const Real startError = iterate.error;
  steps_.clear();
  FreeSystem& system = begin(rows_, context, allowance, isPossible);
  const Real roundOff = std::min(context.tolerance, relativeTolerance * rows_.velocityScale());
  StageContext stages{rows_,           system, context.tolerance, roundOff, allowance,
                      context.history, report};
  report.status = cascade_.run(steps_, iterate, stages);
  if (!changedProblem()) {
    // Pivots and plain steps end at round-off by themselves.
    const bool rests = startError <= kRestingTolerances * context.tolerance;
    if (rests && cascade_.solvedBy() == &proximal) polish(iterate, stages);
    report.status = settledStatus(report.status, iterate.error, context.tolerance);
  }
  if (!isPossible) report.status = SolveStatus::kInfeasible;
  const bool isPlain = report.status == SolveStatus::kConverged && cascade_.solvedBy() == &newton;
  answered_ = isPlain && !changedProblem() ? &system : nullptr;
  states_.write(rows_, impulses.lambda, impulses.state);
  end(impulses, report);
  report.iterations = context.iterations - spending.iterationsLeft;
}

bool StagedSolver::follow(std::span<const Real> miss, std::span<Real> step) {
  if (answered_ == nullptr) return false;
  DRYSTONE_ASSERT(static_cast<int>(miss.size()) == rows_.rowCount());
  answered_->solve(miss, step, 0);
  for (Real& value : step) value = -value;
  return true;
}

void StagedSolver::polish(Iterate& iterate, const StageContext& context) {
  StageContext further = context;
  further.tolerance = reachableError(context, iterate.lambda);
  const int maxSteps =
      std::exchange(proximal.maxSteps, std::min(proximal.maxSteps, kStepsToRoundOff));
  proximal.improve(iterate, further);
  proximal.maxSteps = maxSteps;
  if (iterate.error > reachableError(context, iterate.lambda)) newton.improve(iterate, further);
}

}  // namespace drystone
