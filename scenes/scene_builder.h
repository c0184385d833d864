#pragma once

#include <string>
#include <vector>

#include "engine/world/world.h"
#include "scenes/scene.h"

namespace drystone {

/// Makes the world that a scene describes; body i of the scene is the i-th body of the world.
/// Throws InputError, naming the body or joint, for what the engine does not take.
World buildWorld(const Scene& scene, SolverRegistry registry);

/// What is likely wrong with a scene that can be run, in plain words with a remedy. It has what the
/// reader saw (Scene::warnings, each with its place in the file), and then the bodies that overlap
/// at the start, by name, the deepest first. Commands print it before they simulate. It costs a
/// world and a step of its own; throws as buildWorld() does.
std::vector<std::string> sceneWarnings(const Scene& scene, const SolverRegistry& registry);

}  // namespace drystone
