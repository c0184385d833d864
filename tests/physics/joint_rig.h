#pragma once

#include "core/types.h"
#include "tests/support/worlds.h"

namespace drystone::test {

inline constexpr Real kJointStep = 1.0 / 60;  ///< of the worlds below [s]

/// A world with one body on a joint to a post at the origin. The body's centre is at `place`; its
/// inertia is 2 kg m² about every axis, its mass 3 kg.
struct Rig {
  static constexpr Real kMass = 3, kInertia = 2;

  explicit Rig(const Vec3& place = Vec3::Zero(), const Vec3& gravity = Vec3::Zero())
      : world([&] {
          WorldSettings settings = settingsFor("bpp-auto");
          settings.gravity = gravity;
          return World(settings, registry());
        }()) {
    BodyDefinition definition;
    definition.kind = BodyKind::kStatic;
    post = world.addBody(definition);
    body = addBody(place);
  }
  BodyId addBody(const Vec3& place) {
    BodyDefinition definition;
    definition.mass = MassProperties{kMass, Vec3::Zero(), kInertia * Mat3::Identity()};
    definition.pose.position = place;
    return world.addBody(definition);
  }
  void run(int steps) {
    for (int i = 0; i < steps; ++i) world.step();
  }

  World world;
  BodyId post, body;
};

}  // namespace drystone::test
