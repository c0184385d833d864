#pragma once

#include <span>
#include <string>
#include <vector>

#include "solvers/driver/registry.h"
#include "solvers/driver/solve.h"

namespace drystone {

/// The answer to a stored problem.
struct StoredAnswer {
  std::vector<Real> impulses;    ///< [rows] [N s]
  std::vector<Real> velocities;  ///< [rows] w = A λ + b [m/s]
  SolveResult result;
};

/// A solver of a registry, and its settings.
struct NamedSolver {
  std::string name = "auto";
  std::vector<SolverSetting> settings = {};
};

/// Solves a stored problem from impulses [rows] [N s], or from zero where there are none. Throws
/// InputError for a solver that there is not or that does not take the problem, and for a bad
/// budget or start.
StoredAnswer solveStored(const StoredProblem& stored, const SolverRegistry& registry,
                         const NamedSolver& solver, const Budget& budget,
                         std::span<const Real> start = {});

}  // namespace drystone
