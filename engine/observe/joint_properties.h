#pragma once

#include "engine/model/joint_store.h"
#include "engine/model/material.h"
#include "engine/observe/state_streams.h"

namespace drystone {

// What of joints and materials may be changed between two steps, as a part of saved states. All of
// it is saved, and all of it is brought back: joints and materials are small, and nothing hangs on
// theirs being the same.
//
// Frames are saved as they were given. Those in the body frames follow from them, placeFrames(),
// once the bodies are what they were. What a gear holds and which coordinates it couples is saved
// too, since it comes from the poses and joints at the time when the gear was made.

/// Appends the properties of a joint, with the springs, tables, motors and schedules of its
/// coordinates, those that it does not have included.
void writeProperties(const JointProperties& joint, StateWriter& writer);
/// Takes them back, in the same order.
void readProperties(StateReader& reader, JointProperties& joint);

/// Appends the materials, and the pairs that were given one. What pairs make together by the rule
/// of MaterialTable follows from these.
void writeMaterials(const MaterialTable& materials, StateWriter& writer);
/// Takes them back in place of those of a table. Both lists may have any length: who restores them
/// compares it with that of the world.
void readMaterials(StateReader& reader, MaterialTable& materials);

}  // namespace drystone
