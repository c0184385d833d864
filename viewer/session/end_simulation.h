#pragma once

#include <chrono>
#include <memory>

#include "viewer/session/simulation.h"

namespace drystone::viewer {

/// Ends it, but waits no longer than that for the step under way. False: that step still runs, and
/// only the end of the process ends it.
bool endSimulation(std::unique_ptr<Simulation> simulation, std::chrono::duration<double> longest);

}  // namespace drystone::viewer
