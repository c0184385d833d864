#pragma once

#include <span>

#include "engine/model/joint_store.h"
#include "engine/model/world_settings.h"
#include "engine/step/contacts.h"
#include "engine/step/step_report.h"

namespace drystone {

// Whether joints and contacts hold: errors at the poses against tolerances in metres, as the
// residual of the solves is held against its own.

/// What a world knows of it between steps.
struct Holding {
  bool isSizeKnown = false;  ///< false again after the bodies changed
  Real size = kInfinity;     ///< median extent of the dynamic bodies [m]; infinite without one
  /// Overlap that bodies were placed with and that may still be there [m].
  Real forgiven = 0;
};

/// Starts a step: the size where it is not known, and the tolerances of the report.
void beginHolding(const WorldSettings& settings, const BodyStore& bodies, Holding& holding,
                  StepReport& report);

/// Measures the overlaps at the poses of detection, those of sleeping contacts being known. What
/// bodies were placed with is forgiven; after this no body counts as placed.
void measureOverlaps(std::span<const StepContact> contacts, const DeepestOverlap& asleep,
                     BodyStore& bodies, Holding& holding, StepReport& report);

/// Ends a step of `timestep` [s]: less is forgiven in the next one.
void endHolding(const WorldSettings& settings, Holding& holding);

/// Largest joint errors at the present poses, and those of the inner steps before.
void measureJoints(const BodyStore& bodies, const JointStore& joints, Real size,
                   StepReport& report);

/// Forgets what was measured of joints in this step.
void forgetJointErrors(StepReport& report);

}  // namespace drystone
