#pragma once

#include <vector>

#include "tests/support/worlds.h"

namespace drystone::test {

/// Settings of a world whose islands may fall asleep.
inline WorldSettings sleepy(bool enabled = true, int substeps = 1) {
  WorldSettings settings = settingsFor("bpp-auto");
  settings.sleeping.enabled = enabled;
  settings.substeps = substeps;
  return settings;
}

/// Boxes on each other, numbered from below.
inline std::vector<BodyId> addStack(World& world, int count, Real x = 0) {
  std::vector<BodyId> boxes;
  for (int i = 0; i < count; ++i) boxes.push_back(addUnitBox(world, {x, 0, 0.5 + i}));
  return boxes;
}

/// How many of the bodies are awake.
inline int awakeOf(const World& world, const std::vector<BodyId>& bodies) {
  int count = 0;
  for (const BodyId body : bodies) count += world.body(body).isAwake() ? 1 : 0;
  return count;
}

}  // namespace drystone::test
