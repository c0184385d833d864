#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <exception>
#include <memory>
#include <optional>

#include "apps/commands.h"
#include "apps/support/command_line.h"
#include "apps/support/frames/frame_source.h"
#include "apps/support/input_files.h"
#include "apps/support/option_checks.h"
#include "apps/support/output_file.h"
#include "apps/support/program.h"
#include "apps/support/run_setup.h"
#include "apps/support/solver_registry.h"
#include "core/input_error.h"
#include "scenes/scene_reader.h"
#include "viewer/render/offscreen.h"
#include "viewer/window/app.h"

namespace drystone::cli {
namespace {

struct ViewOptions {
  SimulationOptions simulation;
  std::string size, log, script;
  bool paused = false;
  std::optional<std::int64_t> frames;
};

/// Runs far faster than the clock with its tolerance met in every step, and something moves.
constexpr const char* kDefaultScene = "crane";
constexpr std::int64_t kSmallestWindow = 240, kLargestWindow = 16384;  // [pixels]

int sideOf(const std::string& text, const std::string& size) {
  const CLI::Validator check = wholeNumber(kSmallestWindow, kLargestWindow);
  std::string number = text;
  const std::string problem = check(number);
  if (!problem.empty()) {
    throw UsageError(fmt::format("--size: must be WIDTHxHEIGHT, each from {} to {}, got '{}'",
                                 kSmallestWindow, kLargestWindow, size));
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
  refuseChanges(options);
  requireFileKind(options.scene, FileKind::kRecording);
  return std::nullopt;
}

/// What the window changes counts, not what the command line says of the same.
void addChange(const ParameterOverride& change, SimulationOptions& options) {
  if (change.path == "world.friction") options.friction.clear();
  if (change.path == "world.integrator") options.integrator.clear();
  if (change.path == "solver.preset") options.preset.clear();
  if (change.path == "world.timestep") options.timestep.reset();
  if (change.path == "world.threads") options.threads.reset();
  if (change.path == "scene.seed") options.seed.reset();
  options.sets.push_back(change.path + "=" + change.value);
}

/// The scene as its file is by now, with the options of the command line and the changes. What is
/// wrong in any of them is for the window to say. It may be solved with another solver than they
/// name: the world that is built of it judges that one.
Scene readAgain(SimulationOptions options, const SolverRegistry& registry,
                const std::vector<ParameterOverride>& changes) {
  for (const ParameterOverride& change : changes) addChange(change, options);
  try {
    return readWithOptions(findScene(options, registry), options, registry);
  } catch (const UsageError& error) {
    throw InputError(error.what());
  }
}

void checkLog(const ViewOptions& options, const std::optional<Scene>& scene) {
  std::vector<std::string> inputs = {options.simulation.scene, options.script};
  if (scene) inputs.insert(inputs.end(), scene->files.begin(), scene->files.end());
  refuseInputFile(options.log, "--log", inputs);
  checkWritableFile(options.log, "--log");
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
  if (!options.log.empty()) checkLog(options, app.scene);
  if (app.scene) {
    app.read = [&](const std::vector<ParameterOverride>& changes) {
      return readAgain(options.simulation, registry, changes);
    };
  }
  const InterruptGuard interrupt;
  app.interrupted = [&] { return interrupt.requested(); };
  try {
    const viewer::AppEnd end = viewer::runApp(app, registry);
    const int code = runReporting([&] {
      if (end.problem) std::rethrow_exception(end.problem);
      return end.interrupted ? kInterrupted : kDone;
    });
    // What the step under way still uses must not go before it.
    if (end.withinStep) std::_Exit(code);
    return code;
  } catch (const viewer::NoDisplayError& error) {
    throw NoDeviceError(
        fmt::format("{}\nhint: `drystone render {}` makes pictures and videos without a display",
                    error.what(), app.path));
  }
}

}  // namespace

Command addViewCommand(CLI::App& program) {
  auto options = std::make_shared<ViewOptions>();
  options->simulation.scene = kDefaultScene;
  CLI::App* app = program.add_subcommand("view", "Show a scene or recording in a window");
  app->add_option("scene", options->simulation.scene,
                  fmt::format("Scene file, name of a library scene, or recording; default: {}",
                              kDefaultScene))
      ->type_name("SCENE")
      ->transform(notEmpty());
  addSceneOptions(*app, options->simulation);
  app->add_option("--size", options->size, "Size of the window; default: as it was last")
      ->type_name("WIDTHxHEIGHT")
      ->transform(notEmpty());
  app->add_flag("--paused", options->paused, "Do not run at once");
  app->add_option("--frames", options->frames, "Close after N pictures")
      ->type_name("N")
      ->transform(wholeNumber(1));
  app->add_option("--log", options->log,
                  "Write a line for each event, such as \"paused\" or \"step 12\"; for tests")
      ->type_name("FILE")
      ->transform(notEmpty());
  app->add_option("--script", options->script,
                  "Run the commands in a file, one a line (docs/viewer.md)")
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
