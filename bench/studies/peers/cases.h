#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bench/peers/peer_scene.h"
#include "bench/peers/peer_world.h"

namespace drystone::bench {

/// What a scene is about, and so which figures say how well it went.
enum class PeerKind : std::uint8_t {
  kStands,  ///< nothing should move: drift
  kFlows,   ///< bodies fall and settle: overlap, kinetic energy
  kHangs,   ///< joints carry: gaps
  kSlides,  ///< a block slides down a slope: acceleration
  kPasses,  ///< bodies fall and touch nothing: way aside
  kWeighs,  ///< feet stand on a floor: share of each
};
std::string_view peerKindName(PeerKind kind);

/// A scene that the engines are compared on.
struct PeerCase {
  std::string name;  ///< in tables
  std::string scene;
  std::vector<std::string> sets;  ///< "KEY=VALUE", as in `drystone run --set`
  PeerKind kind = PeerKind::kFlows;
  Real tolerance = 0;     ///< drift at the end below which it stands [m]; kStands only
  Real acceleration = 0;  ///< by Coulomb's law [m/s²]; kSlides only, from the scene as read
};

/// Those compared unless others are asked for.
const std::vector<PeerCase>& defaultPeerCases();

/// The default cases of that name or scene; for any other scene of the library, or a file, one of
/// kind kFlows.
std::vector<PeerCase> peerCases(const std::string& name);

/// The acceleration of a block on the slope of a kSlides scene, by Coulomb's law, from its
/// parameters [m/s²].
Real exactAcceleration(const Scene& scene);

/// An engine with a solver: a row of the tables.
struct PeerConfiguration {
  std::string name;
  /// Whether it has a row for a scene.
  std::function<bool(const PeerCase&, const Scene&)> applies;
  /// Throws PeerLimit for a scene that the engine does not take.
  std::function<std::unique_ptr<PeerWorld>(const PeerCase&, const PeerScene&)> make;
};

/// That whose step is the unit of time.
inline constexpr std::string_view kUnitConfiguration = "Bullet SI 10";

/// In the order of the tables, without engines that were not built.
const std::vector<PeerConfiguration>& peerConfigurations();

/// How each of the engines models a scene.
std::vector<PeerModel> peerModels();

}  // namespace drystone::bench
