#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/world/world.h"

namespace drystone::test {

/// A body that flies at another one, which it cannot pass: its centre would have to cross the front
/// of the target.
struct Shot {
  std::string_view projectileName, targetName;
  WorldSettings settings;
  Material material;
  BodyDefinition projectile, target;
  Real halfWidth = 0;    ///< of the target along its x and y [m]; its front looks along +z
  Real front = 0;        ///< where that is along z of its frame [m]
  Real bumps = 0;        ///< how far it departs from there at most [m]
  Real speed = 0;        ///< relative, at the start [m/s]
  Real leastExtent = 0;  ///< of the projectile [m]
  Real flight = 0;       ///< to where it is about to touch the target, at the start [m]
  int steps = 0;         ///< by which it has arrived, and some more
  /// What strikes it, where it rests before the target until then.
  std::optional<BodyDefinition> hammer;
};

/// Shot number `seed`: 1 to 1000 m/s, up to 80° from the normal, with and without spin, shapes of 2
/// to 40 cm; at walls of 1 mm to 10 cm, tiles, planes, meshes and height fields that stand, and
/// walls that move and turn or yield.
Shot makeShot(std::uint64_t seed);
/// The same shot of what rests before the target, or goes along with it, until a hammer of
/// ten times its mass strikes it in the direction of its flight.
Shot makeStruckShot(std::uint64_t seed);

/// What became of it.
struct ShotOutcome {
  bool hasPassed = false;  ///< the centre crossed the front
  bool hasTouched = false;
  bool wasSwept = false;  ///< all of its way was looked at in some step
  Real deepest = 0;       ///< overlap beyond what no step could prevent, at a detection [m]
  int missed = 0;         ///< steps whose solve missed its tolerance
  int stopped = 0;        ///< times that a body was stopped before what it would have passed
  bool hasDiverged = false;
};
ShotOutcome fly(const Shot& shot, const SolverRegistry& registry);

}  // namespace drystone::test
