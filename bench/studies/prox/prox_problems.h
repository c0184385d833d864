#pragma once

#include <string>
#include <vector>

#include "core/random.h"
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

/// Contacts of random pairs of bodies, six contacts a body, all numbers uniform, with a compliance
/// that makes every row of A dominant (003 §6.1, whose G is random in every entry).
StoredProblem randomDominantProblem(int contacts, Random& random);

}  // namespace drystone::bench
