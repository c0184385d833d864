#pragma once

#include "engine/model/world_parts.h"

namespace drystone {

/// Fills blocks and rows of all contacts: Jacobians (M.5, M.6), b with restitution, stabilisation
/// and speculative margin, compliance (M.8), under the world's friction model.
void contactRows(const WorldParts& world, StepData& data);

}  // namespace drystone
