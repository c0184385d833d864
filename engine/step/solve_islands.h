#pragma once

#include "engine/step/world_parts.h"

namespace drystone {

/// One island as its solver sees it: a view of the step's arrays.
ContactProblem islandProblem(const WorldSettings& settings, const StepData& data, int island);

/// Solves every island from the impulses in `data.rows.lambda` and leaves the answers there.
/// Islands run side by side, largest first; each writes only its own rows and report.
void solveIslands(WorldParts& world, StepData& data, StepReport& report);

}  // namespace drystone
