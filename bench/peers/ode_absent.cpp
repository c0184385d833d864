// Stands in for ode_world.cpp where ODE is not installed.
#include "bench/peers/worlds.h"

namespace drystone::bench {

PeerModel odeModel() { return {.name = "ODE"}; }

std::unique_ptr<PeerWorld> makeOdeWorld(const PeerScene&, OdeStepper) {
  throw PeerLimit("not built: libode-dev is not installed");
}

}  // namespace drystone::bench
