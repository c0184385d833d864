#include "solvers/pivoting/mlcp_solver.h"

#include "core/timer.h"

namespace drystone {

void MlcpSolver::visitSettings(SettingVisitor& visitor) {
  method_->visitSettings(visitor);
  settings_.visit(visitor);
}

void MlcpSolver::reserve(const ProblemSize& size) {
  idleRows_.reserve(size);
  method_->reserve(size);
  loop_.reserve(size);
}

SolverReport MlcpSolver::solve(const ContactProblem& problem, ImpulseView impulses) {
  const Timer timer;
  history_.clear();
  SolverReport report;
  if (!traits_.supports(problem.friction)) {
    report.status = SolveStatus::kUnsupported;
    return report;
  }
  const ContactProblem& solvable = idleRows_.answer(problem, impulses.lambda);
  loop_.solve(solvable, *method_, settings_, timer, impulses, history_, report);
  report.status = statusWhere(idleRows_.isPossible(), report.status);
  report.timeMs = timer.milliseconds();
  return report;
}

}  // namespace drystone
