#pragma once

#include <string>

#include "bench/peers/peer_scene.h"

namespace drystone::bench {

/// Settings of a MuJoCo model that are not in the scene.
struct MujocoXmlSettings {
  std::string solver;       ///< "Newton", "CG"
  int rowCapacity = 0;      ///< most constraint rows of a step
  int contactCapacity = 0;  ///< most contacts of a step
  int stackNumbers = 0;     ///< size of its scratch memory in numbers of 8 bytes
};

/// The scene as an MJCF document. The body of scene body i is called "bI"; static ones are geoms of
/// the world. Throws PeerLimit for a scene that MuJoCo cannot express.
std::string mujocoXml(const PeerScene& scene, const MujocoXmlSettings& settings);

}  // namespace drystone::bench
