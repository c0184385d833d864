#pragma once

#include <vector>

#include "engine/gradients/contact_motion.h"
#include "engine/step/islands.h"
#include "engine/step/rows.h"
#include "engine/world/world.h"

namespace drystone {

/// All that a step was made from, and its solution.
struct SolvedStep {
  WorldSettings settings;
  Real time = 0;                       ///< at the start [s]
  BodyStore bodies;                    ///< where contacts were met, velocities of the start
  std::vector<StepContact> contacts;   ///< as solved
  std::vector<ContactMotion> motions;  ///< [contacts]
  StepMotion motion;
  Islands islands;
  ConstraintRows rows;
  std::vector<Vec6> velocity;  ///< u⁺ [body slots]
};

/// Takes a step from the state of a world to a tolerance of at most `tolerance` [m/s], keeps what
/// it was made from, and brings the world back. Throws InputError, with the remedy, where the step
/// is not one that SolvedStep describes; the world is brought back then, too.
SolvedStep solveStep(World& world, WorldParts& parts, Real tolerance);

}  // namespace drystone
