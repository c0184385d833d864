#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/peers/peer_scene.h"
#include "bench/peers/peer_world.h"
#include "bench/studies/peers/cases.h"

namespace drystone::bench {

/// An engine with a solver: a row of the tables.
struct PeerConfiguration {
  std::string name;
  std::optional<PeerKind> only;  ///< kind of scenes that it is meant for; none: all
  /// Throws PeerLimit for a scene that the engine does not take.
  std::function<std::unique_ptr<PeerWorld>(const PeerCase&, const PeerScene&)> make;
};

/// In the order of the tables.
const std::vector<PeerConfiguration>& peerConfigurations();

/// How each of the engines models a scene.
std::vector<PeerModel> peerModels();

}  // namespace drystone::bench
