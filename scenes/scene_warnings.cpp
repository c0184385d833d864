#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "collision/shape/shape.h"
#include "core/wording.h"
#include "scenes/scene_builder.h"

namespace drystone {
namespace {

constexpr std::size_t kMostNamed = 10;  // the others are alike, as a rule

/// Bodies of a scene that is looked through for overlaps. The look has a world of its own, of some
/// 3 kB a body: a larger scene may fill the memory without it.
constexpr std::size_t kMostLookedThrough = 100'000;

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
  scene.forcePlates.clear();
  return scene;
}

/// Names the pairs of bodies that overlap at the start by more than the tolerance, the deepest
/// first.
std::vector<std::string> deepOverlaps(const Scene& scene, const SolverRegistry& registry) {
  if (scene.bodies.size() > kMostLookedThrough) {
    return {fmt::format(
        "{}: overlaps at the start are not looked for among more than {} bodies: the summary of a "
        "run says how deep they are",
        scene.name, kMostLookedThrough)};
  }
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

/// Speed of the fastest centre of mass that is given: at the start, or in a prescribed motion
/// [m/s].
Real givenSpeed(const BodyDefinition& body) {
  Real speed = body.linearVelocity.norm();
  for (const VelocityKey& key : body.motion) speed = std::max(speed, key.linear.norm());
  return speed;
}

/// Ways to step that do not look along the way of fast bodies; empty: this one does.
std::string stepsWithoutLooks(const WorldSettings& settings) {
  if (settings.stepping == Stepping::kSoft) return "world.stepping \"soft\"";
  if (settings.integrator == Integrator::kMoreau) return "world.integrator \"moreau\"";
  return "";
}

/// Names the fastest body that starts so fast that it may pass others, where steps let it.
void addFastBodies(const Scene& scene, std::vector<std::string>& warnings) {
  const std::string steps = stepsWithoutLooks(scene.settings);
  if (steps.empty()) return;
  constexpr Real kFast = 0.5;  // share of the least extent; what moves less meets what it hits
  const BodyDefinition* fastest = nullptr;
  Real most = kFast;
  std::int64_t count = 0;
  for (const BodyDefinition& body : scene.bodies) {
    if (!body.shape || body.isSensor || body.filter.mask == 0) continue;
    const std::optional<Bounds> bounds = shapeBounds(*body.shape);
    if (!bounds) continue;
    const Real share =
        givenSpeed(body) * scene.settings.substep() / (bounds->upper - bounds->lower).minCoeff();
    if (!(share > kFast)) continue;
    ++count;
    if (!(share > most)) continue;
    most = share;
    fastest = &body;
  }
  if (fastest == nullptr) return;
  warnings.push_back(fmt::format(
      "{}: '{}' moves {:.3g} m in an inner step, {:.2g} of its least extent{}: beyond 0.5, bodies "
      "may pass through others with {}; shorten world.timestep, raise world.substeps, or take "
      "\"exact\" stepping with \"semi_implicit_euler\"",
      scene.name, fastest->name, givenSpeed(*fastest) * scene.settings.substep(), most,
      count > 1 ? fmt::format(" ({} like it)", counted(count - 1, "more body", "more bodies")) : "",
      steps));
}

}  // namespace

std::vector<std::string> sceneWarnings(const Scene& scene, const SolverRegistry& registry) {
  std::vector<std::string> warnings = scene.warnings;
  addUnusedRolling(scene, warnings);
  addFastBodies(scene, warnings);
  std::ranges::move(deepOverlaps(scene, registry), std::back_inserter(warnings));
  return warnings;
}

}  // namespace drystone
