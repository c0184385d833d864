#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenes/scene_reader.h"

namespace drystone {

/// The solver's setting that a key of `--set` means: a key without a dot, `solver.settings.KEY`, or
/// `solver.KEY` unless KEY is one of the scene file's own there. All other keys are places in the
/// file, as ParameterOverride::path has them.
std::optional<std::string> solverSetting(const std::string& key);

/// What replaces the seeds of the scene's random generators; empty: nothing in it is random. The
/// text must be JSON.
std::vector<ParameterOverride> seedOverrides(const SceneSource& scene, std::int64_t seed);

}  // namespace drystone
