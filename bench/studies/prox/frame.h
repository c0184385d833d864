#pragma once

#include <string>
#include <vector>

#include "solvers/problem/contact_problem.h"

namespace drystone::bench {

/// The contacts of one step of a scene as a single problem, whatever its islands: what a solver
/// gets that knows of no islands, as Poulsen's.
struct Frame {
  std::string scene;
  StoredProblem problem;  ///< without islands that no impulse changes
  int contacts = 0;       ///< of the step
};

/// Of the first step, from rest as the scene says, without warm start.
Frame firstFrame(const std::string& scene, const std::vector<std::string>& overrides = {});
/// Of a later step; those before it take 20 sweeps of `sor-prox`.
Frame frameOf(const std::string& scene, int step, const std::vector<std::string>& overrides = {});

}  // namespace drystone::bench
