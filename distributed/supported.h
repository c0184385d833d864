#pragma once

#include <string>
#include <vector>

#include "engine/step/world_parts.h"

namespace drystone {

/// What of a world several processes cannot share, each with a remedy; empty: nothing.
std::vector<std::string> unsupportedIn(const WorldParts& world);

/// The settings that the process's part of a world takes: those of the whole, with joints and
/// contacts met once a step. A look at where the step goes would be another solve of one process.
WorldSettings sharedSettings(WorldSettings settings);

}  // namespace drystone
