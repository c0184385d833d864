#include "engine/step/joint_reactions.h"

#include <algorithm>

#include "collision/collision_world.h"
#include "engine/step/sleeping.h"

namespace drystone {

void forgetReactions(const BodyStore& bodies, JointStore& joints) {
  for (Joint& joint : joints) {
    if (!isAsleep(bodies, joint)) joint.forgetImpulses();
  }
}

void addReactions(const BodyStore& bodies, const JointRowList& list, const ConstraintRows& rows,
                  Real h, JointStore& joints) {
  for (Joint& joint : joints) {
    if (!isAsleep(bodies, joint)) joint.force.setZero();
  }
  for (const StepJointBlock& source : list.blocks) {
    Joint& joint = joints[source.joint];
    Vec6 impulse = Vec6::Zero();
    for (int i = 0; i < source.rows; ++i) {
      const Real lambda = rows.impulse(rows.firstRow[source.block] + i);
      impulse += lambda * list.rows[source.firstRow + i].jacobianB;
    }
    const Vec3 linear = impulse.head<3>();
    const Vec3 arm = bodies.rotation[joint.bodyB] * joint.frameB.position;
    joint.force += linear / h;
    joint.impulse += linear;
    joint.angularImpulse += impulse.tail<3>() - arm.cross(linear);
  }
}

void keepTorques(const JointRowList& list, const ConstraintRows& rows, Real h, BodyStore& bodies) {
  for (Vec3& torque : bodies.jointTorque) torque.setZero();
  for (const StepJointBlock& source : list.blocks) {
    for (int i = 0; i < source.rows; ++i) {
      const StepJointRow& row = list.rows[source.firstRow + i];
      const Real force = rows.impulse(rows.firstRow[source.block] + i) / h;
      bodies.jointTorque[source.bodyA] += force * row.jacobianA.tail<3>();
      bodies.jointTorque[source.bodyB] += force * row.jacobianB.tail<3>();
    }
  }
}

void breakJoints(BodyStore& bodies, JointStore& joints, CollisionWorld& collision,
                 std::vector<int>& broken, EventTracker& tracker) {
  const auto breakWhere = [&](auto&& breaks) {
    for (int slot = 0; slot < joints.slots(); ++slot) {
      Joint& joint = joints[slot];
      if (!joint.active() || !breaks(joint)) continue;
      joint.broken = true;
      bodies.wake(joint.bodyA);
      bodies.wake(joint.bodyB);
      updateConnectedCollision(bodies, joints, joint, collision);
      broken.push_back(slot);
      tracker.events.jointsBroken.push_back({.joint = joints.idOf(slot),
                                             .bodyA = bodies.idOf(joint.bodyA),
                                             .bodyB = bodies.idOf(joint.bodyB),
                                             .impulse = joint.impulse.norm()});
    }
  };
  breakWhere([](const Joint& joint) { return joint.impulse.norm() > joint.breakingImpulse; });
  // A gear goes with the first of its two joints, whichever slots they have.
  breakWhere([&](const Joint& joint) { return !isInForce(joints, joint); });
}

void updateConnectedCollision(const BodyStore& bodies, const JointStore& joints, const Joint& joint,
                              CollisionWorld& collision) {
  const int a = bodies.collider[joint.bodyA], b = bodies.collider[joint.bodyB];
  if (a < 0 || b < 0) return;
  if (joint.active() && !joint.collide) {
    collision.setPairEnabled(a, b, false);
    return;
  }
  const auto separates = [&](const Joint& other) {
    return other.active() && !other.collide &&
           std::minmax(other.bodyA, other.bodyB) == std::minmax(joint.bodyA, joint.bodyB);
  };
  collision.setPairEnabled(a, b, std::none_of(joints.begin(), joints.end(), separates));
}

}  // namespace drystone
