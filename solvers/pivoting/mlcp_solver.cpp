#include "solvers/pivoting/mlcp_solver.h"

#include <algorithm>

namespace drystone {

void MlcpSolver::visitOwnSettings(SettingVisitor& visitor) {
  method_->visitSettings(visitor);
  settings_.visit(visitor);
}

void MlcpSolver::reserveOwn(const ProblemSize& size) {
  method_->reserve(size);
  loop_.reserve(size);
}

void MlcpSolver::run(const ContactProblem& problem, const Budget& limits, ImpulseView impulses,
                     SolverReport& report) {
  settings_.tolerance = limits.tolerance;
  settings_.maxPivotRounds = std::max(limits.iterations, 1);
  settings_.deadline = deadline();
  loop_.solve(problem, *method_, settings_, impulses, history_, report);
}

}  // namespace drystone
