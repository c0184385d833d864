#pragma once

#include <cmath>
#include <limits>
#include <utility>
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

/// Within the budget, from the impulses `lambda` and `state` or from nothing.
inline Solved solveWith(ContactSolver& solver, const Budget& budget, const ContactProblem& problem,
                        std::vector<Real> lambda = {}, std::vector<RowState> state = {}) {
  Solved solved;
  solved.lambda = std::move(lambda);
  solved.state = std::move(state);
  solved.lambda.resize(problem.rowCount(), 0);
  solved.state.resize(problem.rowCount(), RowState::kUnknown);
  solved.report = solver.solve(problem, budget, {solved.lambda, solved.state});
  JudgeWorkspace workspace;
  solved.judged = judge(problem, solved.lambda, workspace);
  solved.w = workspace.w;
  return solved;
}
inline Solved solveWith(ContactSolver& solver, const Budget& budget, const StoredProblem& stored,
                        std::vector<Real> lambda = {}) {
  return solveWith(solver, budget, stored.view(), std::move(lambda));
}
/// From another answer.
inline Solved solveWith(ContactSolver& solver, const Budget& budget, const StoredProblem& stored,
                        const Solved& warm) {
  return solveWith(solver, budget, stored.view(), warm.lambda, warm.state);
}
/// With the usual budget.
inline Solved solveWith(ContactSolver& solver, const ContactProblem& problem,
                        std::vector<Real> lambda = {}) {
  return solveWith(solver, Budget{}, problem, std::move(lambda));
}
inline Solved solveWith(ContactSolver& solver, const StoredProblem& stored,
                        std::vector<Real> lambda = {}) {
  return solveWith(solver, Budget{}, stored.view(), std::move(lambda));
}
inline Solved solveWith(ContactSolver& solver, const StoredProblem& stored, const Solved& warm) {
  return solveWith(solver, Budget{}, stored.view(), warm.lambda, warm.state);
}

/// Largest |a_i − b_i|; infinite where one is not a number or the lengths differ.
inline Real largestDifference(const std::vector<Real>& a, const std::vector<Real>& b) {
  if (a.size() != b.size()) return std::numeric_limits<Real>::infinity();
  Real largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Real difference = std::abs(a[i] - b[i]);
    if (std::isnan(difference)) return std::numeric_limits<Real>::infinity();
    if (difference > largest) largest = difference;
  }
  return largest;
}

inline JudgeReport judged(const StoredProblem& problem, const std::vector<Real>& lambda) {
  JudgeWorkspace workspace;
  return judge(problem.view(), lambda, workspace);
}

}  // namespace drystone::test
