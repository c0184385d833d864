#pragma once

#include <vector>

#include "solvers/problem/friction_model.h"

namespace drystone::gpu {

/// Units of a phase of the sweeps, as in SweepPlan.
struct UnitPhase {
  int firstUnit = 0, endUnit = 0;
  bool isSimultaneous = false;
  bool couplesTangents = true;  ///< StepRule::couplesTangents
};
struct UnitPlan {
  FrictionModel model = FrictionModel::kCone;
  std::vector<UnitPhase> phases;
};

}  // namespace drystone::gpu
