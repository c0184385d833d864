#pragma once

#include "engine/model/body_store.h"
#include "engine/model/world_settings.h"
#include "engine/step/step_data.h"

namespace drystone {

/// Gives every block its place: bodies by island-local index, row count and first row.
void layOutRows(const BodyStore& bodies, FrictionModel friction, StepData& data);

/// For an inner step with the contacts of the one before: true when the joints have the blocks that
/// were laid out then, too. Islands and places stay, and the blocks of the joints get theirs back.
bool keepLayout(StepData& data);

/// Inertias of now, and no impulses yet.
void clearRows(const BodyStore& bodies, ConstraintRows& rows, const Islands& islands);

}  // namespace drystone
