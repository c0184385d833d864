#include "bench/studies/peers/cases.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/input_error.h"

namespace drystone::bench {

std::string_view peerKindName(PeerKind kind) {
  switch (kind) {
    case PeerKind::kStands:
      return "stands";
    case PeerKind::kFlows:
      return "flows";
    case PeerKind::kHangs:
      return "hangs";
    case PeerKind::kSlides:
      return "slides";
    case PeerKind::kPasses:
      return "passes";
    case PeerKind::kWeighs:
      return "weighs";
  }
  return "";
}

const std::vector<PeerCase>& defaultPeerCases() {
  // How far something may be off and still stand: half a cube, half a brick, the pad that holds the
  // capsule, and for the arch and the cards what no longer looks like one.
  constexpr Real kCubes = 0.5, kBricks = 0.1, kArch = 0.25, kCards = 0.1, kCapsule = 0.04;
  static const std::vector<PeerCase> cases = {
      {"stack_10", "stack_10", {}, PeerKind::kStands, kCubes},
      {"stack_20", "stack_20", {}, PeerKind::kStands, kCubes},
      {"stack_40", "stack_40", {}, PeerKind::kStands, kCubes},
      {"heavy_on_light 1:100", "heavy_on_light", {"scene.ratio=100"}, PeerKind::kStands, kCubes},
      {"heavy_on_light 1:10000",
       "heavy_on_light",
       {"scene.ratio=10000"},
       PeerKind::kStands,
       kCubes},
      {"pyramid_20", "pyramid_20", {}, PeerKind::kStands, kCubes},
      {"brick_wall_20x20", "brick_wall_20x20", {}, PeerKind::kStands, kBricks},
      {"card_house", "card_house", {}, PeerKind::kStands, kCards},
      {"arch", "arch", {}, PeerKind::kStands, kArch},
      {"slope_stick", "slope_stick", {}, PeerKind::kStands, kCubes},
      {"slope_slip", "slope_slip", {}, PeerKind::kSlides},
      {"chain", "chain", {}, PeerKind::kHangs},
      {"chain_hanging", "chain_hanging", {}, PeerKind::kHangs},
      {"pinched_capsule", "pinched_capsule", {}, PeerKind::kStands, kCapsule},
      {"wall_cube", "wall_cube", {}, PeerKind::kStands, kBricks},
      {"fly_by", "fly_by", {}, PeerKind::kPasses},
      {"four_legs", "four_legs", {}, PeerKind::kWeighs},
      {"pile_1000", "pile_1000", {}, PeerKind::kFlows},
      {"pile_4000", "pile_4000", {}, PeerKind::kFlows},
  };
  return cases;
}

std::vector<PeerCase> peerCases(const std::string& name) {
  std::vector<PeerCase> found;
  for (const PeerCase& known : defaultPeerCases()) {
    if (known.name == name || known.scene == name) found.push_back(known);
  }
  if (found.empty()) found.push_back({.name = name, .scene = name});
  return found;
}

Real exactAcceleration(const Scene& scene) {
  const auto parameter = [&](std::string_view name) {
    const auto found = std::find_if(scene.parameters.begin(), scene.parameters.end(),
                                    [&](const SceneParameter& it) { return it.name == name; });
    if (found == scene.parameters.end()) {
      throw InputError(scene.name + ": a slope needs the parameter " + std::string(name));
    }
    return found->value;
  };
  const Real angle = parameter("angle_deg") * std::numbers::pi / 180;
  return scene.settings.gravity.norm() *
         (std::sin(angle) - parameter("friction") * std::cos(angle));
}

}  // namespace drystone::bench
