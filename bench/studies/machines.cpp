// The scenes of the literature over their whole duration: how large they are beside what was
// published, how exactly they were solved, and whether they kept together. The table "Machines" of
// docs/results/machines.md, one row a scene.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "apps/support/option_checks.h"
#include "apps/support/run_setup.h"
#include "bench/studies/measure.h"
#include "bench/studies/study.h"
#include "bench/studies/study_program.h"
#include "scenes/scene_builder.h"
#include "solvers/default_registry.h"

namespace {

using namespace drystone;
using namespace drystone::bench;

struct Case {
  std::string scene;
  int publishedRows = 0;    ///< 0: none
  Real publishedRatio = 0;  ///< 0: none
};

// Ho 2022, table 6.1; Lefebvre 2020, table 2.2.
const std::vector<Case> kCases = {
    {"boxes", 12000},
    {"wall", 1006, 4},
    {"spinner", 2920, 25000},
    {"tower", 1300, 50},
    {"chain_rod", 1480, 2000},
    {"trucks", 5650, 8000},
    {"rocks", 1800, 250},
    {"crane", 430, 6300},
    {"winch", 370, 400},
    {"vehicle", 260, 20000},
    {"offshore", 350, 4400000},
    {"forklift", 300, 2700},
    {"forwarder", 250, 6500},
    {"cylinders"},
    {"newtons_cradle"},
    {"breakable_bridge"},
    {"conveyor"},
    {"gripper"},
    {"domino_run"},
    {"joint_grid"},
    {"rope_500"},
};

/// What one run shows.
struct MachineFigures {
  int bodies = 0;  ///< dynamic
  int joints = 0;  ///< at the start
  Real massRatio = 0;
  std::int64_t steps = 0, missed = 0;  ///< steps whose natural map exceeded the tolerance
  int rows = 0;                        ///< most of a step
  Real drift = 0;                      ///< worst joint [m]
  Real overlap = 0;                    ///< deepest [m]
  Real speed = 0;                      ///< fastest centre of mass [m/s]
  Real ledgerError = 0;                ///< largest [J]
  std::vector<Real> naturalMap, stepMs;
};

void countBodies(const World& world, MachineFigures& figures) {
  Real lightest = kInfinity, heaviest = 0;
  for (const BodyId body : world.bodies()) {
    if (world.body(body).kind() != BodyKind::kDynamic) continue;
    ++figures.bodies;
    lightest = std::min(lightest, world.body(body).mass());
    heaviest = std::max(heaviest, world.body(body).mass());
  }
  figures.joints = static_cast<int>(world.joints().size());
  figures.massRatio = heaviest / lightest;
}

void showProgress(const std::string& name, const MachineFigures& figures, std::int64_t steps) {
  if (isatty(STDERR_FILENO) == 0) return;
  constexpr std::int64_t kMarks = 20;  // a run
  if (figures.steps % std::max<std::int64_t>(steps / kMarks, 1) != 0 && figures.steps != steps)
    return;
  fmt::print(stderr, "\r{}: step {} of {}, {} missed  ", name, figures.steps, steps,
             figures.missed);
  if (figures.steps == steps) fmt::print(stderr, "\n");
}

MachineFigures measure(const Scene& scene, const SolverRegistry& registry, std::int64_t steps) {
  World world = buildWorld(scene, registry);
  MachineFigures figures;
  countBodies(world, figures);
  while (figures.steps < steps) {
    const StepReport& report = world.step();
    ++figures.steps;
    figures.missed += report.solvesWithin ? 0 : 1;
    figures.rows = std::max(figures.rows, report.rows);
    figures.drift = std::max(figures.drift, report.maxJointDrift);
    figures.overlap = std::max(figures.overlap, report.maxPenetration);
    figures.speed = std::max(figures.speed, report.maxSpeed);
    figures.ledgerError = std::max(figures.ledgerError, std::abs(report.energy.ledgerError));
    figures.naturalMap.push_back(report.naturalMap);
    figures.stepMs.push_back(report.times.step);
    showProgress(scene.name, figures, steps);
  }
  return figures;
}

std::string dashUnless(Real value) { return value > 0 ? fmt::format("{:.6g}", value) : "–"; }

void printRow(const Case& test, const MachineFigures& figures) {
  fmt::print(
      "| {} | {} | {} | {:.6g} | {} | {} | {} | {:.1e} | {:.1e} | {} of {} | {:.1e} | {:.1e} | "
      "{:.3g} | {:.1e} | {:.2f} | {:.2f} |\n",
      test.scene, figures.bodies, figures.joints, figures.massRatio,
      dashUnless(test.publishedRatio), figures.rows, dashUnless(test.publishedRows),
      *std::max_element(figures.naturalMap.begin(), figures.naturalMap.end()),
      median(figures.naturalMap), figures.missed, figures.steps, figures.drift, figures.overlap,
      figures.speed, figures.ledgerError, mean(figures.stepMs), median(figures.stepMs));
  std::fflush(stdout);
}

std::vector<Case> chosen(const std::vector<std::string>& names) {
  if (names.empty()) return kCases;
  std::vector<Case> cases;
  for (const std::string& name : names) {
    const auto known = std::find_if(kCases.begin(), kCases.end(),
                                    [&](const Case& test) { return test.scene == name; });
    cases.push_back(known != kCases.end() ? *known : Case{name});
  }
  return cases;
}

}  // namespace

int main(int argc, char** argv) {
  StudyApp app("machines");
  std::vector<std::string> names, sets;
  std::string solver;
  cli::SimulationOptions duration;
  app.addWords("scene", names, "SCENE", "scenes to run; all of the table unless given");
  app.add_option("--seconds", duration.time, "simulated time in place of the scenes' own [s]")
      ->transform(cli::positiveNumber("s"));
  app.add_option("--solver", solver, "in place of the scenes' own, as in `drystone run`");
  app.addRepeatable("--set", sets, "KEY=VALUE", "for all scenes, as in `drystone run`");
  return runStudy(app, argc, argv, [&] {
    const SolverRegistry registry = makeDefaultRegistry();
    const std::vector<Case> cases = chosen(names);
    std::vector<Scene> scenes;
    // All are read before the first is run: a wrong name shows at once.
    std::vector<std::int64_t> steps;
    for (const Case& test : cases) {
      scenes.push_back(sceneAsRun(test.scene, sets, solver));
      steps.push_back(cli::stepsToDo(duration, scenes.back()));
    }
    fmt::print(
        "| scene | bodies | joints | mass ratio | published | rows max | published | map max m/s | "
        "median m/s | missed | joint drift m | overlap m | speed m/s | ledger J | ms a step, mean "
        "| "
        "median "
        "|\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
    for (std::size_t i = 0; i < cases.size(); ++i) {
      printRow(cases[i], measure(scenes[i], registry, steps[i]));
    }
    return 0;
  });
}
