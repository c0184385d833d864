#pragma once

#include "engine/model/joint_store.h"
#include "engine/model/material.h"
#include "engine/observe/state_streams.h"

namespace drystone {

// What of joints and materials may be changed between two steps, as a part of saved states. All of
// it is saved, and all of it is brought back: joints and materials are small, and nothing hangs on
// theirs being the same.

/// Appends the properties of a joint.
void writeProperties(const JointProperties& joint, StateWriter& writer);
/// Takes them back, in the same order.
void readProperties(StateReader& reader, JointProperties& joint);

/// Appends the materials, and the pairs that were given one.
void writeMaterials(const MaterialTable& materials, StateWriter& writer);
/// Takes them back in place of those of a table.
void readMaterials(StateReader& reader, MaterialTable& materials);

}  // namespace drystone
