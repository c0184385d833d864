// Worlds for C: what makes and steps them, and what they tell of a step.

#include "bindings/c/boundary.h"
#include "scenes/scene_builder.h"
#include "scenes/scene_reader.h"

namespace drystone::c {
namespace {

drystone_world_settings defaultSettings() {
  static const WorldSettings defaults;
  drystone_world_settings settings = {.size = sizeof settings,
                                      .timestep = defaults.timestep,
                                      .substeps = defaults.substeps,
                                      .threads = defaults.threads,
                                      .solver = defaults.solver.name.c_str(),
                                      .tolerance = defaults.solver.budget.tolerance};
  put(defaults.gravity, settings.gravity);
  return settings;
}

WorldSettings worldSettingsOf(const drystone_world_settings* handed) {
  if (handed == nullptr) return {};
  const drystone_world_settings from = readStruct(handed, defaultSettings(), "settings");
  WorldSettings settings;
  settings.gravity = vectorOf(from.gravity, "settings: gravity");
  settings.timestep = from.timestep;
  settings.substeps = from.substeps;
  settings.threads = from.threads;
  settings.solver.name = textOf(from.solver, "settings: solver");
  settings.solver.budget.tolerance = from.tolerance;
  return settings;
}

/// Hands a new world to the caller.
void give(drystone_world** world, KeyedWorld keyed) {
  *world = new drystone_world{.keyed = std::move(keyed)};
}

/// Marks a world as in a step while it lives.
class Stepping {
 public:
  explicit Stepping(drystone_world& world) : world_(world) { world_.isStepping = true; }
  Stepping(const Stepping&) = delete;
  Stepping& operator=(const Stepping&) = delete;
  ~Stepping() { world_.isStepping = false; }

 private:
  drystone_world& world_;
};

void writeReport(const StepReport& from, drystone_report* to) {
  const drystone_report report = {.size = sizeof report,
                                  .step = from.step,
                                  .time = from.time,
                                  .natural_map = from.naturalMap,
                                  .penetration = from.maxPenetration,
                                  .joint_error = from.jointError,
                                  .overlap_error = from.overlapError,
                                  .energy_error = from.energyError,
                                  .kinetic_energy = from.energy.kinetic,
                                  .potential_energy = from.energy.potential,
                                  .max_speed = from.maxSpeed,
                                  .step_ms = from.times.step,
                                  .contacts = from.contacts,
                                  .rows = from.rows,
                                  .islands = from.islandCount,
                                  .asleep_bodies = from.asleepBodies,
                                  .iterations = from.iterations,
                                  .fallbacks = from.fallbacks,
                                  .within_tolerance = from.withinTolerance,
                                  .failed = from.failed,
                                  .diverged = from.hasDiverged()};
  writeStruct(report, to, to->size);
}

Real figureOf(const StepReport& report, const std::string& name) {
  for (const StepFigure& figure : kStepFigures) {
    if (name == figure.name) return figure.valueIn(report);
  }
  for (const EnergyFlow& flow : kEnergyFlows) {
    if (name == flow.name) return report.energy.*flow.value;
  }
  std::string names;
  for (const StepFigure& figure : kStepFigures) names += std::string(" ") + figure.name;
  for (const EnergyFlow& flow : kEnergyFlows) names += std::string(" ") + flow.name;
  throw InputError("there is no figure '" + name + "': there are" + names);
}

}  // namespace

void requireIdle(const drystone_world& world, const char* function) {
  if (!world.isStepping) return;
  throw InputError(std::string(function) + ": not from within a callback of a step");
}

extern "C" {

drystone_error drystone_world_defaults(drystone_world_settings* settings, size_t size) {
  return setDefaults(defaultSettings(), settings, size, "settings");
}

drystone_error drystone_world_create(const drystone_world_settings* settings,
                                     drystone_world** world) {
  return guarded([&] {
    given(world, "world");
    give(world, {.world = World(worldSettingsOf(settings), allSolvers())});
  });
}

drystone_error drystone_world_load(const char* scene, const drystone_setting* overrides,
                                   size_t override_count, drystone_world** world) {
  return guarded([&] {
    given(world, "world");
    const SolverRegistry registry = allSolvers();
    SceneReadOptions options{.registry = &registry};
    options.overrides = textsOf<ParameterOverride>(overrides, override_count, "overrides");
    give(world, buildKeyedWorld(readScene(textOf(scene, "scene"), options), registry));
  });
}

drystone_error drystone_world_from_text(const char* json, const char* directory,
                                        drystone_world** world) {
  return guarded([&] {
    given(world, "world");
    const SolverRegistry registry = allSolvers();
    const Scene scene = readSceneText(textOf(json, "json"), "scene", {.registry = &registry},
                                      directory == nullptr ? "" : directory);
    give(world, buildKeyedWorld(scene, registry));
  });
}

drystone_error drystone_world_destroy(drystone_world* world) {
  return guarded([&] {
    if (world == nullptr) return;
    requireIdle(*world, "drystone_world_destroy");
    endRecordings(*world);
    delete world;
  });
}

drystone_error drystone_world_step(drystone_world* world, int steps, drystone_report* report) {
  return guarded([&] {
    const World& stepped = worldOf(world);
    requireIdle(*world, "drystone_world_step");
    if (steps < 0) throw InputError("steps must be at least 0, got " + std::to_string(steps));
    if (report != nullptr) requireSize<drystone_report>(report->size, "report");
    const Stepping stepping(*world);
    for (int i = 0; i < steps; ++i) stepRecorded(*world);
    if (report != nullptr) writeReport(stepped.lastReport(), report);
  });
}

drystone_error drystone_world_report(drystone_world* world, drystone_report* report) {
  return guarded([&] {
    requireSize<drystone_report>(given(report, "report").size, "report");
    writeReport(worldOf(world).lastReport(), report);
  });
}

drystone_error drystone_world_figure(drystone_world* world, const char* name, double* value) {
  return guarded([&] {
    const StepReport& report = worldOf(world).lastReport();
    given(value, "value") = figureOf(report, textOf(name, "name"));
  });
}

drystone_error drystone_world_time(drystone_world* world, double* time) {
  return guarded([&] { given(time, "time") = worldOf(world).time(); });
}

drystone_error drystone_world_timestep(drystone_world* world, double* timestep) {
  return guarded([&] { given(timestep, "timestep") = worldOf(world).settings().timestep; });
}

drystone_error drystone_world_set_timestep(drystone_world* world, double timestep) {
  return guarded([&] { worldOf(world).setTimestep(timestep); });
}

drystone_error drystone_world_gravity(drystone_world* world, double gravity[3]) {
  return guarded([&] { put(worldOf(world).settings().gravity, &given(gravity, "gravity")); });
}

drystone_error drystone_world_set_gravity(drystone_world* world, const double gravity[3]) {
  return guarded([&] { worldOf(world).setGravity(vectorOf(gravity, "gravity")); });
}

drystone_error drystone_world_threads(drystone_world* world, int* threads) {
  return guarded([&] { given(threads, "threads") = worldOf(world).settings().threads; });
}

drystone_error drystone_world_set_threads(drystone_world* world, int threads) {
  return guarded([&] { worldOf(world).setThreads(threads); });
}

drystone_error drystone_world_set_solver(drystone_world* world, const char* name,
                                         double tolerance) {
  return guarded([&] {
    SolverChoice choice = worldOf(world).settings().solver;
    const std::string solver = textOf(name, "name");
    if (choice.name != solver) choice.settings.clear();  // those of the other one
    choice.name = solver;
    choice.budget.tolerance = tolerance;
    worldOf(world).setSolver(choice);
  });
}

}  // extern "C"

}  // namespace drystone::c
