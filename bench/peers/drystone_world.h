#pragma once

#include <memory>

#include "bench/peers/peer_scene.h"
#include "bench/peers/peer_world.h"

namespace drystone::bench {

PeerModel drystoneModel();

/// This engine with the solver and the settings of `scene`, on one thread. `peers` is
/// peerScene(scene).
std::unique_ptr<PeerWorld> makeDrystoneWorld(const Scene& scene, const PeerScene& peers);

}  // namespace drystone::bench
