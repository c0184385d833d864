#pragma once

#include <vector>

#include "distributed/body_share.h"
#include "distributed/processes.h"

namespace drystone {

/// The bodies of a step that two processes have, by rank of the other one and in the same order on
/// both sides. [processes]
struct GhostLists {
  std::vector<std::vector<int>> sent;  ///< slots of own bodies of which process r has ghosts
  std::vector<std::vector<int>> held;  ///< slots of ghosts of bodies of process r
};

/// Brings the ghosts of a world up to date: copies of other processes' bodies that own bodies may
/// touch in a step of h [s]. Each process tells the box around all that its bodies may reach, and
/// gets the bodies of the others that may reach into it. Ghosts that no process sends any more are
/// removed. Fills `lists`. All processes call it.
void refreshGhosts(Real h, Processes& processes, BodyShare& share, World& world, BodyStore& bodies,
                   GhostLists& lists);

/// Whether a pair of bodies is one of this process: it owns the one that moves, or of two dynamic
/// ones that of the smaller global id.
bool isOwnPair(const BodyShare& share, const BodyStore& bodies, int slotA, int slotB);

}  // namespace drystone
