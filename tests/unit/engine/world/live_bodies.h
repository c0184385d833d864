#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "tests/unit/engine/step/sleepers.h"

namespace drystone::test {

/// The first step at which two worlds do not have the same bits in a pose; -1: none in `steps`.
inline int firstDifference(World& one, World& other, int steps) {
  const auto isSame = [](const Pose& a, const Pose& b) {
    return a.position == b.position && a.rotation.coeffs() == b.rotation.coeffs();
  };
  for (int i = 0; i < steps; ++i) {
    one.step();
    other.step();
    for (const BodyId body : one.bodies()) {
      if (!isSame(one.body(body).pose(), other.body(body).pose())) return i;
    }
  }
  return -1;
}

/// A world with a ground and two materials, the second one slippery.
inline World groundedWorld(const WorldSettings& settings = settingsFor("bpp-auto")) {
  World world(settings, registry());
  world.addMaterial({.friction = 0.05});
  addGround(world);
  return world;
}

/// A world with a stack that fell asleep.
struct Sleepers {
  World world = groundedWorld(sleepy());
  std::vector<BodyId> boxes = addStack(world, 3);

  Sleepers() {
    simulate(world, 2);
    EXPECT_EQ(awakeOf(world, boxes), 0);
  }
};

}  // namespace drystone::test
