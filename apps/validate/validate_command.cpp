#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "apps/commands.h"
#include "apps/support/command_line.h"
#include "apps/support/log.h"
#include "apps/support/option_checks.h"
#include "apps/support/program.h"
#include "apps/support/run_setup.h"
#include "apps/support/solver_registry.h"
#include "core/input_error.h"
#include "scenes/scene_builder.h"

namespace drystone::cli {
namespace {

struct ValidateOptions {
  std::vector<std::string> scenes;
  std::vector<std::string> sets;  ///< key=value, for each of the scenes
};

/// Names the pairs of bodies that overlap at the start by more than the tolerance, the deepest
/// first.
std::vector<std::string> deepOverlaps(Scene scene, const SolverRegistry& registry) {
  constexpr std::size_t kMostNamed = 5;  // the others are alike, as a rule
  // One step finds the contacts; nobody needs its impulses.
  scene.settings.substeps = 1;
  scene.settings.solver = {.condensation = Condensation::kNever};
  scene.settings.solver.budget.iterations = 0;
  World world = buildWorld(scene, registry);
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
    warnings.push_back(fmt::format("{}: {} more pairs overlap at the start beyond the tolerance",
                                   scene.name, pairs.size() - kMostNamed));
  }
  return warnings;
}

/// Reads, checks and builds the scene, as `run` would; the line that says what it holds.
std::string validScene(const std::string& name, const std::vector<std::string>& sets,
                       const SolverRegistry& registry) {
  SimulationOptions options;
  options.scene = name;
  options.sets = sets;
  const Scene scene = setUpScene(findScene(options, registry), options, registry);
  logWarnings(scene.warnings);
  const World world = buildWorld(scene, registry);
  logWarnings(deepOverlaps(scene, registry));
  return fmt::format(
      "{}: ok: {}, {}, {}, {}, {}, {}", name, counted(std::ssize(world.bodies()), "body", "bodies"),
      counted(std::ssize(world.joints()), "joint"),
      counted(std::ssize(scene.materials), "material"), counted(std::ssize(scene.shapes), "shape"),
      counted(std::ssize(scene.parameters), "parameter"), counted(scene.stepCount(), "step"));
}

int validate(const ValidateOptions& options) {
  const SolverRegistry registry = makeRegistry();
  std::vector<std::string> problems;
  for (const std::string& scene : options.scenes) {
    try {
      fmt::print("{}\n", validScene(scene, options.sets, registry));
    } catch (const InputError& error) {
      problems.insert(problems.end(), error.problems().begin(), error.problems().end());
    }
  }
  if (!problems.empty()) throw InputError(problems);
  return kDone;
}

}  // namespace

Command addValidateCommand(CLI::App& program) {
  auto options = std::make_shared<ValidateOptions>();
  CLI::App* app = program.add_subcommand("validate", "Check scenes and print every error");
  app->add_option("scene", options->scenes, "Scene files, or names of library scenes")
      ->type_name("SCENE")
      ->transform(notEmpty())
      ->required();
  app->add_option("--set", options->sets, "Change a value first, repeatable; keys as in `run`")
      ->type_name("KEY=VALUE")
      ->transform(notEmpty())
      ->allow_extra_args(false);
  app->footer(
      "Example:\n"
      "  drystone validate my_scene.json\n"
      "  drystone validate my_scene.json --set world.timestep=0.001\n");
  return {app, [options] { return validate(*options); },
          "name the scenes to check: scene files, or names of `drystone list scenes`"};
}

}  // namespace drystone::cli
