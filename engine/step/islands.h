#pragma once

#include <vector>

#include "engine/model/body_store.h"
#include "engine/step/step_data.h"

namespace drystone {

/// Groups dynamic bodies that contacts or joints connect, by union–find, and orders the blocks by
/// island. Static and kinematic bodies connect nothing. Sets StepContact::block and
/// StepJointBlock::block.
void findIslands(const BodyStore& bodies, std::vector<StepJointBlock>& joints,
                 std::vector<StepContact>& contacts, FrictionModel friction, Islands& islands);

}  // namespace drystone
