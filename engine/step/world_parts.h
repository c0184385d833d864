#pragma once

#include <vector>

#include "collision/collision_world.h"
#include "engine/model/body_store.h"
#include "engine/model/joint_store.h"
#include "engine/model/material.h"
#include "engine/model/world_settings.h"
#include "engine/step/events.h"
#include "engine/step/solver_pool.h"
#include "engine/step/step_data.h"
#include "engine/step/step_report.h"
#include "solvers/driver/registry.h"

namespace drystone {

/// What a World owns, as plain parts that the stages of a step work on.
struct WorldParts {
  WorldSettings settings;
  const SolverRegistry* registry = nullptr;
  MaterialTable materials;
  BodyStore bodies;
  JointStore joints;
  CollisionWorld collision;
  std::vector<int> bodyOfCollider;  ///< [colliders] body slot
  SolverPool solvers;
  StepData data;
  StepReport report;
  EventTracker events;
  Real time = 0;  ///< [s]
  std::int64_t stepCount = 0;
};

}  // namespace drystone
