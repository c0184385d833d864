#include "solvers/driver/condensed_solve.h"

#include <algorithm>

#include "core/timer.h"
#include "solvers/problem/problem_ops.h"

namespace drystone {
namespace {

bool hasBilateralRows(const ContactProblem& problem) {
  for (const ProblemBlock& block : problem.blocks) {
    if (block.law != BlockLaw::kRows) continue;
    for (int row = block.firstRow; row < block.firstRow + block.rows; ++row) {
      if (problem.lower[row] == -kInfinity && problem.upper[row] == kInfinity) return true;
    }
  }
  return false;
}

/// Values of S for each row of the problem at which a sweep over S costs more than it saves: crane
/// has 56, trucks 55, winch 106, and A itself some 30. A plate with a thousand contacts has more.
constexpr std::int64_t kMostValuesPerRow = 128;
/// 1.6 GB, which also keeps indices within 31 bits.
constexpr std::int64_t kMostValues = 200'000'000;

/// Methods whose factor is sparse in the bodies gain on large islands of which few rows are left:
/// 13 % of trucks, against 25 % of vehicle (docs/results/machines.md).
constexpr int kLeastRows = 1000;
constexpr int kLeastShare = 5;

/// Rounds of solve and correction. S loses as many digits as A_BB is badly conditioned, and each
/// round gains those that are left.
constexpr int kMostRounds = 4;

/// Statuses after which λ_K is the best that the method has, solved or not.
bool isAnswer(SolveStatus status) {
  return status != SolveStatus::kUnsupported && status != SolveStatus::kInfeasible &&
         status != SolveStatus::kNumericalFailure;
}

}  // namespace

bool canCondense(const ContactProblem& problem, CondensedProblem& condensed) {
  if (problem.assembled != nullptr || !hasBilateralRows(problem)) return false;
  condensed.analyze(problem);
  return condensed.storage() <= std::min(kMostValues, kMostValuesPerRow * problem.rowCount());
}

bool leavesFewRows(const ContactProblem& problem, CondensedProblem& condensed) {
  return problem.rowCount() >= kLeastRows && canCondense(problem, condensed) &&
         condensed.keptRows() > 0 && kLeastShare * condensed.keptRows() <= problem.rowCount();
}

bool condense(const SolverTraits& traits, const ContactProblem& problem, Condensation choice,
              CondensedProblem& condensed) {
  if (choice == Condensation::kNever || traits.batchesIslands || !traits.takesAssembledForm ||
      traits.condensingPays == CondensingPays::kByItself) {
    return false;
  }
  return choice == Condensation::kAlways || traits.condensingPays == CondensingPays::kUsually
             ? canCondense(problem, condensed)
             : leavesFewRows(problem, condensed);
}

bool solveCondensed(ContactSolver& solver, CondensedProblem& condensed, const Budget& budget,
                    ImpulseView impulses, SolverReport& report) {
  const Timer timer;
  const Deadline deadline{&timer, budget.secondsLeft()};
  report = {};
  const Real tolerance = budget.aimedTolerance();
  if (!condensed.make(tolerance, deadline)) {
    report.timeMs = report.assemblyMs = timer.milliseconds();
    return false;
  }
  report.assemblyMs = timer.milliseconds();
  replaceNonFinite(impulses.lambda);
  condensed.restrict(impulses.lambda, impulses.state);
  Budget left = budget;
  left.iterations = budget.iterations.value_or(solver.traits().iterations);
  bool isAnswered = false;
  for (int round = 0; round < kMostRounds; ++round) {
    left.seconds = deadline.secondsLeft();
    const SolverReport one = solver.solve(condensed.problem(), left, condensed.impulses());
    addSolve(one, report);
    report.status = one.status;
    report.factor = one.factor;
    report.relaxationError = one.relaxationError;
    if (!isAnswer(one.status)) break;
    const Real jointError = condensed.expand();
    const Real difference = condensed.correct();
    isAnswered =
        one.status != SolveStatus::kConverged || std::max(jointError, difference) <= tolerance;
    *left.iterations -= one.iterations;
    if (one.status != SolveStatus::kConverged || difference <= tolerance / 10 ||
        *left.iterations <= 0 || deadline.passed()) {
      break;
    }
  }
  report.timeMs = timer.milliseconds();
  if (!isAnswered) return false;
  report.eliminatedRows = condensed.eliminatedRows();
  condensed.write(impulses);
  return true;
}

}  // namespace drystone
