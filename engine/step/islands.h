#pragma once

#include <vector>

#include "engine/model/body_store.h"
#include "engine/model/joint_store.h"
#include "engine/step/step_data.h"

namespace drystone {

/// Groups dynamic bodies that contacts or joints connect, by union–find, and orders the blocks by
/// island. Static and kinematic bodies connect nothing. Sets StepContact::block, BallJoint::block.
void findIslands(const BodyStore& bodies, JointStore& joints, std::vector<StepContact>& contacts,
                 FrictionModel friction, Islands& islands);

}  // namespace drystone
