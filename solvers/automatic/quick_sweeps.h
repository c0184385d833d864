#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "solvers/driver/contact_solver.h"
#include "solvers/problem/judge.h"

namespace drystone {

/// Sweeps of a problem of bodies in contact, before a factor is made, for as long as they get on.
/// A factor of n bodies that fill space takes some n² operations, a sweep n: of a grid of 14,000
/// balls one factor costs as much as two thousand sweeps, where twenty solve it. What pays depends
/// on the graph of the bodies alone.
class QuickSweeps {
 public:
  static constexpr int kMost = 5000;  ///< sweeps of a problem
  /// Blocks of the largest factor, 1.2 GB where it has two triangles.
  static constexpr int kMostBlocks = 1 << 21;

  /// `mostBlocks`: of a factor that there is the memory for.
  explicit QuickSweeps(int mostBlocks = kMostBlocks) : mostBlocks_(mostBlocks) {}

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
  /// What was counted last.
  struct Graph {
    int bodies = -1;
    std::vector<std::pair<int, int>> pairs;  // that touch, ascending
    bool factorFits = true;
    std::int64_t products = 0;  // of two blocks
  };

  void count(int bodies);

  Graph graph_;
  std::vector<std::pair<int, int>> pairs_;
  int mostBlocks_;
  bool factorFits_ = true, leavesJitter_ = false;
  int most_ = 0;
};

}  // namespace drystone
