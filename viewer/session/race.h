#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "engine/model/world_settings.h"
#include "solvers/driver/registry.h"
#include "solvers/driver/solve.h"
#include "solvers/problem/contact_problem.h"

namespace drystone::viewer {

/// What solvers race on: the largest island of a step, frozen with the warm start that its solver
/// had.
struct RaceProblem {
  std::int64_t step = 0;
  int islands = 0;  ///< of that step
  bool fromZero = false;
  Real tolerance = 0;  ///< judged natural map that counts as solved [m/s]
  StoredProblem problem;
  std::vector<Real> warmStart;       ///< [rows] [N s]
  std::vector<RowState> warmStates;  ///< [rows]

  void forgetWarmStart() {
    fromZero = true;
    std::ranges::fill(warmStart, 0);
    std::ranges::fill(warmStates, RowState::kUnknown);
  }
};

/// A point of a solver's way: judged residual after so many iterations.
struct RacePoint {
  int iterations = 0;
  double timeMs = 0;    ///< of a whole solve that ends there, by a solver that has run before
  Real naturalMap = 0;  ///< judged (M.11) [m/s]
};

/// One solver on the frozen problems.
struct RaceEntry {
  SolverChoice solver;
  std::vector<RacePoint> points;  ///< by iterations; those that end at round-off have one
  SolveStatus status = SolveStatus::kConverged;
  /// Why it did not run, or stopped short, as by its time limit or a cancel; else empty.
  std::string note;
  bool finished = false;
};

/// A solver race on the problems of one step, as far as it is.
struct RaceResult {
  /// The limit of one solve [s]: what closing the program may have to wait for.
  static constexpr Real kTimePerSolve = 0.75;
  /// The limit of all solves of a solver [s]; one that knows no time limit may overrun it.
  static constexpr Real kTimePerSolver = 2;

  std::int64_t step = 0;
  int islands = 0, rows = 0;  ///< of the largest island: the one that is raced on
  bool fromZero = false;      ///< else from the warm start of the step
  std::vector<RaceEntry> entries;
  bool finished = false;
};

/// Runs one solver of a race to its end and writes its points into the entry. A solver that
/// stops at a tolerance is run from the start again and again, for 1, 2, 3, 5, 8, … iterations, so
/// that every point is the true answer of so many; it goes on until it stops by itself, its own
/// `max_iterations`, or the time limit. One that ends at round-off gives one point. Times are those
/// of a solver that has run before, in memory that it has, and the least of several where they are
/// short. Calls `progress` after each point and ends early when that returns false. What is wrong
/// with the choice becomes the note of the entry.
void raceSolver(const RaceProblem& problem, const SolverRegistry& registry,
                std::chrono::duration<double> timeLimit, RaceEntry& entry,
                const std::function<bool()>& progress);

}  // namespace drystone::viewer
