#pragma once

#include "engine/model/joint_store.h"

namespace drystone {

struct WorldParts;

// Changes of joints between two steps. What a joint remembers of the steps before follows one rule.
// A memory is kept as long as it means the same: the impulse of a row is a good start for the next
// step while the row acts on the same motion in the same way.
//
// - of a coordinate whose limits, spring, motor or friction change, the warm starts, row states and
//   lock rate are dropped; those of the other coordinates stay
// - other frames or another gear ratio drop all of that, the reaction of the last step too. Turns
//   are counted anew from the present poses. A gear that changes so, or that couples a joint that
//   does, holds from where it stands
// - all else stays: turns, reactions, what a gear holds, motor targets of motors that stay. What
//   has another bound than before starts within it

/// When a joint has come or gone: wakes its bodies, and lets them collide or not.
void connectOrDisconnect(WorldParts& world, const Joint& joint);

/// Makes a joint of other things between two steps, as redefine() does, wakes its bodies, and lets
/// them collide or not. `coordinate`: the one that changes, or kSwingCoordinate, or -1 where none
/// does. Throws InputError, and changes nothing, where the definition is bad or does not suit a
/// gear on the joint. Where memory ends, nothing has changed, or the world is half done.
void changeJoint(WorldParts& world, int slot, const JointDefinition& definition, int coordinate);

/// Throws InputError where the world has cables and its settings cannot step them: a solver that
/// does not take the assembled form, or friction in an eyelet under a model without tangents that
/// follow λ_n.
void requireCables(const WorldParts& world);

}  // namespace drystone
