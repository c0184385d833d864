#include "solvers/driver/solve_stored.h"

#include <cmath>
#include <memory>

#include "core/input_error.h"
#include "solvers/driver/solver_traits.h"
#include "solvers/problem/problem_ops.h"

namespace drystone {
namespace {

void checkBudget(const Budget& budget) {
  if (!(budget.tolerance > 0)) throw InputError("tolerance must be > 0 m/s");
  if (budget.iterations && *budget.iterations < 0) {
    throw InputError("max_iterations must be at least 0");
  }
  if (!(budget.seconds >= 0)) throw InputError("time_limit_s must be at least 0 s");
}

void checkStart(std::span<const Real> start, std::size_t rows) {
  if (start.size() != rows) {
    throw InputError("start must have " + std::to_string(rows) + " impulses, got " +
                     std::to_string(start.size()));
  }
  for (std::size_t i = 0; i < rows; ++i) {
    if (!std::isfinite(start[i])) {
      throw InputError("start must be finite, is not at " + std::to_string(i));
    }
  }
}

}  // namespace

StoredAnswer solveStored(const StoredProblem& stored, const SolverRegistry& registry,
                         const NamedSolver& solver, const Budget& budget,
                         std::span<const Real> start) {
  const ContactProblem problem = stored.view();
  const auto rows = static_cast<std::size_t>(problem.rowCount());
  const std::unique_ptr<ContactSolver> method = registry.create(solver.name, solver.settings);
  const std::string refusal = whyNot(method->traits(), needsOf(problem));
  if (!refusal.empty()) throw InputError("solver " + solver.name + " " + refusal);
  checkBudget(budget);
  StoredAnswer answer{.impulses = std::vector<Real>(rows, 0),
                      .velocities = std::vector<Real>(rows)};
  if (!start.empty()) {
    checkStart(start, rows);
    answer.impulses.assign(start.begin(), start.end());
  }
  std::vector<RowState> states(rows, RowState::kUnknown);
  SolveWorkspace workspace;
  answer.result = solveProblem(*method, problem, budget, {answer.impulses, states}, workspace);
  std::vector<Vec6> bodyVelocity(problem.bodyCount());
  constraintVelocity(problem, answer.impulses, bodyVelocity, answer.velocities);
  return answer;
}

}  // namespace drystone
