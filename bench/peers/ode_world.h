#pragma once

#include <memory>

#include "bench/peers/peer_scene.h"
#include "bench/peers/peer_world.h"

namespace drystone::bench {

PeerModel odeModel();

enum class OdeStepper : std::uint8_t {
  kQuick,  ///< dWorldQuickStep: 20 sweeps of projected SOR
  kExact,  ///< dWorldStep: Dantzig's pivoting on a dense matrix
};

/// ODE as its users set it up: hash space, default ERP and CFM, no auto-disabling, no damping,
/// friction scaled by the normal force (dContactApprox1), up to 8 points a pair.
std::unique_ptr<PeerWorld> makeOdeWorld(const PeerScene& scene, OdeStepper stepper);

}  // namespace drystone::bench
