// How exactly whole simulations are solved, and whether what must stand stands: the first tables
// of docs/results/accuracy.md and docs/results/auto.md. One row a (scene, solver); drift of all
// dynamic bodies.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "apps/support/command_line.h"
#include "apps/support/option_checks.h"
#include "apps/support/program.h"
#include "bench/studies/measure.h"
#include "bench/studies/study.h"
#include "bench/studies/study_program.h"
#include "scenes/scene_builder.h"
#include "scenes/scene_library.h"
#include "solvers/default_registry.h"

namespace {

using namespace drystone;
using namespace drystone::bench;

struct Case {
  std::string scene, solver;
  int steps;
  std::vector<std::string> settings, overrides;
};

const std::vector<Case> kCases = {
    {"stack_20", "bpp-auto", 600, {}, {}},
    {"stack_40", "bpp-auto", 600, {}, {}},
    {"card_house", "bpp-auto", 600, {}, {}},
    {"arch", "bpp-auto", 600, {}, {}},
    {"heavy_on_light", "bpp-auto", 300, {}, {"scene.ratio=10000"}},
    {"heavy_on_light", "bpp-auto", 300, {}, {"scene.ratio=1000000"}},
    {"slope_stick", "bpp-auto", 600, {}, {}},
    {"slope_stick", "nsgs", 600, {}, {"solver.tolerance=1e-9"}},
    {"stack_20", "nsgs", 600, {}, {}},
    {"card_house", "nsgs", 600, {}, {}},
    {"arch", "nsgs", 600, {}, {}},
    {"brick_wall_20x20", "bpp-auto", 300, {}, {}},
    {"brick_wall_20x20", "sor-prox", 300, {"max_iterations=50", "check_every=1000"}, {}},
    {"brick_wall_20x20",
     "sor-prox",
     300,
     {"max_iterations=50", "check_every=1000"},
     {"world.stabilization.compliance=1e-4", "world.stabilization.gamma=0.05"}},
    {"brick_wall_20x20",
     "sor-prox",
     300,
     {"max_iterations=50", "check_every=1000"},
     {"world.stabilization.compliance=3e-4", "world.stabilization.gamma=0.1"}},
};

/// Whether every step of a scene of the library is met, as `drystone run SCENE` has it.
struct LibraryRun {
  int steps = 0;
  int solves = 0, joints = 0, overlaps = 0;  ///< steps that missed this tolerance
  Real naturalMap = 0, jointError = 0;       ///< largest [m/s], [m]
  std::vector<Real> solveMs;                 ///< per step
  bool isWhole = true;                       ///< ended by itself, not by the clock
};

LibraryRun runWhole(const Scene& scene, const SolverRegistry& registry, Real limit) {
  World world = buildWorld(scene, registry);
  const Timer timer;
  LibraryRun run;
  while (run.steps < scene.stepCount()) {
    const StepReport& report = world.step();
    ++run.steps;
    run.solves += report.solvesWithin ? 0 : 1;
    run.joints += report.jointsWithin() ? 0 : 1;
    run.overlaps += report.overlapsWithin() ? 0 : 1;
    run.naturalMap = std::max(run.naturalMap, report.naturalMap);
    run.jointError = std::max(run.jointError, report.jointError);
    run.solveMs.push_back(report.times.solve);
    if (timer.milliseconds() > 1e3 * limit) {
      run.isWhole = run.steps == scene.stepCount();
      break;
    }
  }
  return run;
}

/// The table of the library: all scenes by their own settings, or with the exact cone.
void printLibrary(const std::string& only, bool cone, Real limit) {
  const SolverRegistry registry = makeDefaultRegistry();
  fmt::print(
      "| scene | solver | friction | steps | solves missed | joints | overlaps | max m/s | joint "
      "error m | mean ms | max ms |\n|---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|\n");
  for (const std::string& name : librarySceneNames()) {
    if (name.find(only) == std::string::npos) continue;
    Scene scene = sceneWith(name, "");
    if (cone) scene.settings.friction = FrictionModel::kCone;
    const LibraryRun run = runWhole(scene, registry, limit);
    printRow("| {} | {} | {} | {}{} | {} | {} | {} | {:.1e} | {:.1e} | {:.3g} | {:.3g} |\n", name,
             scene.settings.solver.name, frictionModelName(scene.settings.friction), run.steps,
             run.isWhole ? "" : fmt::format(" of {}", scene.stepCount()), run.solves, run.joints,
             run.overlaps, run.naturalMap, run.jointError, mean(run.solveMs), largest(run.solveMs));
  }
}

}  // namespace

int main(int argc, char** argv) {
  StudyApp app("exactness");
  std::string only;
  bool library = false, cone = false;
  Real limit = 600;
  app.add_option("--only", only, "run the scenes whose name contains this");
  app.add_flag("--library", library, "all scenes of the library over their whole duration");
  app.add_flag("--cone", cone, "with --library: the exact cone, whatever the scenes say");
  app.add_option("--limit", limit, "with --library: wall clock of a scene at most [s]")
      ->transform(cli::positiveNumber("s"));
  return runStudy(app, argc, argv, [&] {
    if (library) {
      printLibrary(only, cone, limit);
      return 0;
    }
    std::vector<Case> cases = kCases;
    std::erase_if(cases,
                  [&](const Case& test) { return test.scene.find(only) == std::string::npos; });
    if (cases.empty()) {
      std::vector<std::string> scenes;
      for (const Case& test : kCases) {
        const bool isNew = std::find(scenes.begin(), scenes.end(), test.scene) == scenes.end();
        if (isNew) scenes.push_back(test.scene);
      }
      throw cli::UsageError(fmt::format("--only {}: no scene of the table has this in its name: {}",
                                        only, cli::joined(scenes)));
    }
    const SolverRegistry registry = makeDefaultRegistry();
    fmt::print(
        "| scene | solver | steps | contacts | ≤ 1e-8 m/s | ≤ 1e-6 | ≤ 1e-5 | median m/s | max m/s "
        "| "
        "drift m | sink m | creep m/s | ms a step "
        "|\n|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
    for (const Case& test : cases) {
      const Scene scene = sceneWith(test.scene, test.solver, test.settings, test.overrides);
      const RunFigures figures = run(scene, registry, test.steps);
      std::string label = test.scene;
      for (const std::string& change : test.overrides) label += " " + change;
      std::string solver = test.solver;
      for (const std::string& setting : test.settings) solver += " " + setting;
      const auto share = [&](Real bound) { return 100 * shareAtMost(figures.naturalMap, bound); };
      fmt::print(
          "| {} | {} | {} | {} | {:.1f} % | {:.1f} % | {:.1f} % | {:.1e} | {:.1e} | {:.1e} | "
          "{:.1e} | {:.1e} | {:.2f} |\n",
          label, solver, test.steps, figures.contactsMax, share(1e-8), share(1e-6), share(1e-5),
          median(figures.naturalMap),
          *std::max_element(figures.naturalMap.begin(), figures.naturalMap.end()), figures.driftMax,
          figures.sinkMax, figures.creep, median(figures.stepMs));
      std::fflush(stdout);
    }
    return 0;
  });
}
