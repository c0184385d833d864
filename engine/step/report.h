#pragma once

#include "engine/model/world_parts.h"

namespace drystone {

/// Clears the report but keeps its capacity.
void beginReport(StepReport& report);

/// Overlap and joint errors at the poses of detection.
void measureErrors(const WorldParts& world, const StepData& data, StepReport& report);

/// Fills in counts, speed, and what the islands' reports add up to.
void finishReport(const WorldParts& world, const StepData& data, StepReport& report);

}  // namespace drystone
