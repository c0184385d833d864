#include "engine/step/joint_changes.h"

#include "engine/step/half_done.h"
#include "engine/step/joint_reactions.h"
#include "engine/step/joint_row_list.h"
#include "engine/step/world_parts.h"

namespace drystone {
namespace {

bool isSamePose(const Pose& a, const Pose& b) {
  return a.position == b.position && a.rotation.coeffs() == b.rotation.coeffs();
}

/// Where the rows of a joint have become others.
void startAnew(WorldParts& world, int slot) {
  Joint& joint = world.joints[slot];
  startFromHere(world.bodies, world.joints, joint);
  world.data.warm.forgetJoint(slot);
  joint.forgetRates();
  joint.forgetImpulses();
  joint.force.setZero();
}

}  // namespace

void connectOrDisconnect(WorldParts& world, const Joint& joint) {
  updateConnectedCollision(world.bodies, world.joints, joint, world.collision);
  world.bodies.wake(joint.bodyA);
  world.bodies.wake(joint.bodyB);
}

void changeJoint(WorldParts& world, int slot, const JointDefinition& definition, int coordinate) {
  JointStore& joints = world.joints;
  Joint& joint = joints[slot];
  const bool isMoved = !isSamePose(joint.definedA, definition.frameA) ||
                       !isSamePose(joint.definedB, definition.frameB) ||
                       joint.gearRatio != definition.gearRatio;
  prepareToAbandon();  // before the first change
  redefine(world.bodies, definition, slot, joints);
  runWhole(world, [&] {
    if (coordinate >= 0) world.data.warm.forgetCoordinate(slot, coordinate);
    if (coordinate >= 0 && coordinate < kSwingCoordinate) joint.lockRate[coordinate] = {};
    if (isMoved) {
      startAnew(world, slot);
      // Gears measure the joint, so that it comes first.
      for (int other = 0; other < joints.slots(); ++other) {
        if (joints[other].alive && joints[other].couples(slot)) startAnew(world, other);
      }
    }
    connectOrDisconnect(world, joint);
  });
}

}  // namespace drystone
