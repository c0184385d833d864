#pragma once

#include <vector>

#include "engine/gradients/contact_motion.h"
#include "engine/model/joint_store.h"
#include "engine/model/material.h"
#include "engine/step/islands.h"
#include "engine/step/joint_row_list.h"
#include "engine/step/rows.h"
#include "engine/world/world.h"

namespace drystone {

/// All that an inner step was made from, and its solution.
struct SolvedStep {
  WorldSettings settings;  ///< of a step that has no other inner one
  Real time = 0;           ///< at the start [s]
  BodyStore bodies;        ///< where contacts were met, velocities of the start
  MaterialTable materials;
  std::vector<StepContact> contacts;   ///< as solved
  std::vector<ContactMotion> motions;  ///< [contacts]
  JointStore joints;
  JointRowList jointRows;
  StepMotion motion;
  Islands islands;
  ConstraintRows rows;
  std::vector<Vec6> velocity;  ///< u⁺ [body slots]
};

/// Takes a step from the state of a world to a tolerance of at most `tolerance` [m/s], keeps what
/// it was made from, and brings the world back. Throws InputError, with the remedy, where the step
/// is not one that SolvedStep describes; the world is brought back then, too. Returns its inner
/// steps, in turn.
std::vector<SolvedStep> solveStep(World& world, WorldParts& parts, Real tolerance);

}  // namespace drystone
