#include "solvers/automatic/auto_solver.h"

#include <algorithm>

#include "solvers/driver/condensed_solve.h"
#include "solvers/pivoting/bpp.h"
#include "solvers/pivoting/mlcp_solver.h"
#include "solvers/prox/prox_solver.h"
#include "solvers/staggered/staggered.h"

namespace drystone {

// In the order of what they cost where they succeed (docs/results.md).
const AutoSolver::Door AutoSolver::kDoors[] = {
    {.name = "pivots", .method = Method::kPivots, .iterations = 2000},
    {.name = "condensed pivots",
     .method = Method::kPivots,
     .isCondensed = true,
     .iterations = 2000},
    {.name = "staggered", .method = Method::kStaggered, .iterations = 40},
    {.name = "condensed staggered",
     .method = Method::kStaggered,
     .isCondensed = true,
     .iterations = 40},
    {.name = "cold pivots", .method = Method::kPivots, .isCold = true, .iterations = 2000},
    {.name = "cold staggered", .method = Method::kStaggered, .isCold = true, .iterations = 40},
    {.name = "sweeps", .method = Method::kSweeps, .iterations = 20000},
};

AutoSolver::AutoSolver() {
  solvers_[0] = makeBppAutoSolver();
  solvers_[1] = std::make_unique<StaggeredSolver>();
  solvers_[2] = std::make_unique<SorProxSolver>();
  traits_.name = "auto";
  traits_.summary = "goes from method to method until the tolerance is met";
  traits_.whenToTake = "the default: leave it at this";
  traits_.source = "own";
  traits_.iterations = 100'000;
  traits_.frictionModels = {FrictionModel::kNone,    FrictionModel::kBox,
                            FrictionModel::kPyramid, FrictionModel::kDiamond,
                            FrictionModel::kCone,    FrictionModel::kContensou};
  traits_.parallel = true;
  traits_.sparseInBodies = true;
}

void AutoSolver::reserveOwn(const ProblemSize& size) {
  for (const auto& solver : solvers_) solver->reserve(size);
  start_.reserve(size.rows);
  lambda_.reserve(size.rows);
  startState_.reserve(size.rows);
  state_.reserve(size.rows);
}

bool AutoSolver::opens(const Door& door, const ContactProblem& problem) {
  const SolverNeeds needs = needsOf(problem);
  const auto takes = [&](Method method) {
    return whyNot(solverOf(method).traits(), needs).empty();
  };
  // Sweeps alone do not meet a tolerance under joints, nor where others have failed.
  if (door.method == Method::kSweeps) return !takes(Method::kPivots) && !takes(Method::kStaggered);
  if (!takes(door.method)) return false;
  if (!door.isCondensed) return true;
  if (problem.assembled != nullptr) return false;
  if (!isAnalyzed_) condensed_.analyze(problem);
  isAnalyzed_ = true;
  return condensed_.eliminatedRows() > 0;
}

SolverReport AutoSolver::enter(const Door& door, const ContactProblem& problem,
                               const Budget& budget) {
  lambda_ = start_;
  state_ = startState_;
  if (door.isCold) {
    std::fill(lambda_.begin(), lambda_.end(), 0);
    std::fill(state_.begin(), state_.end(), RowState::kUnknown);
  }
  SolverReport report;
  ContactSolver& solver = solverOf(door.method);
  if (!door.isCondensed) return solver.solve(problem, budget, {lambda_, state_});
  if (!solveCondensed(solver, condensed_, budget, {lambda_, state_}, report)) {
    report.status = SolveStatus::kNumericalFailure;
  }
  return report;
}

void AutoSolver::run(const ContactProblem& problem, const SolveContext& context,
                     ImpulseView impulses, SolverReport& report) {
  start_.assign(impulses.lambda.begin(), impulses.lambda.end());
  startState_.assign(impulses.state.begin(), impulses.state.end());
  isAnalyzed_ = false;
  judge_.threads = context.threads;
  Real best = kInfinity;
  const bool isWarm = std::any_of(start_.begin(), start_.end(), [](Real x) { return x != 0; });
  Budget left = context.left();
  report.status = SolveStatus::kUnsupported;
  for (const Door& door : kDoors) {
    if ((door.isCold && !isWarm) || !opens(door, problem)) continue;
    Budget budget = left;
    budget.iterations = std::min(*left.iterations, door.iterations);
    budget.seconds = context.deadline.secondsLeft();
    const SolverReport one = enter(door, problem, budget);
    const JudgeReport judged = judge(problem, lambda_, judge_);
    addSolve(one, report);
    report.doors[static_cast<std::size_t>(report.doorCount++)] = {
        door.name, one.status, one.iterations, judged.naturalMap};
    for (const ResidualHistory::Entry& entry : solverOf(door.method).history().entries()) {
      context.history.add(report.iterations - one.iterations + entry.iteration, entry.residual);
    }
    *left.iterations -= one.iterations;
    if (judged.naturalMap < best || best == kInfinity) {
      best = judged.naturalMap;
      report.relaxationError = one.relaxationError;
      report.status = settledStatus(one.status, best, context.tolerance);
      std::copy(lambda_.begin(), lambda_.end(), impulses.lambda.begin());
      std::copy(state_.begin(), state_.end(), impulses.state.begin());
    }
    if (best <= context.tolerance || one.status == SolveStatus::kInfeasible) break;
    if (context.deadline.passed()) {
      report.status = SolveStatus::kTimeLimit;
      break;
    }
    if (*left.iterations <= 0) {
      report.status = SolveStatus::kIterationLimit;
      break;
    }
  }
}

std::unique_ptr<ContactSolver> makeAutoSolver() { return std::make_unique<AutoSolver>(); }

}  // namespace drystone
