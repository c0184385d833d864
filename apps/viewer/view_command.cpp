#include <fmt/format.h>

#include <memory>
#include <optional>

#include "apps/command_line.h"
#include "apps/commands.h"
#include "apps/exit_codes.h"
#include "apps/option_checks.h"
#include "apps/run_setup.h"
#include "apps/solver_registry.h"
#include "apps/viewer/frame_source.h"
#include "engine/core/input_error.h"
#include "viewer/app/app.h"
#include "viewer/render/offscreen.h"

namespace drystone::cli {
namespace {

struct ViewOptions {
  SimulationOptions simulation;
  std::string size, log, script;
  bool paused = false;
  std::optional<std::int64_t> frames;
};

constexpr std::int64_t kSmallestSide = 240, kLargestSide = 16384;  // [pixels]

int sideOf(const std::string& text, const std::string& size) {
  const CLI::Validator check = wholeNumber(kSmallestSide, kLargestSide);
  std::string number = text;
  const std::string problem = check(number);
  if (!problem.empty()) {
    throw UsageError(fmt::format("--size: must be WIDTHxHEIGHT, each from {} to {}, got '{}'",
                                 kSmallestSide, kLargestSide, size));
  }
  return std::stoi(number);
}

void readSize(const std::string& size, viewer::AppOptions& app) {
  if (size.empty()) return;
  const std::vector<std::string> sides = split(size, 'x');
  app.width = sideOf(sides.front(), size);
  app.height = sideOf(sides.size() == 2 ? sides.back() : "", size);
}

/// The scene as the options change it; none of a recording, which is shown as it is.
std::optional<Scene> chosenScene(const SimulationOptions& options, const SolverRegistry& registry) {
  if (!isRecording(options.scene)) {
    return setUpScene(findScene(options, registry), options, registry);
  }
  if (options.solver.empty() && options.sets.empty()) return std::nullopt;
  throw UsageError(fmt::format("{} is a recording: its steps are solved already, leave {} out",
                               options.scene, options.solver.empty() ? "--set" : "--solver"));
}

/// The scene as its file is by now, with the options of the command line. What is wrong, in either,
/// is for the window to say.
Scene readAgain(const SimulationOptions& options, const SolverRegistry& registry) {
  try {
    return setUpScene(findScene(options, registry), options, registry);
  } catch (const UsageError& error) {
    throw InputError(error.what());
  }
}

int view(const ViewOptions& options) {
  const SolverRegistry registry = makeRegistry();
  viewer::AppOptions app;
  app.path = options.simulation.scene;
  app.paused = options.paused;
  app.frames = options.frames;
  app.log = options.log;
  app.script = options.script;
  readSize(options.size, app);
  requireSceneName(app.path);
  app.scene = chosenScene(options.simulation, registry);
  if (app.scene) {
    app.read = [&] { return readAgain(options.simulation, registry); };
  }
  try {
    viewer::runApp(app, registry);
  } catch (const viewer::NoDisplayError& error) {
    throw NoDeviceError(
        fmt::format("{}\n`drystone render {}` makes pictures and videos without a display",
                    error.what(), app.path));
  }
  return kDone;
}

}  // namespace

Command addViewCommand(CLI::App& program) {
  auto options = std::make_shared<ViewOptions>();
  options->simulation.scene = "wall";
  CLI::App* app = program.add_subcommand("view", "Show a scene or recording in a window");
  app->add_option("scene", options->simulation.scene,
                  "Scene file, name of a library scene, or recording; default: wall")
      ->type_name("SCENE")
      ->transform(notEmpty());
  app->add_option("--solver", options->simulation.solver,
                  "Contact solver (`drystone list solvers`)")
      ->type_name("NAME")
      ->transform(notEmpty());
  app->add_option(
         "--set", options->simulation.sets,
         "Change a setting of the solver or a place in the scene, repeatable: tolerance=1e-8, "
         "world.timestep=0.005")
      ->type_name("KEY=VALUE")
      ->transform(notEmpty())
      ->allow_extra_args(false);
  app->add_option("--size", options->size, "Size of the window; default: as it was last")
      ->type_name("WIDTHxHEIGHT")
      ->transform(notEmpty());
  app->add_flag("--paused", options->paused, "Do not run at once");
  app->add_option("--frames", options->frames, "Close after N pictures")
      ->type_name("N")
      ->transform(wholeNumber(1));
  app->add_option("--log", options->log, "Write a line for all that happens, for tests")
      ->type_name("FILE")
      ->transform(notEmpty());
  app->add_option("--script", options->script, "Do the lines of a file (docs/viewer.md)")
      ->type_name("FILE")
      ->transform(notEmpty());
  app->footer(
      "Example:\n"
      "  drystone view card_house\n"
      "  drystone view wall --solver nsgs --set tolerance=1e-7 --paused\n"
      "  drystone view crane.h5\n"
      "F1 in the window shows all keys.");
  return {app, [options] { return view(*options); }, ""};
}

}  // namespace drystone::cli
