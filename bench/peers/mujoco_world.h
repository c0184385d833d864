#pragma once

#include <memory>

#include "bench/peers/peer_scene.h"
#include "bench/peers/peer_world.h"

namespace drystone::bench {

PeerModel mujocoModel();

enum class MujocoSolver : std::uint8_t { kNewton, kConjugateGradient };

/// MuJoCo with its default contact softness and the elliptic cone. Chains are trees of ball joints
/// in reduced coordinates, as its users build them, to the depth that its XML reader takes; other
/// bodies are free.
std::unique_ptr<PeerWorld> makeMujocoWorld(const PeerScene& scene, MujocoSolver solver);

}  // namespace drystone::bench
