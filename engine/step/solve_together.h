#pragma once

#include "engine/step/world_parts.h"

namespace drystone {

/// All islands as one problem: a view of the step's arrays, with blocks that count from the start
/// of all (`data.joinedBlocks`).
ContactProblem joinedProblem(const WorldSettings& settings, StepData& data);

/// Solves all islands in one call, for solvers that take them so (SolverTraits::batchesIslands).
/// They sweep and stop together; each island is judged by itself, and has the share of the time
/// that it has of the rows.
void solveTogether(WorldParts& world, StepData& data, StepReport& report);

}  // namespace drystone
