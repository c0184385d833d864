#pragma once

#include "core/types.h"

namespace drystone {

class StageClock;
struct WorldParts;

/// Advances a world by an inner step of h [s], number `index` of its step, and counts `index` on.
/// Its solves may take `seconds`; their time is returned [s]. Adds its part to the report, its
/// times by the clock.
///
/// The velocities are solved for contacts of the start of the step. Where bodies then overlap at
/// its end, at features that the start did not show, it is solved again with these contacts, too.
/// Where joints or contacts still would not hold, in spite of solves that meet their tolerance, the
/// inner step is given up and taken in two halves, each as a step of its own.
///
/// Where a velocity or position would leave all bounds, the report has the body, and the bodies
/// stay as they are before the inner step; under `moreau` at its middle. What is left of the step
/// is not taken then, but its time passes.
Real takeInnerStep(WorldParts& world, int& index, Real h, Real seconds, StageClock& clock);

/// Finds the contacts of inner step number `index`, of h [s]: anew at the present poses, or carried
/// along from the inner step before, in which case it returns true. What wakes or comes apart
/// within a step may touch what had no contacts, so that they are found anew then.
///
/// Points of colliders become contacts of bodies: ghosts at the inner edges of surfaces and points
/// that sensors alone see are left out, overlap that no step could prevent is forgiven, and islands
/// that are disturbed wake up. Contacts of islands that sleep are left out.
///
/// Reads poses, materials and who sleeps. Writes `data.contacts`, `data.anchors`, `data.detection`,
/// the sensors' events and the report's count of detections.
bool findContacts(WorldParts& world, int index, Real h, StageClock& clock);

}  // namespace drystone
