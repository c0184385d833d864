#pragma once

#include <memory>
#include <vector>

#include "engine/model/world_settings.h"
#include "engine/step/islands.h"
#include "engine/step/rows.h"
#include "engine/step/step_report.h"
#include "solvers/driver/registry.h"
#include "solvers/driver/solve.h"

namespace drystone {

/// The solver asked for, its fallback and their work space, once per thread.
struct SolverPool {
  struct Lane {
    std::unique_ptr<ContactSolver> solver;
    std::unique_ptr<ContactSolver> fallback;  ///< null: none
    SolveWorkspace workspace;
    ProblemSize reserved;
  };
  std::vector<Lane> lanes;

  /// For the solver, threads and friction model of the settings. Throws InputError when a name or a
  /// setting is unknown, or a solver cannot run here or does not solve the friction model (and
  /// `none`, where the projection of the poses is on) or problems in body form.
  SolverPool(const WorldSettings& settings, const SolverRegistry& registry);
  SolverPool() = default;
  /// Makes room in every lane, with some to spare, when `size` is larger than before.
  void reserve(const ProblemSize& size);
};

/// What solving leaves beside the rows, and its work space.
struct IslandSolves {
  std::vector<ResidualHistory::Entry> convergence;  ///< of the largest island's solve
  std::vector<int> order;                           ///< islands by falling number of rows
  std::vector<int> rowsLeft;                        ///< [order] rows of this island and all later
  std::vector<ProblemBlock> joined;                 ///< blocks of all islands as one problem
};

/// One island as its solver sees it: a view of the step's arrays.
ContactProblem islandProblem(const Islands& islands, const ConstraintRows& rows, int island);

/// Poses an island with cables as its tied problem, with the impulses and the start of the rows.
TiedProblem& tieIsland(const Islands& islands, int island, ConstraintRows& rows);

/// What a report says of an island and its judged answer.
IslandReport islandReport(const Islands& islands, int island, const ContactProblem& problem,
                          const SolveResult& result);

/// Keeps the impulses and states in `rows` as what the solve starts from. `isSolved` [islands] or
/// empty: which are left out.
void keepStart(const Islands& islands, std::span<const char> isSolved, ConstraintRows& rows);

/// Bodies, blocks and rows of which no island has more.
ProblemSize largestIsland(const Islands& islands);

/// Solves every island from the impulses in `rows.lambda` and leaves the answers there. Islands run
/// side by side, largest first; each writes only its own rows and report. Solvers that take all
/// islands in one call (SolverTraits::batchesIslands) sweep and stop together; there too each
/// island is judged by itself, and it has the share of the time that it has of the rows. An island
/// that begins may take the share of the time left until `until` that it has of the rows left, so
/// that a large one leaves time for the small ones; what it does not need goes to those after it.
/// What has not begun by its end gets what solveProblem() says. `isSolved` [islands] or empty:
/// which have their answers and reports already.
void solveIslands(const Islands& islands, std::span<const char> isSolved,
                  const SolverChoice& choice, const Deadline& until, SolverPool& pool,
                  ConstraintRows& rows, IslandSolves& solves, std::vector<IslandReport>& reports);

/// Solves a problem that is no island, on the first lane.
SolveResult solveAlone(const ContactProblem& problem, const SolverChoice& choice,
                       const Deadline& until, SolverPool& pool, ImpulseView impulses);

/// Solves one island anew, after its b changed, from the impulses that it has, in at most so many
/// iterations. The report is that of this solve.
void solveAgain(const Islands& islands, int island, const SolverChoice& choice,
                const Deadline& until, int iterations, SolverPool::Lane& lane, ConstraintRows& rows,
                IslandReport& report);

}  // namespace drystone
