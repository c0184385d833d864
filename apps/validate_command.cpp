#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "apps/command_line.h"
#include "apps/commands.h"
#include "apps/exit_codes.h"
#include "apps/run_setup.h"
#include "engine/core/input_error.h"
#include "scenes/scene_builder.h"

namespace drystone::cli {
namespace {

/// Reads, checks and builds the scene, as `run` would; the line that says what it holds.
std::string validScene(const std::string& name, const SolverRegistry& registry) {
  SimulationOptions options;
  options.scene = name;
  const Scene scene = setUpScene(options, registry);
  const World world = buildWorld(scene, registry);
  return fmt::format(
      "{}: ok: {}, {}, {}, {}, {}, {}", name, counted(world.bodyCount(), "body", "bodies"),
      counted(world.jointCount(), "joint"), counted(std::ssize(scene.materials), "material"),
      counted(std::ssize(scene.shapes), "shape"),
      counted(std::ssize(scene.parameters), "parameter"), counted(scene.stepCount(), "step"));
}

int validate(const std::vector<std::string>& scenes) {
  const SolverRegistry registry = makeDefaultRegistry();
  std::vector<std::string> problems;
  for (const std::string& scene : scenes) {
    try {
      fmt::print("{}\n", validScene(scene, registry));
    } catch (const InputError& error) {
      problems.insert(problems.end(), error.problems().begin(), error.problems().end());
    }
  }
  if (!problems.empty()) throw InputError(problems);
  return kDone;
}

}  // namespace

Command addValidateCommand(CLI::App& program) {
  auto scenes = std::make_shared<std::vector<std::string>>();
  CLI::App* app = program.add_subcommand("validate", "Check scenes and print every error");
  app->add_option("scene", *scenes, "Scene files, or names of library scenes")
      ->type_name("SCENE")
      ->required();
  app->footer("Example:\n  drystone validate my_scene.json\n");
  return {app, [scenes] { return validate(*scenes); },
          "name the scenes to check: scene files, or names of `drystone list scenes`"};
}

}  // namespace drystone::cli
