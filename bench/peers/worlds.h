#pragma once

#include <memory>

#include "bench/peers/peer_scene.h"
#include "bench/peers/peer_world.h"

namespace drystone::bench {

PeerModel drystoneModel();

/// This engine with the solver and the settings of `scene`, on one thread. `peers` is
/// peerScene(scene).
std::unique_ptr<PeerWorld> makeDrystoneWorld(const Scene& scene, const PeerScene& peers);

PeerModel bulletModel();

/// Bullet's own discrete dynamics world (sequential impulse) as Bullet's users set it up: default
/// margins, no sleeping, no damping, friction √μ per body because Bullet multiplies.
std::unique_ptr<PeerWorld> makeBulletWorld(const PeerScene& scene, int iterations);

/// Bullet's own narrow phase of the two shapes with its default margins.
std::unique_ptr<PeerPair> makeBulletPair(const Shape& a, const Pose& poseA, const Shape& b,
                                         const Pose& poseB);

PeerModel odeModel();

enum class OdeStepper : std::uint8_t {
  kQuick,  ///< dWorldQuickStep: 20 sweeps of projected SOR
  kExact,  ///< dWorldStep: Dantzig's pivoting on a dense matrix
};

/// ODE as its users set it up: hash space, default ERP and CFM, no auto-disabling, no damping,
/// friction scaled by the normal force (dContactApprox1), up to 8 points a pair.
std::unique_ptr<PeerWorld> makeOdeWorld(const PeerScene& scene, OdeStepper stepper);

PeerModel mujocoModel();

enum class MujocoSolver : std::uint8_t { kNewton, kConjugateGradient };

/// MuJoCo with its default contact softness and the elliptic cone. Chains are trees of ball joints
/// in reduced coordinates, as its users build them, to the depth that its XML reader takes; other
/// bodies are free.
std::unique_ptr<PeerWorld> makeMujocoWorld(const PeerScene& scene, MujocoSolver solver);

}  // namespace drystone::bench
