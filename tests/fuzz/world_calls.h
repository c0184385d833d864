#pragma once

#include "engine/world/world.h"
#include "tests/fuzz/fuzz_input.h"

namespace drystone::fuzz {

// Calls of World whose arguments the bytes of an input choose, good and bad ones. They name bodies,
// joints and materials that are there, were there, or never were. All may throw InputError.

void addBody(FuzzInput& in, World& world);   ///< a few bodies at most
void addJoint(FuzzInput& in, World& world);  ///< likewise, gears too
/// A body or a joint.
void removeSomething(FuzzInput& in, World& world);
void changeBody(FuzzInput& in, World& world);
void changeJoint(FuzzInput& in, World& world);
/// Its gravity, timestep, solver, materials, or the places of joints.
void changeWorld(FuzzInput& in, World& world);
/// A ray, a cast or an overlap. Hits must be finite, and lie on the way.
void askQuery(FuzzInput& in, World& world);

/// A shape of any kind, small if it has data.
Shape shapeOf(FuzzInput& in);

inline Pose poseOf(FuzzInput& in) {
  const Vec3 position = in.vector();
  return {.position = position, .rotation = in.turn()};
}

}  // namespace drystone::fuzz
