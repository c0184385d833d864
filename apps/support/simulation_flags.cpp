#include "apps/support/simulation_flags.h"

#include "apps/support/option_checks.h"

namespace drystone::cli {

void addSceneOptions(CLI::App& app, SimulationOptions& options) {
  app.add_option("--solver", options.solver, "Contact solver (`drystone list solvers`)")
      ->type_name("NAME")
      ->transform(notEmpty());
  app.add_flag("--fallback", options.fallback,
               "Where the solver needs a device that is not here, run its CPU twin");
  app.add_option(
         "--set", options.sets,
         "Change a value, repeatable: a setting of the solver (tolerance=1e-8), a parameter "
         "of the scene (scene.NAME=2), a place in the scene file (world.timestep=0.001)")
      ->type_name("KEY=VALUE")
      ->transform(notEmpty())
      ->allow_extra_args(false);
  app.add_option("--friction", options.friction,
                 "Friction model: none, box, pyramid, diamond, cone or contensou")
      ->type_name("MODEL")
      ->transform(notEmpty());
  app.add_option("--integrator", options.integrator, "semi_implicit_euler or moreau")
      ->type_name("NAME")
      ->transform(notEmpty());
  app.add_option("--dt", options.timestep, "Timestep [s]")
      ->type_name("S")
      ->transform(realNumber(kLeastTime, kLongestTimestep, "s"));
  app.add_option("--threads", options.threads, "Threads; the result does not depend on them")
      ->type_name("N")
      ->transform(wholeNumber(1, kMostThreads));
  app.add_option("--seed", options.seed, "Seed of the scene's random fill")
      ->type_name("N")
      ->transform(wholeNumber(0));
}

}  // namespace drystone::cli
