#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/commands.h"
#include "apps/derive/derivation.h"
#include "apps/derive/derive_output.h"
#include "apps/support/log.h"
#include "apps/support/option_checks.h"
#include "apps/support/program.h"
#include "apps/support/run_setup.h"
#include "apps/support/solver_registry.h"
#include "engine/world/world.h"
#include "scenes/scene_builder.h"

namespace drystone::cli {
namespace {

constexpr Real kSolveTolerance = 1e-12;  // [m/s]
constexpr std::int64_t kMostDerivedSteps = 1'000'000;

struct DeriveOptions {
  SimulationOptions simulation;
  std::vector<std::string> of, by;
  std::int64_t steps = 1;
  std::optional<Real> tolerance;
  bool json = false;
};

int deriveScene(const DeriveOptions& options) {
  const SolverRegistry registry = makeRegistry();
  const SimulationOptions& simulation = options.simulation;
  ReadyScene scene = setUpScene(findScene(simulation, registry), simulation, registry);
  WorldSettings& settings = scene.settings;
  settings.solver.budget.tolerance = std::min(settings.solver.budget.tolerance, kSolveTolerance);
  if (settings.sleeping.enabled) {
    logWarning("sleep has no derivative: it is off here, and bodies at rest stay awake");
    settings.sleeping.enabled = false;
  }
  ToldDerivatives told{.scene = simulation.scene,
                       .steps = static_cast<int>(options.steps),
                       .timestep = settings.timestep,
                       .derivatives = {}};
  const World world = buildWorld(scene, registry);
  logWarnings(scene.warnings);
  std::vector<DerivedQuantity> quantities;
  std::vector<DerivedParameter> parameters;
  for (const std::string& of : options.of) quantities.push_back(quantityOf(of, world));
  for (const std::string& by : options.by) parameters.push_back(parameterOf(by, scene, world));
  const InterruptGuard interrupt;
  told.derivatives = derive(scene, registry, told.steps, quantities, parameters,
                            [&] { return interrupt.requested(); });
  fmt::print("{}", options.json ? jsonText(derivativesJson(told)) : derivativesText(told));
  if (interrupt.requested()) return kInterrupted;
  const auto isOff = [&](const Derived& one) { return !(one.error <= *options.tolerance); };
  const bool isRefuted = options.tolerance && std::ranges::any_of(told.derivatives, isOff);
  return isRefuted ? kCheckFailed : kDone;
}

}  // namespace

Command addDeriveCommand(CLI::App& program) {
  auto options = std::make_shared<DeriveOptions>();
  CLI::App* app = program.add_subcommand(
      "derive", "Exact derivatives of a scene after some steps, beside differences of runs");
  app->add_option("scene", options->simulation.scene, "Scene file, or name of a library scene")
      ->type_name("SCENE")
      ->transform(notEmpty())
      ->required();
  app->add_option("--of", options->of,
                  "What is differentiated at the end, repeatable: bodies.NAME. and one of x, y, z, "
                  "vx, vy, vz, wx, wy, wz, of the centre of mass")
      ->type_name("QUANTITY")
      ->transform(notEmpty())
      ->allow_extra_args(false)
      ->required();
  app->add_option("--by", options->by,
                  "By what, repeatable: materials.NAME.friction, bodies.NAME.mass, bodies.NAME. "
                  "and one of x to wz at the start or fx to tz in each step, world.gravity.x, y, z")
      ->type_name("PARAMETER")
      ->transform(notEmpty())
      ->allow_extra_args(false)
      ->required();
  app->add_option("--steps", options->steps, "Steps to differentiate; default 1")
      ->type_name("N")
      ->transform(wholeNumber(1, kMostDerivedSteps));
  app->add_option("--tolerance", options->tolerance,
                  "Exit with 1 where derivative and difference are apart by more, relative")
      ->type_name("E")
      ->transform(realNumber(0, 1, ""));
  app->add_option("--set", options->simulation.sets,
                  "Change a value first, repeatable; keys as in `run`")
      ->type_name("KEY=VALUE")
      ->transform(notEmpty())
      ->allow_extra_args(false);
  app->add_flag("--json", options->json, "Print one JSON object");
  app->footer(
      "Exit code 0: done. 1: an error is above --tolerance. 3: a step has no derivative.\n\n"
      "Example:\n"
      "  drystone derive cart_pole --of bodies.cart.x --by bodies.cart.mass --steps 20\n"
      "  drystone derive my_scene.json --of bodies.box.x --by materials.wood.friction --json\n");
  return {app, [options] { return deriveScene(*options); },
          "name the scene to differentiate: a scene file, or a name of `drystone list scenes`"};
}

}  // namespace drystone::cli
