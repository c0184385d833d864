#include "engine/step/connected_collision.h"

#include <algorithm>

namespace drystone {

void updateConnectedCollision(WorldParts& world, const Joint& joint) {
  const int a = world.bodies.collider[joint.bodyA], b = world.bodies.collider[joint.bodyB];
  if (a < 0 || b < 0) return;
  if (joint.active()) {
    if (!joint.collide) world.collision.setPairEnabled(a, b, false);
    return;
  }
  const auto separates = [&](const Joint& other) {
    return other.active() && !other.collide &&
           std::minmax(other.bodyA, other.bodyB) == std::minmax(joint.bodyA, joint.bodyB);
  };
  world.collision.setPairEnabled(a, b,
                                 std::none_of(world.joints.begin(), world.joints.end(), separates));
}

}  // namespace drystone
