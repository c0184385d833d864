#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "distributed/body_share.h"
#include "distributed/processes.h"
#include "distributed/regions.h"

namespace drystone {

/// The warm start of a contact on its way to another process.
struct MovedContact {
  std::int64_t bodyA = -1, bodyB = -1;  ///< global ids
  WarmContact warm;                     ///< its colliders are those of the sender
};

/// Gives the bodies whose centres left this process's region to the processes of their new ones,
/// and takes over those that come. They keep their motion to the bit. What is bound by joints
/// stays. Returns how many bodies went; `contacts` has the warm starts that came. All processes
/// call it.
int migrateBodies(const Regions& regions, Processes& processes, BodyShare& share, World& world,
                  WorldParts& parts, std::vector<MovedContact>& contacts);

/// Adds warm starts that came, once the bodies and ghosts are there. A contact whose bodies have
/// their colliders in the other order here starts from zero: its feature has another name.
/// `slotOf` tells where bodies are by their global id; -1: not there.
void addWarmStarts(std::span<const MovedContact> contacts, std::span<const int> slotOf,
                   WorldParts& parts);

/// Bisects space anew where the process with the most bodies has more than `most` times the mean.
/// Returns whether it did. All processes call it.
bool rebalance(Real most, Processes& processes, const BodyShare& share, const BodyStore& bodies,
               Regions& regions);

}  // namespace drystone
