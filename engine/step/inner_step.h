#pragma once

#include "core/types.h"

namespace drystone {

struct WorldParts;

/// Advances a world by an inner step of h [s], number `index` of its step, and counts `index` on.
/// Its solves may take `seconds`; their time is returned [s]. Adds its part to the report.
///
/// The velocities are solved for contacts of the start of the step. Where bodies then overlap at
/// its end, at features that the start did not show, it is solved again with these contacts, too.
/// Where joints or contacts still would not hold, in spite of solves that meet their tolerance, the
/// inner step is given up and taken in two halves, each as a step of its own.
///
/// Where a velocity or position would leave all bounds, the report has the body, and the bodies
/// stay as they are before the inner step; under `moreau` at its middle. What is left of the step
/// is not taken then, but its time passes.
Real takeInnerStep(WorldParts& world, int& index, Real h, Real seconds);

}  // namespace drystone
