#include "solvers/driver/contact_solver.h"

#include <algorithm>
#include <array>

#include "core/check.h"
#include "solvers/problem/problem_ops.h"

namespace drystone {

std::string_view solveStatusName(SolveStatus status) {
  static constexpr std::array<std::string_view, kSolveStatusCount> kNames = {
      "converged", "iteration_limit", "time_limit",        "stalled",
      "cycled",    "infeasible",      "numerical_failure", "unsupported"};
  return kNames[static_cast<std::size_t>(status)];
}

std::string_view solveStatusMeaning(SolveStatus status) {
  static constexpr std::array<std::string_view, kSolveStatusCount> kMeanings = {
      "within the solver's own tolerance",
      "ran out of its rounds; its last or best iterate was taken",
      "ran out of its time; its last or best iterate was taken",
      "no longer got better; the best iterate was taken",
      "index sets came back; the best of them was taken",
      "no impulse satisfies all rows; the best iterate was taken",
      "a number was not finite or a factor failed",
      "the solver does not take this problem"};
  return kMeanings[static_cast<std::size_t>(status)];
}

void addSolve(const SolverReport& later, SolverReport& sum) {
  sum.iterations += later.iterations;
  sum.innerIterations += later.innerIterations;
  sum.outerIterations += later.outerIterations;
  sum.pivots += later.pivots;
  sum.factorizations += later.factorizations;
  sum.stepReductions += later.stepReductions;
  sum.regularization = std::max(sum.regularization, later.regularization);
  sum.regularizedRows = std::max(sum.regularizedRows, later.regularizedRows);
  sum.addedCompliance = std::max(sum.addedCompliance, later.addedCompliance);
  sum.cacheBytes = std::max(sum.cacheBytes, later.cacheBytes);
  sum.metTimeLimit = sum.metTimeLimit || later.metTimeLimit;
  sum.assemblyMs += later.assemblyMs;
}

void ContactSolver::reserve(const ProblemSize& size) {
  idleRows_.reserve(size);
  unknownStates_.reserve(static_cast<std::size_t>(size.rows));
  reserveOwn(size);
}

bool ContactSolver::supports(const ContactProblem& problem) const {
  return whyNot(traits(), needsOf(problem)).empty() && takes(problem);
}

SolverReport ContactSolver::solve(const ContactProblem& problem, const Budget& budget,
                                  ImpulseView impulses, JudgeWorkspace* judge) {
  DRYSTONE_ASSERT(static_cast<int>(impulses.lambda.size()) == problem.rowCount());
  const Timer timer;
  history_.clear();
  SolverReport report;
  if (!supports(problem)) {
    report.status = SolveStatus::kUnsupported;
    return report;
  }
  if (problem.rowCount() == 0) return report;
  const int threads = traits().parallel ? budget.threads : 1;
  replaceNonFinite(impulses.lambda, threads);
  const int iterations = budget.iterations.value_or(traits().iterations);
  if (iterations <= 0) {
    report.status = SolveStatus::kIterationLimit;
    return report;
  }
  if (budget.until.passed()) {
    report.status = SolveStatus::kTimeLimit;
    report.metTimeLimit = true;
    return report;
  }
  if (impulses.state.empty()) {
    unknownStates_.assign(impulses.lambda.size(), RowState::kUnknown);
    impulses.state = unknownStates_;
  }
  const ContactProblem& solvable = idleRows_.answer(problem, impulses.lambda, threads);
  const SolveContext context{.tolerance = budget.aimedTolerance(),
                             .accepted = budget.tolerance,
                             .iterations = iterations,
                             .threads = budget.threads,
                             .deadline = {&timer, budget.secondsLeft()},
                             .history = history_,
                             .judge = judge};
  run(solvable, context, impulses, report);
  // All others are solved as far as they can be, but the whole is not.
  if (!idleRows_.isPossible() && report.status != SolveStatus::kNumericalFailure) {
    report.status = SolveStatus::kInfeasible;
  }
  report.metTimeLimit =
      report.metTimeLimit || report.status == SolveStatus::kTimeLimit || context.deadline.passed();
  if (report.timeMs == 0) report.timeMs = timer.milliseconds();
  return report;
}

}  // namespace drystone
