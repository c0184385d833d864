#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/random.h"
#include "solvers/driver/contact_solver.h"
#include "solvers/problem/contact_problem.h"

namespace drystone::bench {

/// The contacts of one step of a scene as a single problem, whatever its islands: what a solver
/// gets that knows of no islands, as Poulsen's.
struct Frame {
  std::string scene;
  StoredProblem problem;  ///< without islands that no impulse changes
  int contacts = 0;       ///< of the step
};

/// The frame of the first step, from rest as the scene says, without warm start.
Frame firstFrame(const std::string& scene, const std::vector<std::string>& overrides = {});
/// The frame of a later step; those before it take 20 sweeps of `sor-prox`.
Frame frameOf(const std::string& scene, int step, const std::vector<std::string>& overrides = {});

/// Contacts of random pairs of bodies, six contacts a body, all numbers uniform, with a compliance
/// that makes every row of A dominant (Nützi 2011, §6.1, whose G is random in every entry).
StoredProblem randomDominantProblem(int contacts, Random& random);

/// One way to sweep.
struct ProxRun {
  std::string label;
  std::string solver;
  std::vector<std::pair<std::string, std::string>> settings = {};
};

struct ProxFigures {
  Real prepareMs = 0;  ///< of a solve without sweeps: layout, coloring, and what ends it
  Real sweepMs = 0;    ///< of one sweep
  Real gamma = 0;      ///< quality (Poulsen 2010, Eq. 3.32) after the sweeps asked for
};

/// From zero impulses; times are the least of `repeats`.
ProxFigures measureProx(const StoredProblem& problem, const ProxRun& run, int sweeps, int threads,
                        int repeats);

/// Time of one sweep [ms] among so many, without all else that a solve does
/// (ProxSolver::timeSweeps): the median of `repeats`.
Real sweepTime(const ContactProblem& problem, const ProxRun& run, int sweeps, int threads,
               int repeats);

/// Time of a solve of so many sweeps [ms], with layout and copies: the least of `repeats`.
Real solveTime(const ContactProblem& problem, const ProxRun& run, int sweeps, int threads,
               int repeats);

/// Sweeps until no impulse changes by more than tolerance (|λ| + 1 N s) (Nützi 2011, Eq. 4.49); -1
/// when 10,000 are not enough.
int sweepsToStandstill(const ContactProblem& problem, const ProxRun& run, Real tolerance);

/// Quality after as many sweeps, from zero impulses.
Real qualityAfter(const StoredProblem& problem, const ProxRun& run, int sweeps);

/// What as many sequential Gauss–Seidel sweeps reach; where that is round-off, 1e-14 of the start.
Real targetQuality(const StoredProblem& problem, int sweeps);

/// Fewest sweeps whose quality is at most `gamma`; `most` + 1 when there are none.
int sweepsToQuality(const StoredProblem& problem, const ProxRun& run, Real gamma, int most);

}  // namespace drystone::bench
