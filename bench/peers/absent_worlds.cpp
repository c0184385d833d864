// Stands in for ode_world.cpp, mujoco_world.cpp and mujoco_batch.cpp where their engines are not
// installed, which CMakeLists.txt finds out.
#include "bench/peers/mujoco_batch.h"
#include "bench/peers/worlds.h"

namespace drystone::bench {

#ifndef DRYSTONE_HAS_ODE
PeerModel odeModel() { return {.name = "ODE", .absent = "libode-dev is not installed"}; }

std::unique_ptr<PeerWorld> makeOdeWorld(const PeerScene&, OdeStepper) {
  throw PeerLimit(odeModel().absent);
}
#endif

#ifndef DRYSTONE_HAS_MUJOCO
PeerModel mujocoModel() { return {.name = "MuJoCo", .absent = "libmujoco-dev is not installed"}; }

std::unique_ptr<PeerWorld> makeMujocoWorld(const PeerScene&, MujocoSolver) {
  throw PeerLimit(mujocoModel().absent);
}

struct MujocoBatch::Parts {};
bool hasMujocoBatch() { return false; }
MujocoBatch::MujocoBatch(int) { throw PeerLimit(mujocoModel().absent); }
MujocoBatch::~MujocoBatch() = default;
void MujocoBatch::restart(int) {}
void MujocoBatch::step(int, int) {}
#endif

}  // namespace drystone::bench
