#pragma once

#include <CLI/CLI.hpp>

#include "apps/support/run_setup.h"

namespace drystone::cli {

constexpr Real kLeastTime = 1e-15;       // [s] as the scene file has it
constexpr Real kLongestTimestep = 1000;  // [s] as the scene file has it

/// The options that say how a scene is simulated, but not for how long.
void addSceneOptions(CLI::App& app, SimulationOptions& options);

}  // namespace drystone::cli
