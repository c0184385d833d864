#pragma once

#include "engine/world/world.h"
#include "scenes/scene.h"

namespace drystone {

/// Makes the world that a scene describes; body i of the scene is the i-th body of the world.
/// Throws InputError, naming the body or joint, for what the engine does not take.
World buildWorld(const Scene& scene, SolverRegistry registry);

}  // namespace drystone
