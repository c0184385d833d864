#pragma once

#include <vector>

#include "engine/observe/restore_report.h"
#include "engine/observe/saved_state.h"

namespace drystone {

// The numbers of a saved state are those of its slots and colliders. Where bodies were removed
// and added again, or a world was built anew, the same bodies have other ones.

/// Which bodies and joints of a world those of a saved state are.
struct StateMatch {
  std::vector<int> body, joint;  ///< [saved slots] slot in the world; -1: left out
  RestoreReport report;
};

/// Pairs what is the same on both sides, by ids or by names; see RestoreMode. Throws InputError
/// under kExact where something is not on both sides, and names it. A gear is the same where the
/// joints are that it couples.
StateMatch matchState(const WorldParts& world, const SavedState& saved, RestoreMode mode);

/// Gives the warm starts and touches of a saved state the numbers that their bodies and joints have
/// in the world, and leaves out those of others. To be called once the bodies have the colliders
/// that they will have. What the collision world remembers of pairs is kept where everything was
/// paired.
void renumber(const WorldParts& world, const StateMatch& match, SavedState& saved);

}  // namespace drystone
