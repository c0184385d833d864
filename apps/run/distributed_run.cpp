#include "apps/run/distributed_run.h"

#include <fmt/format.h>

#include <exception>
#include <memory>
#include <optional>

#include "apps/run/distributed_output.h"
#include "apps/run/distributed_record.h"
#include "apps/support/command_line.h"
#include "apps/support/log.h"
#include "apps/support/program.h"
#include "apps/support/progress.h"
#include "apps/support/solver_registry.h"
#include "core/hash.h"
#include "core/input_error.h"
#include "core/timer.h"
#include "core/wording.h"
#include "distributed/distributed_world.h"
#include "distributed/processes.h"
#include "scenes/scene_builder.h"

namespace drystone::cli {
namespace {

/// What all processes sent for the files and hashes.
Traffic gatheredByAll(const DistributedWorld& world, Processes& processes) {
  Real sums[] = {static_cast<Real>(world.gathered().messages),
                 static_cast<Real>(world.gathered().bytes)};
  std::vector<Real> scratch;
  addUp(processes, sums, scratch);
  return {static_cast<std::int64_t>(sums[0]), static_cast<std::int64_t>(sums[1])};
}

/// Has the first process write the state of all. Unless the run is at its end, all go on from that
/// state, as a run that restores it does: both have the same bits.
void saveState(const DistributedRunOptions& options, const ReadyScene& scene,
               const SolverRegistry& registry, bool isLast, Processes& processes,
               DistributedRecord& record, std::optional<DistributedWorld>& world) {
  World whole = buildWorld(scene, registry);
  world->gatherInto(whole);
  if (processes.rank() == 0) saveToFile(options.states, whole);
  if (isLast) return;
  record.output += gatheredByAll(*world, processes);
  world.emplace(std::move(whole), registry, processes);
}

int simulateOnProcesses(const DistributedRunOptions& options, const ReadyScene& scene,
                        const SolverRegistry& registry, std::int64_t steps,
                        std::optional<DistributedWorld>& shared, DistributedOutput& output,
                        Processes& processes) {
  const bool isFirst = processes.rank() == 0;
  DistributedRecord record;
  ProgressBar bar(isFirst && !options.quiet);
  const Timer timer;
  bool isLast = false;
  while (!isLast) {
    const StepReport& report = shared->step();
    record.add(report, shared->figures());
    isLast = record.steps == steps || report.failed;
    output.addStep(record.steps, isLast, *shared);
    if (bar.due()) {
      bar.draw(static_cast<double>(record.steps) / static_cast<double>(steps),
               fmt::format("t {:.2f} s  residual {:.1e} m/s", report.time, report.naturalMap));
    }
    if (options.states.isDue(record.steps, isLast)) {
      saveState(options, scene, registry, isLast, processes, record, shared);
    }
  }
  DistributedWorld& world = *shared;
  output.finish();
  record.seconds = timer.milliseconds() / 1e3;
  record.output += gatheredByAll(world, processes);
  const std::uint64_t hash = options.hash || options.json ? world.hash() : 0;
  if (isFirst) {
    if (options.json) {
      fmt::print("{}", distributedJson(scene, processes.count(), world, record, hash));
    } else {
      if (!options.quiet) {
        fmt::print("{}", distributedReport(scene, processes.count(), world, record));
      }
      if (options.hash) fmt::print("{}{}\n", options.quiet ? "" : "Hash         ", hashText(hash));
    }
  }
  const StepReport& last = world.lastReport();
  if (last.failed) {
    if (isFirst) {
      logError(
          last.hasDiverged()
              ? fmt::format("step {}: body '{}' would leave all bounds: take a smaller timestep",
                            last.step, world.nameOf(last.diverged.index))
              : fmt::format("step {} missed a tolerance under the policy stop", last.step));
    }
    return kSolverFailure;
  }
  if (options.strict && record.missed + record.stepsForgiven > 0) {
    if (isFirst) {
      logError(fmt::format("--strict: of {} {} missed a tolerance, and {} had an overlap forgiven",
                           counted(record.steps, "step"), record.missed, record.stepsForgiven));
    }
    return kSolverFailure;
  }
  return kDone;
}

}  // namespace

bool isLaunchedWithOthers() { return launchedProcesses() > 1; }

int runOnProcesses(const DistributedRunOptions& options) {
  if (!hasMpi()) {
    throw NoDeviceError(
        fmt::format("run: {} processes were started together, but this drystone was built without "
                    "MPI: install it, configure with -DDRYSTONE_MPI=ON and build again",
                    launchedProcesses()));
  }
  const std::unique_ptr<Processes> processes = joinMpi();
  setUpLog(options.quiet || processes->rank() != 0);
  const SolverRegistry registry = makeRegistry();
  SceneSource source;
  std::optional<ReadyScene> scene;
  std::optional<DistributedWorld> world;
  std::optional<DistributedOutput> output;
  std::int64_t steps = 0;
  const bool isReady = doOnAll(*processes, kInvalidInput, [&] {
    if (!options.refused.empty()) {
      throw UsageError(
          fmt::format("run on several processes: without {}", joined(options.refused)));
    }
    source = findScene(options.simulation, registry);
    scene = setUpScene(source, options.simulation, registry);
    steps = stepsToDo(options.simulation, *scene);
    if (processes->rank() == 0) DistributedOutput::check(options, *scene);
    World whole = buildWorld(*scene, registry);
    restoreFromFile(options.simulation.restore, whole);
    world.emplace(std::move(whole), registry, *processes);
  });
  // The first process says what is wrong; a launcher ends all at the first code that is not 0.
  if (!isReady) return kDone;
  const bool isOpen = doOnAll(*processes, kInvalidInput, [&] {
    output.emplace(options, source, *scene, registry, *processes, *world);
  });
  if (!isOpen) return kDone;
  if (processes->rank() == 0) logWarnings(sceneWarnings(*scene, registry));
  try {
    const int code =
        simulateOnProcesses(options, *scene, registry, steps, world, *output, *processes);
    return processes->rank() == 0 ? code : kDone;
  } catch (const std::exception& error) {
    processes->abort(error.what(), kInternalError);
  }
  return kInternalError;
}

}  // namespace drystone::cli
