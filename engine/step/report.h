#pragma once

#include <span>

#include "engine/model/joint_store.h"
#include "engine/step/islands.h"
#include "engine/step/step_report.h"

namespace drystone {

/// Clears the report but keeps its capacity.
void beginReport(StepReport& report);

/// Deepest overlap at the poses of detection, of contacts and of what sleeps [m].
void measureOverlap(std::span<const StepContact> contacts, Real asleep, StepReport& report);

/// Largest joint errors at the present poses, and those of the inner steps before.
void measureJoints(const JointStore& joints, StepReport& report);

/// Adds what the islands of inner step number `substep`, in `report.islands`, say of their solves.
void addIslands(int substep, const BodyStore& bodies, const Islands& islands,
                std::span<const StepJointBlock> joints, std::span<const StepContact> contacts,
                StepReport& report);

/// Fills in counts and speed, and whether the step failed under the policy.
void finishReport(const BodyStore& bodies, const JointStore& joints, int contacts, int rows,
                  FailurePolicy policy, StepReport& report);

}  // namespace drystone
