#pragma once

#include <memory>

#include "bench/peers/peer_scene.h"
#include "bench/peers/peer_world.h"

namespace drystone::bench {

PeerModel bulletModel();

/// Bullet's own discrete dynamics world (sequential impulse) as Bullet's users set it up: default
/// margins, no sleeping, no damping, friction √μ per body because Bullet multiplies.
std::unique_ptr<PeerWorld> makeBulletWorld(const PeerScene& scene, int iterations);

}  // namespace drystone::bench
