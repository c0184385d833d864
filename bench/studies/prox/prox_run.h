#pragma once

#include <string>
#include <utility>
#include <vector>

#include "solvers/driver/contact_solver.h"
#include "solvers/problem/contact_problem.h"

namespace drystone::bench {

/// One way to sweep.
struct ProxRun {
  std::string label;
  std::string solver;
  std::vector<std::pair<std::string, std::string>> settings = {};
};

struct ProxFigures {
  Real prepareMs = 0;  ///< of a solve without sweeps: layout, coloring, and what ends it
  Real sweepMs = 0;    ///< of one sweep
  Real gamma = 0;      ///< quality (004 Eq. 3.32) after the sweeps asked for
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

/// Sweeps until no impulse changes by more than tolerance (|λ| + 1 N s) (003 Eq. 4.49); -1 when
/// 10,000 are not enough.
int sweepsToStandstill(const ContactProblem& problem, const ProxRun& run, Real tolerance);

/// Quality after as many sweeps, from zero impulses.
Real qualityAfter(const StoredProblem& problem, const ProxRun& run, int sweeps);

/// What as many sequential Gauss–Seidel sweeps reach; where that is round-off, 1e-14 of the start.
Real targetQuality(const StoredProblem& problem, int sweeps);

/// Fewest sweeps whose quality is at most `gamma`; `most` + 1 when there are none.
int sweepsToQuality(const StoredProblem& problem, const ProxRun& run, Real gamma, int most);

}  // namespace drystone::bench
