#pragma once

#include <string>

#include "apps/support/run_setup.h"
#include "engine/statics/statics.h"
#include "engine/world/world.h"

namespace drystone::cli {

/// Writes how the structure gives way as a recording that `view`, `render` and `export` play: a
/// second at rest with the contact forces of the answer, then three in which the bodies follow the
/// mechanism faster and faster. It is a motion of geometry alone, no simulation: the fastest body
/// of each group moves by half of its least extent. Without a mechanism all of it is rest.
/// Throws InputError or std::runtime_error where the file cannot be written.
void recordMechanism(const std::string& path, RecordingInfo info, const World& world,
                     const StaticAnswer& answer);

}  // namespace drystone::cli
