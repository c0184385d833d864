#pragma once

#include "engine/step/world_parts.h"

namespace drystone {

/// Clears the report but keeps its capacity.
void beginReport(StepReport& report);

/// Overlap and joint errors at the poses of detection.
void measureErrors(const WorldParts& world, const StepData& data, StepReport& report);

/// Adds what the islands of an inner step say. The worst island is that of the last inner step.
void addIslands(StepReport& report);

/// Fills in counts and speed.
void finishReport(const WorldParts& world, const StepData& data, StepReport& report);

}  // namespace drystone
