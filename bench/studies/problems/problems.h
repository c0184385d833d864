#pragma once

#include <span>
#include <string>
#include <vector>

#include "apps/solve/stored_solve.h"
#include "bench/studies/study.h"
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
  Real naturalMap = 0;  ///< [m/s]
  SolveStatus status = SolveStatus::kUnsupported;
};

/// What is asked of every solver, and what it may spend.
struct ProfileOptions {
  StudyOptions study;
  std::vector<Real> tolerances = {1e-4, 1e-8};
  Real limit = 2;  ///< of a solve [s]
  bool fromZero = false;
};

/// The columns of the file that measureProblem() writes rows of.
inline constexpr const char* kProfileColumns =
    "problem,solver,tolerance,measure,rows,contacts,status,solved,iterations,ms,natural_map_m_s,"
    "relative";

/// Solves the problem with the solver, and writes the row of the file.
ProfileEntry measureProblem(const NamedProblem& problem, const SolverVariant& variant,
                            Real tolerance, const ProfileOptions& options,
                            const SolverRegistry& registry, CsvFile& csv);

/// Random problems of bodies, tests/support/random_problems.h.
struct RandomProblems {
  int count = 0;                   ///< of each kind, seeds from 0
  std::vector<std::string> kinds;  ///< empty: all of them
  std::string dumpFolder;          ///< of the problems that are missed; empty: none
};

/// Throws UsageError for a kind that there is not, or a folder that cannot be.
void checkRandomProblems(const RandomProblems& random);
/// Prints for each tolerance and kind what each solver solves from zero in which time, and every
/// problem that it misses.
void studyRandomProblems(const RandomProblems& random, const std::vector<SolverVariant>& variants,
                         const ProfileOptions& options, const SolverRegistry& registry,
                         CsvFile& csv);

/// Performance profile of E. D. Dolan and J. J. Moré, "Benchmarking optimization software with
/// performance profiles", Mathematical Programming 91 (2002): share of the problems that a solver
/// solved within `factor` times the time of the fastest solver. `entries`: [solver][problem].
Real profileAt(std::span<const std::vector<ProfileEntry>> entries, std::size_t solver, Real factor);

}  // namespace drystone::bench
