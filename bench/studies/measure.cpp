#include "bench/studies/measure.h"

#include <algorithm>

#include "apps/support/run_setup.h"
#include "scenes/scene_builder.h"
#include "solvers/default_registry.h"

namespace drystone::bench {

Real median(std::vector<Real> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

Real shareAtMost(std::span<const Real> values, Real bound) {
  if (values.empty()) return 0;
  const auto below =
      std::count_if(values.begin(), values.end(), [&](Real value) { return value <= bound; });
  return static_cast<Real>(below) / static_cast<Real>(values.size());
}

Scene sceneWith(const std::string& name, const std::string& solver,
                const std::vector<std::string>& settings,
                const std::vector<std::string>& overrides) {
  SceneReadOptions options;
  for (const std::string& change : overrides) {
    const std::size_t equals = change.find('=');
    options.overrides.push_back({change.substr(0, equals), change.substr(equals + 1)});
  }
  Scene scene = readScene(name, options);
  if (!solver.empty()) {
    scene.settings.solver.name = solver;
    scene.settings.solver.settings.clear();
    scene.settings.solver.budget.iterations.reset();
    scene.settings.solver.fallback.clear();
  }
  for (const std::string& setting : settings) {
    const std::size_t equals = setting.find('=');
    SolverChoice& choice = scene.settings.solver;
    const std::string key = setting.substr(0, equals), value = setting.substr(equals + 1);
    if (!applySetting(choice.budget, key, value)) choice.settings.push_back({key, value});
  }
  return scene;
}

Scene sceneAsRun(const std::string& name, const std::vector<std::string>& sets,
                 const std::string& solver) {
  const SolverRegistry registry = makeDefaultRegistry();
  cli::SimulationOptions options;
  options.scene = name;
  options.solver = solver;
  options.sets = sets;
  return cli::setUpScene(cli::findScene(options, registry), options, registry);
}

RunFigures run(const Scene& scene, const SolverRegistry& registry, int steps) {
  World world = buildWorld(scene, registry);
  std::vector<BodyId> dynamic;
  for (const BodyId body : world.bodies()) {
    if (world.body(body).kind() == BodyKind::kDynamic) dynamic.push_back(body);
  }
  std::vector<Vec3> start, half;
  for (const BodyId body : dynamic) start.push_back(world.body(body).centerOfMass());
  RunFigures figures;
  figures.steps = steps;
  for (int step = 0; step < steps; ++step) {
    const StepReport& report = world.step();
    figures.contactsMax = std::max(figures.contactsMax, report.contacts);
    figures.naturalMap.push_back(report.naturalMap);
    figures.stepMs.push_back(report.times.step);
    figures.ledgerError = std::max(figures.ledgerError, std::abs(report.energy.ledgerError));
    figures.driftEnd = 0;
    for (std::size_t i = 0; i < dynamic.size(); ++i) {
      const Vec3 moved = world.body(dynamic[i]).centerOfMass() - start[i];
      figures.driftEnd = std::max(figures.driftEnd, moved.norm());
      figures.sinkMax = std::max(figures.sinkMax, -moved.z());
    }
    figures.driftMax = std::max(figures.driftMax, figures.driftEnd);
    if (step + 1 == steps / 2) {
      for (const BodyId body : dynamic) half.push_back(world.body(body).centerOfMass());
    }
  }
  const Real lateTime = world.settings().timestep * (steps - steps / 2);
  for (std::size_t i = 0; i < half.size(); ++i) {
    figures.creep = std::max(figures.creep,
                             (world.body(dynamic[i]).centerOfMass() - half[i]).norm() / lateTime);
  }
  return figures;
}

}  // namespace drystone::bench
