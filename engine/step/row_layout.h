#pragma once

#include "engine/model/body_store.h"
#include "engine/model/world_settings.h"
#include "engine/step/step_data.h"

namespace drystone {

/// Gives every block its place: bodies by island-local index, row count and first row.
void layOutRows(const BodyStore& bodies, FrictionModel friction, StepData& data);

}  // namespace drystone
