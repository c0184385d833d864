#pragma once

#include <span>
#include <string>
#include <vector>

#include "apps/solve/stored_solve.h"
#include "solvers/file/problem_file.h"

namespace drystone::bench {

/// A problem of the comparison, from a file or from a running scene, with its warm start.
struct NamedProblem {
  std::string name;
  ReadProblem read;
};

/// The scenes that problems are taken from unless others are named: stacks, walls, piles,
/// machines, chains.
std::vector<std::string> problemScenes();

/// The largest island of `count` steps, spread evenly over the first `seconds` of a scene, which
/// runs with the exact cone and the solver `auto`. Islands that no contact or joint is part of are
/// left out.
std::vector<NamedProblem> islandsOf(const std::string& scene, int count, Real seconds);

/// A solver with settings of its own: "nsgs" or "bpp-auto:restarts=false,max_newton=5".
struct SolverVariant {
  std::string label;
  std::string solver;
  std::vector<cli::KeyValue> settings;
};

/// Throws UsageError for what is no solver or setting.
SolverVariant parseVariant(const std::string& text, const SolverRegistry& registry);

/// What one solver did on one problem.
struct ProfileEntry {
  bool taken = false;   ///< the solver takes such problems
  bool solved = false;  ///< to the tolerance
  Real ms = 0;          ///< the fastest repeat
};

/// Performance profile of E. D. Dolan and J. J. Moré, "Benchmarking optimization software with
/// performance profiles", Mathematical Programming 91 (2002): share of the problems that a solver
/// solved within `factor` times the time of the fastest solver. `entries`: [solver][problem].
Real profileAt(std::span<const std::vector<ProfileEntry>> entries, std::size_t solver, Real factor);

}  // namespace drystone::bench
