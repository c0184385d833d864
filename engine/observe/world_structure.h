#pragma once

#include <cstdint>

#include "engine/step/world_parts.h"

namespace drystone {

/// Fingerprint of what a saved state must find in place to go on bit for bit: the settings that
/// enter the step's arithmetic, bodies with their masses and shapes, joints, materials. Left out is
/// what may differ without harm: names, thread count, and the solver, which can be switched.
std::uint64_t structureOf(const WorldParts& world);

}  // namespace drystone
