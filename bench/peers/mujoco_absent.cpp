// Stands in for mujoco_world.cpp where MuJoCo is not installed.
#include "bench/peers/worlds.h"

namespace drystone::bench {

PeerModel mujocoModel() { return {.name = "MuJoCo"}; }

std::unique_ptr<PeerWorld> makeMujocoWorld(const PeerScene&, MujocoSolver) {
  throw PeerLimit("not built: libmujoco-dev is not installed");
}

}  // namespace drystone::bench
