#include "solvers/pivoting/bpp.h"

#include <limits>
#include <utility>

namespace drystone {

BlockPrincipalPivotingSolver::BlockPrincipalPivotingSolver(SolverTraits traits,
                                                           std::unique_ptr<FreeFactor> factor)
    : StagedSolver(std::move(traits)), method_(std::move(factor)), pivots_(method_) {}

void BlockPrincipalPivotingSolver::visitSettings(SettingVisitor& visitor) {
  StagedSolver::visitSettings(visitor);
  regularization().settings.visit(visitor);
  visitor.integer({"max_newton", "", "plain friction steps in a row"}, newton.maxSteps, 0,
                  std::numeric_limits<int>::max());
  visitor.boolean({"restarts", "", "where these fail: again from nothing"}, startsAgain);
}

void BlockPrincipalPivotingSolver::reserveOwn(const ProblemSize& size) {
  StagedSolver::reserveOwn(size);
  method_.reserve(size);
  pivots_.reserve(size);
  loop_.reserve(size);
}

FreeSystem& BlockPrincipalPivotingSolver::begin(RowSystem& rows, const SolveContext& context,
                                                const Allowance& allowance, bool isPossible) {
  method_.setAllowance(allowance);
  method_.allowedError = context.tolerance;
  regularization().start(rows.problem());
  const bool couples = rows.problem().followsNormals();
  if (couples) {
    method_.attach(rows, BasisKind::kGeneral);
    addNewton(StageStart::kLast);
  } else {
    method_.attach(rows);
    addStep(pivots_, StageStart::kLast);
    if (isPossible) addNewton(StageStart::kBest);
  }
  // Of a problem without a solution the other rows are answered, as well as can be had at once.
  if (startsAgain && isPossible) addNewton(StageStart::kNothing);
  if (!couples && isPossible) addStep(pivots_, StageStart::kBest);
  return method_.system();
}

bool BlockPrincipalPivotingSolver::changedProblem() const {
  return !method_.addedRegularization().compliance().empty();
}

void BlockPrincipalPivotingSolver::end(ImpulseView impulses, SolverReport& report) {
  method_.setAllowance({});
  regularization().describe(impulses, report);
}

void BlockPrincipalPivotingSolver::run(const ContactProblem& problem, const SolveContext& context,
                                       ImpulseView impulses, SolverReport& report) {
  if (regularization().settings.enabled && problem.followsNormals()) {
    runLoop(problem, context, impulses, report);
  } else {
    StagedSolver::run(problem, context, impulses, report);
  }
}

void BlockPrincipalPivotingSolver::runLoop(const ContactProblem& problem,
                                           const SolveContext& context, ImpulseView impulses,
                                           SolverReport& report) {
  Spending spending{.iterationsLeft = context.iterations};
  BoundLoopSettings settings;
  settings.tolerance = context.tolerance;
  settings.relativeTolerance = relativeTolerance;
  settings.allowance = {spending, context.deadline};
  loop_.solve(problem, method_, settings, impulses, context.history, report);
  method_.setAllowance({});
  report.iterations = context.iterations - spending.iterationsLeft;
}

}  // namespace drystone
