#pragma once

#include <vector>

#include "solvers/contact_solver.h"
#include "solvers/judge.h"
#include "tests/support/problems.h"

namespace drystone::test {

/// An answer with its judgement.
struct Solved {
  SolverReport report;
  JudgeReport judged;
  std::vector<Real> lambda, w;
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

/// A box-friction pile with sticking, slipping and open contacts, and one w: A + C is definite.
inline StoredProblem boxPile(std::uint64_t seed) {
  StoredProblem stored = randomPile(FrictionModel::kBox, 3, 3, 2, 0.4, seed);
  stored.compliance.assign(stored.b.size(), 1e-6);
  for (ProblemBlock& block : stored.blocks) block.normalBound = 0.05 * static_cast<Real>(seed);
  return stored;
}

}  // namespace drystone::test
