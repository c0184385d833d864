#pragma once

#include <span>
#include <string>
#include <vector>

#include "apps/support/solver_registry.h"
#include "engine/statics/inverse_dynamics.h"
#include "engine/world/world.h"
#include "scenes/scene.h"

namespace drystone::cli {

/// Accelerations of the command line, each `NAME=VALUE`.
struct WantedAccelerations {
  std::vector<std::string> linear;   ///< of bodies: ax,ay,az [m/s²]
  std::vector<std::string> angular;  ///< of bodies: ax,ay,az [rad/s²]
  std::vector<std::string> joints;   ///< of the free coordinate of joints [m/s²], [rad/s²]
};

/// Velocities at the end of the next inner step. Joints move all bodies that hang on them; what is
/// said of a body counts in place of that. All others keep their velocity. Throws UsageError,
/// naming the option, for what is of another form, named twice or not there, and for joints that
/// have several free coordinates or none.
std::vector<WantedVelocity> wantedVelocities(const WantedAccelerations& wanted, const Scene& scene,
                                             const SolverRegistry& registry, const World& world);

/// Gives each free coordinate of a joint that has no motor one without a cap, so that the answer
/// has the forces that joints would have to give.
void actuateJoints(World& world);

}  // namespace drystone::cli
