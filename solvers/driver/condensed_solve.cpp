#include "solvers/driver/condensed_solve.h"

#include <algorithm>

#include "core/timer.h"

namespace drystone {
namespace {

/// Rounds of solve and correction. S loses as many digits as A_BB is badly conditioned, and each
/// round gains those that are left.
constexpr int kMostRounds = 4;

bool hasBilateralRows(const ContactProblem& problem) {
  for (const ProblemBlock& block : problem.blocks) {
    if (block.law != BlockLaw::kRows) continue;
    for (int row = block.firstRow; row < block.firstRow + block.rows; ++row) {
      if (problem.lower[row] == -kInfinity && problem.upper[row] == kInfinity) return true;
    }
  }
  return false;
}

/// Methods whose factor is sparse in the bodies pay little for joints, and much for a dense S. They
/// gain on large islands of which few rows are left (bench_exactness condensed): 13 % of trucks
/// against 25 % of vehicle.
constexpr int kLeastRows = 1000;
constexpr int kLeastShare = 5;

}  // namespace

bool condense(const SolverTraits& traits, const ContactProblem& problem, Condensation choice,
              CondensedProblem& condensed) {
  if (choice == Condensation::kNever || problem.assembled || traits.batchesIslands ||
      !traits.takesAssembledForm || !hasBilateralRows(problem)) {
    return false;
  }
  condensed.analyze(problem);
  return choice == Condensation::kAlways || !traits.sparseInBodies ||
         (condensed.keptRows() > 0 && problem.rowCount() >= kLeastRows &&
          kLeastShare * condensed.keptRows() <= problem.rowCount());
}

bool solveCondensed(ContactSolver& solver, CondensedProblem& condensed, const Budget& budget,
                    ImpulseView impulses, SolverReport& report) {
  const Timer timer;
  const Deadline deadline{&timer, budget.seconds};
  if (!condensed.make(budget.tolerance)) return false;
  report = {};
  report.assemblyMs = timer.milliseconds();
  condensed.restrict(impulses.lambda, impulses.state);
  Budget left = budget;
  for (int round = 0; round < kMostRounds; ++round) {
    left.seconds = deadline.secondsLeft();
    const SolverReport one = solver.solve(condensed.problem(), left, condensed.impulses());
    addSolve(one, report);
    report.status = one.status;
    report.relaxationError = one.relaxationError;
    condensed.expand(impulses.lambda, impulses.state);
    const bool isSolved = one.status == SolveStatus::kConverged;
    if (!isSolved || condensed.correct() <= budget.tolerance / 10 || deadline.passed()) break;
    if (left.iterations) *left.iterations -= one.iterations;
  }
  report.timeMs = timer.milliseconds();
  return true;
}

}  // namespace drystone
