#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apps/commands.h"
#include "apps/inverse/inverse_output.h"
#include "apps/inverse/recorded_motion.h"
#include "apps/inverse/wanted_motion.h"
#include "apps/support/log.h"
#include "apps/support/option_checks.h"
#include "apps/support/output_file.h"
#include "apps/support/program.h"
#include "apps/support/progress.h"
#include "apps/support/run_setup.h"
#include "apps/support/solver_registry.h"
#include "apps/support/static_words.h"
#include "engine/recording/recording.h"
#include "scenes/scene_builder.h"
#include "scenes/scene_reader.h"

namespace drystone::cli {
namespace {

/// What solvers leave of rest in a recorded motion, and of the accelerations.
constexpr Real kRecordedStill = 1e-4;      // [m/s], [rad/s]
constexpr Real kRecordedTolerance = 0.01;  // [m/s²]

struct InverseOptions {
  SimulationOptions simulation;
  WantedAccelerations wanted;
  bool actuate = false;
  std::optional<Real> reach;      ///< [m]
  std::optional<Real> tolerance;  ///< [m/s²]
  std::optional<std::int64_t> every;
  std::string csv;  ///< file, or empty
  bool json = false;
};

/// Options of the one use are refused in the other, with what they are for.
void refuseOptions(const std::vector<std::pair<const char*, bool>>& options, const char* why) {
  for (const auto& [option, isGiven] : options) {
    if (isGiven) throw UsageError(fmt::format("{}: {}", option, why));
  }
}

/// Of what steps do that is not known here.
void warnOfSettings(const World& world) {
  const WorldSettings& settings = world.settings();
  if (settings.geometricStiffness) {
    logWarning(
        "the scene has geometric_stiffness: its steps add inertia where links swing fast, and what "
        "that does counts as lacking; set world.geometric_stiffness=false");
  }
  if (settings.friction == FrictionModel::kBox || settings.friction == FrictionModel::kPyramid ||
      settings.friction == FrictionModel::kDiamond) {
    logWarning(
        "the scene has friction by a box, pyramid or diamond, whose forces need not lie in the "
        "cone that is asked here, nor against the slip; set world.friction=cone");
  }
}

int inverseExitCode(bool isSolved, bool isPossible) {
  if (!isSolved) return kSolverFailure;
  return isPossible ? kDone : kCheckFailed;
}

int askScene(const InverseOptions& options) {
  refuseOptions({{"--every", options.every.has_value()},
                 {"--tolerance", options.tolerance.has_value()},
                 {"--csv", !options.csv.empty()}},
                "is of a recorded motion, and this is a scene; give a recording");
  const SolverRegistry registry = makeRegistry();
  const SimulationOptions& simulation = options.simulation;
  const ReadyScene scene = setUpScene(findScene(simulation, registry), simulation, registry);
  World world = buildWorld(scene, registry);
  logWarnings(scene.warnings);
  warnOfSettings(world);
  if (options.actuate) actuateJoints(world);
  const std::vector<WantedVelocity> wanted =
      wantedVelocities(options.wanted, scene, registry, world);
  ToldForces told{.scene = simulation.scene,
                  .motors = motorPlaces(world),
                  .keeping = countMoving(world),
                  .h = world.settings().substep()};
  told.answer = InverseDynamics(world, options.reach).answer(wanted);
  fmt::print("{}", options.json ? jsonText(forcesJson(told, world)) : forcesText(told, world));
  return inverseExitCode(told.answer.isSolved, told.answer.isPossible);
}

int askRecording(const InverseOptions& options) {
  const std::string& file = options.simulation.scene;
  refuseOptions({{"--acceleration", !options.wanted.linear.empty()},
                 {"--spin", !options.wanted.angular.empty()},
                 {"--joint", !options.wanted.joints.empty()},
                 {"--set", !options.simulation.sets.empty()}},
                "is of a scene, and this is a recording, whose motion is asked for");
  checkOutputFile(options.csv, "--csv", std::vector{file});
  const Recording recording(file);
  warnOfRecording(recording, file);
  const Scene scene = readRecordedScene(recording.info());
  World world = buildWorld(scene, makeRegistry());
  requireSameBodies(recording, world, file);
  warnOfSettings(world);
  if (options.actuate) actuateJoints(world);
  RecordedMotion motion(recording, world, file);
  ToldMotion told{.recording = file,
                  .recorded = recording.stepCount(),
                  .tolerance = options.tolerance.value_or(kRecordedTolerance),
                  .motors = motorPlaces(world),
                  .steps = {}};
  bool isInterrupted = false;
  const InterruptGuard interrupt;
  ProgressBar bar(!options.json);
  for (std::int64_t step = 1; step <= told.recorded; step += options.every.value_or(1)) {
    isInterrupted = interrupt.requested();
    if (isInterrupted) break;
    if (bar.due()) {
      bar.draw(static_cast<double>(step) / static_cast<double>(told.recorded),
               fmt::format("step {} of {}", step, told.recorded));
    }
    const std::vector<WantedVelocity> wanted = motion.begin(step);
    const InverseAnswer answer =
        InverseDynamics(world, options.reach.value_or(0)).answer(wanted, kRecordedStill);
    StepForces forces = stepForces(answer, told.motors, world);
    forces.step = step;
    forces.time = motion.endTime();
    told.steps.push_back(std::move(forces));
  }
  bar.clear();
  if (!options.csv.empty()) {
    LineFile csv(options.csv, "--csv");
    for (const std::string& line : motionCsv(told)) csv.writeLine(line);
  }
  fmt::print("{}", options.json ? jsonText(motionJson(told)) : motionText(told));
  if (isInterrupted) return kInterrupted;
  const bool isPossible = told.possible() == std::ssize(told.steps);
  return inverseExitCode(told.unsolved() == 0, isPossible);
}

}  // namespace

Command addInverseCommand(CLI::App& program) {
  auto options = std::make_shared<InverseOptions>();
  CLI::App* app = program.add_subcommand(
      "inverse", "Find the forces of contacts and motors that make a wanted or recorded motion");
  app->add_option("scene", options->simulation.scene,
                  "Scene file, name of a library scene, or recording with a frame of each step")
      ->type_name("SCENE|RECORDING")
      ->transform(notEmpty())
      ->required();
  const auto accelerations = [&](const char* name, std::vector<std::string>& into, const char* help,
                                 const char* form) {
    app->add_option(name, into, help)
        ->type_name(form)
        ->transform(notEmpty())
        ->allow_extra_args(false);
  };
  accelerations("--acceleration", options->wanted.linear,
                "Wanted of the centre of mass of a body [m/s²], repeatable; without it 0",
                "BODY=X,Y,Z");
  accelerations("--spin", options->wanted.angular,
                "Wanted of the turning of a body [rad/s²], repeatable", "BODY=X,Y,Z");
  accelerations("--joint", options->wanted.joints,
                "Wanted along a joint, with all that hangs on it [m/s²], [rad/s²], repeatable",
                "JOINT=A");
  app->add_flag("--actuate", options->actuate,
                "Give each free coordinate of a joint a motor without a cap");
  app->add_option(
         "--reach", options->reach,
         "Gap up to which bodies touch [m]; default: 1e-3 of their median extent, and of a "
         "recording 0")
      ->type_name("M")
      ->transform(realNumber(0, 1e15, "m"));
  app->add_option("--every", options->every, "Of a recording: ask every N-th step")
      ->type_name("N")
      ->transform(wholeNumber(1));
  app->add_option("--tolerance", options->tolerance,
                  fmt::format("Of a recording: acceleration that may lack [m/s²]; default: {}",
                              kRecordedTolerance))
      ->type_name("A")
      ->transform(realNumber(0, 1e15, "m/s²"));
  app->add_option("--csv", options->csv,
                  "Of a recording: write a row per step, with the force of each motor")
      ->type_name("FILE")
      ->transform(notEmpty());
  app->add_option("--set", options->simulation.sets,
                  "Of a scene: change a value first, repeatable; keys as in `run`")
      ->type_name("KEY=VALUE")
      ->transform(notEmpty())
      ->allow_extra_args(false);
  app->add_flag("--json", options->json, "Print one JSON object");
  app->footer(
      "Exit code 0: forces make the motion. 1: none do. 4: undecided.\n\n"
      "Example:\n"
      "  drystone inverse gripper\n"
      "  drystone inverse cart_pole --actuate --joint slide=2\n"
      "  drystone inverse crane --json\n"
      "  drystone run gripper --record gripper.h5\n"
      "  drystone inverse gripper.h5 --every 10 --csv forces.csv\n");
  return {app,
          [options] {
            return isRecording(options->simulation.scene) ? askRecording(*options)
                                                          : askScene(*options);
          },
          "name the scene or recording: a scene file, a name of `drystone list scenes`, or a file "
          "that `drystone run --record` wrote"};
}

}  // namespace drystone::cli
