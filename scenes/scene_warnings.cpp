#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/wording.h"
#include "scenes/scene_builder.h"

namespace drystone {
namespace {

constexpr std::size_t kMostNamed = 10;  // the others are alike, as a rule

/// The scene with settings of the detection alone: its first step then finds the contacts of the
/// start at little cost. Nobody needs the impulses.
Scene onlyDetected(Scene scene) {
  WorldSettings settings;
  settings.contactSet = ContactSet::kClosed;
  settings.reduceManifolds = scene.settings.reduceManifolds;
  settings.overlapTolerance = scene.settings.overlapTolerance;
  settings.threads = scene.settings.threads;
  settings.solver = {.condensation = Condensation::kNever};
  settings.solver.budget.iterations = 0;
  scene.settings = settings;
  return scene;
}

/// Names the pairs of bodies that overlap at the start by more than the tolerance, the deepest
/// first.
std::vector<std::string> deepOverlaps(const Scene& scene, const SolverRegistry& registry) {
  World world = buildWorld(onlyDetected(scene), registry);
  const Real tolerance = world.step().overlapTolerance;
  WorldSnapshot start;
  world.observe().snapshot(start);
  std::map<std::pair<int, int>, Real> depths;  // by body indices
  for (const ContactSnapshot& contact : start.contacts) {
    if (-contact.gap <= tolerance) continue;
    Real& depth = depths[{contact.bodyA.index, contact.bodyB.index}];
    depth = std::max(depth, -contact.gap);
  }
  std::vector<std::pair<std::pair<int, int>, Real>> pairs(depths.begin(), depths.end());
  std::ranges::stable_sort(pairs, std::greater<>(), [](const auto& pair) { return pair.second; });
  std::vector<std::string> warnings;
  for (const auto& [bodies, depth] : std::span(pairs).first(std::min(pairs.size(), kMostNamed))) {
    warnings.push_back(fmt::format(
        "{}: '{}' and '{}' overlap by {:.3g} m at the start, beyond the tolerance of {:.3g} m: "
        "move them apart, or set world.overlap_tolerance",
        scene.name, scene.bodies[static_cast<std::size_t>(bodies.first)].name,
        scene.bodies[static_cast<std::size_t>(bodies.second)].name, depth, tolerance));
  }
  if (pairs.size() > kMostNamed) {
    warnings.push_back(fmt::format("{}: {} at the start beyond the tolerance", scene.name,
                                   counted(static_cast<std::int64_t>(pairs.size() - kMostNamed),
                                           "more pair overlaps", "more pairs overlap")));
  }
  return warnings;
}

/// Names the materials whose rolling resistance the friction model of the world does not use.
void addUnusedRolling(const Scene& scene, std::vector<std::string>& warnings) {
  if (scene.settings.friction == FrictionModel::kRolling) return;
  for (const SceneMaterial& entry : scene.materials) {
    if (!(entry.material.rollingResistance > 0)) continue;
    warnings.push_back(fmt::format(
        "{}: material '{}' has a rolling_resistance, which the friction \"{}\" does not "
        "use: set world.friction to \"rolling\"",
        scene.name, entry.name, frictionModelName(scene.settings.friction)));
  }
}

}  // namespace

std::vector<std::string> sceneWarnings(const Scene& scene, const SolverRegistry& registry) {
  std::vector<std::string> warnings = scene.warnings;
  addUnusedRolling(scene, warnings);
  std::ranges::move(deepOverlaps(scene, registry), std::back_inserter(warnings));
  return warnings;
}

}  // namespace drystone
