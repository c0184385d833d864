#pragma once

#include "solvers/driver/contact_solver.h"
#include "solvers/linear/factor_cost.h"
#include "solvers/problem/judge.h"

namespace drystone {

/// Sweeps of a problem of bodies in contact, before a factor is made, for as long as they get on.
/// What pays depends on the cost of the factor: a grid of 14,000 balls is solved by twenty sweeps,
/// where one factor costs as much as two thousand.
class QuickSweeps {
 public:
  static constexpr int kMost = 5000;  ///< sweeps of a problem

  /// `mostBlocks`: of a factor that there is the memory for.
  explicit QuickSweeps(int mostBlocks = FactorCost::kMostBlocks) : factor_(mostBlocks) {}

  /// Counts what a factor takes. False: sweeps do not come first.
  bool plan(const ContactProblem& problem);
  /// Whether there is the memory for a factor of the problem that was planned.
  bool factorFits() const { return factorFits_; }

  /// Sweeps from the warm start in `impulses`, within as many sweeps as a factor's solve would
  /// cost. Where bodies are at rest it goes on, until the answer is the warm start of the next step
  /// as it is. `sweeps` gives up where it does not get on. Adds to the history.
  SolverReport solve(const ContactProblem& problem, const Budget& budget, ImpulseView impulses,
                     ContactSolver& sweeps, JudgeWorkspace& judge, ResidualHistory& history);
  /// Whether bodies at rest were left with an answer that the next step would not accept.
  bool leavesJitter() const { return leavesJitter_; }

 private:
  FactorCost factor_;
  bool factorFits_ = true, leavesJitter_ = false;
  int most_ = 0;
};

}  // namespace drystone
