#pragma once

#include <span>

#include "engine/model/joint_store.h"
#include "engine/model/world_settings.h"
#include "engine/step/contacts.h"
#include "engine/step/step_report.h"
#include "engine/step/warm_starts.h"

namespace drystone {

// Whether joints and contacts hold: errors at the poses against tolerances in metres, as the
// residual of the solves is held against its own.

/// What a world knows of it between steps.
struct PositionErrors {
  bool isSizeKnown = false;  ///< false again after the bodies changed
  Real size = kInfinity;     ///< median extent of the dynamic bodies [m]; infinite without one
};

/// Starts a step: the size where it is not known, and the tolerances of the report.
void beginPositionErrors(const WorldSettings& settings, const BodyStore& bodies,
                         PositionErrors& errors, StepReport& report);

/// Forgives each pair of bodies the overlap that no step could prevent: what they were placed with,
/// or come to without a contact in the step before, and what they were forgiven in that step, as
/// far as it is still there. `before` are its contacts, in the same order. A body counts as placed
/// until the inner step is done. `slept`: the pairs did so until now, and were there before.
void forgiveOverlaps(const WarmLists<WarmContact>& before, const BodyStore& bodies, bool slept,
                     int threads, std::span<StepContact> contacts);

/// Measures the overlaps at the poses of detection, those of sleeping contacts being known.
void measureOverlaps(std::span<const StepContact> contacts, const DeepestOverlap& asleep,
                     const BodyStore& bodies, StepReport& report);

/// Ends a step: less is forgiven in the next one.
void endPositionErrors(const WorldSettings& settings, std::span<WarmContact> contacts);

/// Largest joint errors at the present poses, and those of the inner steps before.
void measureJoints(const BodyStore& bodies, const JointStore& joints, Real size,
                   StepReport& report);

/// Forgets what was measured of joints in this step.
void forgetJointErrors(StepReport& report);

}  // namespace drystone
