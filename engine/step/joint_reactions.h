#pragma once

#include <vector>

#include "engine/model/joint_store.h"
#include "engine/step/events.h"
#include "engine/step/joint_row_list.h"
#include "engine/step/rows.h"

namespace drystone {

class CollisionWorld;

/// Starts the joints' impulses of a step anew; those that sleep keep theirs.
void forgetReactions(const BodyStore& bodies, JointStore& joints);

/// Adds each joint's impulse of an inner step of h [s], at the poses of detection.
void addReactions(const BodyStore& bodies, const JointRowList& list, const ConstraintRows& rows,
                  Real h, JointStore& joints);

/// Sets the mean torque of the joints on each body in an inner step of h [s].
void keepTorques(const JointRowList& list, const ConstraintRows& rows, Real h, BodyStore& bodies);

/// Breaks the joints that bore more than they can: wakes their bodies, lets them collide, and adds
/// their slots to `broken` and an event each.
void breakJoints(BodyStore& bodies, JointStore& joints, CollisionWorld& collision,
                 std::vector<int>& broken, EventTracker& tracker);

/// Lets the two bodies of a joint collide unless an active joint between them says otherwise. To be
/// called when the joint comes, goes, breaks, or `collide` of it changes.
void updateConnectedCollision(const BodyStore& bodies, const JointStore& joints, const Joint& joint,
                              CollisionWorld& collision);

}  // namespace drystone
