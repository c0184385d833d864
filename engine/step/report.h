#pragma once

#include <span>

#include "engine/model/joint_store.h"
#include "engine/step/islands.h"
#include "engine/step/step_report.h"

namespace drystone {

/// Clears the report but keeps its capacity.
void beginReport(StepReport& report);

/// Adds the work of an island's solve that is given up.
void addGivenUp(const IslandReport& island, StepReport& report);

/// Whether joints and contacts hold at the end of the inner step to half of their tolerances, where
/// the solves in `report.islands` met theirs.
bool areSettled(const StepReport& report);

/// Adds what the islands of inner step number `substep`, in `report.islands`, say of their solves.
void addIslands(int substep, const BodyStore& bodies, const Islands& islands,
                std::span<const StepJointBlock> joints, std::span<const StepContact> contacts,
                StepReport& report);

/// Fills in counts and speed, and whether the step failed under the policy.
void finishReport(const BodyStore& bodies, const JointStore& joints, int contacts, int rows,
                  FailurePolicy policy, StepReport& report);

}  // namespace drystone
