#pragma once

#include <span>

#include "engine/model/joint_store.h"
#include "engine/step/contacts.h"
#include "engine/step/step_report.h"

namespace drystone {

/// Clears the report but keeps its capacity.
void beginReport(StepReport& report);

/// Deepest overlap at the poses of detection, of contacts and of what sleeps [m].
void measureOverlap(std::span<const StepContact> contacts, Real asleep, StepReport& report);

/// Largest joint errors at the present poses, and those of the inner steps before.
void measureJoints(const JointStore& joints, StepReport& report);

/// Adds what the islands of an inner step say. The worst island is that of the last inner step.
void addIslands(StepReport& report);

/// Fills in counts and speed, and whether the step failed under the policy.
void finishReport(const BodyStore& bodies, const JointStore& joints, int contacts, int rows,
                  FailurePolicy policy, StepReport& report);

}  // namespace drystone
