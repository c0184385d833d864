#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <vector>

#include "solvers/automatic/auto_solver.h"
#include "solvers/problem/residual.h"
#include "tests/support/solved.h"

namespace drystone::test {

/// By `auto`, as far as doubles go.
inline Solved solveToRoundOff(const StoredProblem& problem, const Solved& warm = {}) {
  const std::unique_ptr<ContactSolver> solver = makeAutoSolver();
  return solveWith(*solver, Budget{.tolerance = 1e-13}, problem, warm);
}

/// Rows that no redundancy leaves open: C is a thousandth of the largest A_ii, on a diagonal.
inline StoredProblem withCompliance(StoredProblem problem) {
  ProblemScales scales;
  const ContactProblem measured = scales.measure(problem.view(), 1);
  const Real largest = *std::ranges::max_element(measured.diagonal);
  problem.compliance.assign(problem.b.size(), 1e-3 * largest);
  return problem;
}

/// Largest magnitude.
inline Real largestEntry(const std::vector<Real>& values) {
  Real largest = 0;
  for (const Real x : values) largest = std::max(largest, std::abs(x));
  return largest;
}

inline Real dot(const std::vector<Real>& a, std::span<const Real> b) {
  Real sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace drystone::test
