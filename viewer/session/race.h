#pragma once

#include <string>
#include <vector>

#include "engine/model/world_settings.h"
#include "solvers/driver/solve.h"

namespace drystone::viewer {

/// A point of a solver's way: judged residual after so many iterations.
struct RacePoint {
  int iterations = 0;
  double timeMs = 0;    ///< of a whole solve that ends there, by a solver that has run before
  Real naturalMap = 0;  ///< judged (M.11) [m/s]
};

/// One solver on the frozen problems.
struct RaceEntry {
  SolverChoice solver;
  std::vector<RacePoint> points;  ///< by iterations; exact solvers have one
  SolveStatus status = SolveStatus::kConverged;
  /// Why it did not run, or stopped short, as by its time limit or a cancel; else empty.
  std::string note;
  bool finished = false;
};

/// A solver race on the problems of one step, as far as it is.
struct RaceResult {
  /// Of one solve [s]: what closing the program may have to wait for.
  static constexpr Real kTimePerSolve = 0.75;
  /// Of all solves of a solver [s]; one that knows no time limit may overrun it.
  static constexpr Real kTimePerSolver = 2;

  std::int64_t step = 0;
  int islands = 0, rows = 0;  ///< of the largest island: the one that is raced on
  bool fromZero = false;      ///< else from the warm start of the step
  std::vector<RaceEntry> entries;
  bool finished = false;
};

}  // namespace drystone::viewer
