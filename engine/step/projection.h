#pragma once

#include "engine/step/world_parts.h"

namespace drystone {

/// Post-stabilisation: Newton steps on the poses that take joint errors, passed limits and overlaps
/// back, with the islands and the solver of the step. Each solves M.7 with b = φ/h, without
/// friction, for impulses whose velocities, over h, are the displacement: the least one in the
/// metric of M, with the geometric stiffness where that is on; or a share of it where the whole
/// would make the error grow. Velocities stay. Contacts are those of the step, followed over the
/// poses (contact_anchors.h); what was made compliant on purpose is left alone.
///
/// Sets the errors of the joints anew and their largest in the report.
void projectPoses(WorldParts& world, StepData& data, StepReport& report);

}  // namespace drystone
