#pragma once

#include <vector>

#include "solvers/driver/contact_solver.h"
#include "solvers/problem/judge.h"
#include "tests/support/problems.h"

namespace drystone::test {

/// An answer with its judgement.
struct Solved {
  SolverReport report;
  JudgeReport judged;
  std::vector<Real> lambda, w;  // w by the judge
  std::vector<RowState> state;
};

/// From `warm`, or from nothing.
inline Solved solveWith(ContactSolver& solver, const StoredProblem& stored,
                        const Solved* warm = nullptr) {
  const ContactProblem problem = stored.view();
  Solved solved;
  if (warm != nullptr) solved = *warm;
  solved.lambda.resize(problem.rowCount(), 0);
  solved.state.resize(problem.rowCount(), RowState::kUnknown);
  solved.report = solver.solve(problem, {solved.lambda, solved.state});
  JudgeWorkspace workspace;
  solved.judged = judge(problem, solved.lambda, workspace);
  solved.w = workspace.w;
  return solved;
}

}  // namespace drystone::test
