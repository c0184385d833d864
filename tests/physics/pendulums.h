#pragma once

#include "tests/support/worlds.h"

namespace drystone::test {

/// A static body that holds joints and collides with nothing.
inline BodyId addPost(World& world) {
  BodyDefinition post;
  post.kind = BodyKind::kStatic;
  return world.addBody(post);
}

/// Kinetic and potential, after the last step [J].
inline Real energyOf(const World& world) {
  return world.lastReport().energy.kinetic + world.lastReport().energy.potential;
}

/// Two rods of 1 m with a ball of 1 kg at each end, let go horizontally.
inline World doublePendulum(const WorldSettings& settings, BodyId& first, BodyId& second) {
  World world(settings, registry());
  const BodyId post = addPost(world);
  first = addBody(world, Sphere{0.1}, 1, {{1, 0, 0}, Quat::Identity()});
  second = addBody(world, Sphere{0.1}, 1, {{2, 0, 0}, Quat::Identity()});
  world.addJoint(ballJoint(post, first, Vec3::Zero(), {-1, 0, 0}));
  world.addJoint(ballJoint(first, second, Vec3::Zero(), {-1, 0, 0}));
  return world;
}

}  // namespace drystone::test
