#pragma once

#include <vector>

#include "engine/step/islands.h"
#include "engine/step/rows.h"
#include "engine/step/solver_pool.h"
#include "engine/step/step_report.h"

namespace drystone {

/// What solving leaves beside the rows, and its work space.
struct IslandSolves {
  std::vector<ResidualHistory::Entry> convergence;  ///< of the largest island's solve
  std::vector<int> order;                           ///< [islands] by falling number of rows
  std::vector<ProblemBlock> joined;                 ///< blocks of all islands as one problem
};

/// One island as its solver sees it: a view of the step's arrays.
ContactProblem islandProblem(const Islands& islands, const ConstraintRows& rows, int island);

/// Solves every island from the impulses in `rows.lambda` and leaves the answers there. Islands run
/// side by side, largest first; each writes only its own rows and report. Solvers that take all
/// islands in one call (SolverTraits::batchesIslands) sweep and stop together; there too each
/// island is judged by itself, and it has the share of the time that it has of the rows.
void solveIslands(const Islands& islands, const SolveOptions& options, SolverPool& pool,
                  ConstraintRows& rows, IslandSolves& solves, std::vector<IslandReport>& reports);

}  // namespace drystone
