#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "apps/commands.h"
#include "apps/support/command_line.h"
#include "apps/support/log.h"
#include "apps/support/memory_limit.h"
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

/// Reads, checks and builds the scene, as `run` would; the line that says what it holds.
std::string validScene(const std::string& name, const std::vector<std::string>& sets,
                       const SolverRegistry& registry) {
  SimulationOptions options;
  options.scene = name;
  options.sets = sets;
  const Scene scene = setUpScene(findScene(options, registry), options, registry);
  const World world = buildWorld(scene, registry);
  const std::vector<std::string> warnings = sceneWarnings(scene, registry);
  logWarnings(warnings);
  const std::string verdict =
      warnings.empty() ? "ok"
                       : fmt::format("ok, but for {}", counted(std::ssize(warnings), "warning"));
  return fmt::format(
      "{}: {}: {}, {}, {}, {}, {}, {}", name, verdict,
      counted(std::ssize(world.bodies()), "body", "bodies"),
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
  CLI::App* app =
      program.add_subcommand("validate", "Check scenes and print every error and warning");
  app->add_option("scene", options->scenes, "Scene files, or names of library scenes")
      ->type_name("SCENE")
      ->transform(notEmpty())
      ->required();
  app->add_option("--set", options->sets, "Change a value first, repeatable; keys as in `run`")
      ->type_name("KEY=VALUE")
      ->transform(notEmpty())
      ->allow_extra_args(false);
  addMemoryLimit(*app);
  app->footer(
      "Prints what is likely wrong as warnings, too. They leave the exit code at 0.\n\n"
      "Example:\n"
      "  drystone validate my_scene.json\n"
      "  drystone validate my_scene.json --set world.timestep=0.001\n");
  return {app, [options] { return validate(*options); },
          "name the scenes to check: scene files, or names of `drystone list scenes`"};
}

}  // namespace drystone::cli
