#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "solvers/problem/judge.h"
#include "solvers/prox/prox_solver.h"

namespace drystone::test {

inline constexpr FrictionModel kModels[] = {FrictionModel::kNone,    FrictionModel::kBox,
                                            FrictionModel::kPyramid, FrictionModel::kDiamond,
                                            FrictionModel::kCone,    FrictionModel::kContensou};

struct Answer {
  SolverReport report;
  std::vector<Real> lambda;
  JudgeReport judge;
};
inline Answer solve(ContactSolver& solver, const StoredProblem& problem,
                    const Budget& budget = {}) {
  Answer answer;
  // Not from zero: what the start leaves on a device must not get into a sweep.
  answer.lambda.assign(problem.b.size(), 0.02);
  std::vector<RowState> state(problem.b.size());
  answer.report = solver.solve(problem.view(), budget, {answer.lambda, state});
  JudgeWorkspace workspace;
  answer.judge = judge(problem.view(), answer.lambda, workspace);
  return answer;
}

inline Budget sweepOnly(ProxSolver& solver, int sweeps) {
  solver.settings.stopping.checkEvery = sweeps + 1;
  return {.iterations = sweeps};
}

inline Real largestOf(const std::vector<Real>& values) {
  Real largest = 0;
  for (const Real value : values) largest = std::max(largest, std::abs(value));
  return largest;
}
inline Real relativeDifference(const std::vector<Real>& a, const std::vector<Real>& b) {
  Real largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!(std::abs(a[i] - b[i]) <= largest)) largest = std::abs(a[i] - b[i]);
  }
  return largest / largestOf(b);
}

/// After 25 sweeps in float and in double.
template <class Solver>
void expectSameBits(Solver& solver, Solver& other, const StoredProblem& problem) {
  for (const auto precision : {SweepPrecision::kDouble, SweepPrecision::kFloat}) {
    Budget budget;
    for (Solver* one : {&solver, &other}) {
      one->precision = precision;
      budget = sweepOnly(*one, 25);
    }
    EXPECT_EQ(solve(solver, problem, budget).lambda, solve(other, problem, budget).lambda)
        << solver.traits().name << " " << frictionModelName(problem.friction);
  }
}

/// The round-off of 25 sweeps: of the same sums in double, and of float with its round-off of 6e-8
/// each.
inline Real allowed(SweepPrecision precision) {
  return precision == SweepPrecision::kDouble ? 1e-12 : 1e-5;
}

/// Of an answer in float: as far from the sets of the laws as projections in double leave it, where
/// round-off of float would be 1e-8 of the impulses; and measured as it is handed on.
inline void expectOnTheSets(ProxSolver& solver, const StoredProblem& problem) {
  solver.settings.stopping.checkEvery = 5;
  const Answer answer = solve(solver, problem, {.tolerance = 0, .iterations = 20});
  EXPECT_LE(answer.judge.coneExcess, 1e-15 * std::max<Real>(1, largestOf(answer.lambda)));
  EXPECT_EQ(answer.judge.normalImpulseMin, 0);
  for (const ProblemBlock& block : problem.blocks) {
    if (block.law == BlockLaw::kContact) continue;
    for (int row = block.firstRow; row < block.firstRow + block.rows; ++row) {
      EXPECT_GE(answer.lambda[row], problem.lower[row]);
      EXPECT_LE(answer.lambda[row], problem.upper[row]);
    }
  }
  EXPECT_NEAR(solver.history().entries().back().residual / answer.judge.naturalMap, 1, 1e-9);
}

/// The twin's answer within 300 sweeps, and the device's: float down to its round-off, then double.
inline void expectResidualOfTwin(ProxSolver& solver, ProxSolver& twin,
                                 const StoredProblem& problem) {
  const Budget budget{.tolerance = 1e-9, .iterations = 300};
  const Answer expected = solve(twin, problem, budget);
  const Answer answer = solve(solver, problem, budget);
  EXPECT_EQ(answer.report.status, expected.report.status) << solver.traits().name;
  // What met the tolerance may lie anywhere below it.
  EXPECT_LE(answer.judge.naturalMap, std::max(1.01e-9, 2 * expected.judge.naturalMap));
  EXPECT_LE(expected.judge.naturalMap, std::max(1.01e-9, 2 * answer.judge.naturalMap));
}

}  // namespace drystone::test
