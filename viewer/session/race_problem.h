#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

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

}  // namespace drystone::viewer
