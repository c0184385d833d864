#include "apps/run/distributed_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <functional>
#include <memory>
#include <optional>

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

/// What the steps of a run add up to.
struct DistributedRecord {
  std::int64_t steps = 0, missed = 0, solvesMissed = 0, jointsMissed = 0, overlapsMissed = 0;
  std::int64_t migrated = 0, rebalanced = 0, sharedIterations = 0;
  Real naturalMap = 0, overlap = 0, ledgerError = 0, kineticStart = 0, work = 0;
  Traffic traffic;

  void add(const StepReport& report, const DistributedFigures& figures) {
    if (++steps == 1) kineticStart = report.energy.kineticBefore;
    missed += report.withinTolerance ? 0 : 1;
    solvesMissed += report.solvesWithin ? 0 : 1;
    jointsMissed += report.jointsWithin() ? 0 : 1;
    overlapsMissed += report.overlapsWithin() ? 0 : 1;
    naturalMap = std::max(naturalMap, report.naturalMap);
    overlap = std::max(overlap, report.overlapError);
    ledgerError = std::max(ledgerError, std::abs(report.energy.ledgerError));
    for (const EnergyFlow& flow : kEnergyFlows) work += report.energy.*flow.value;
    migrated += figures.migrated;
    rebalanced += figures.isRebalanced ? 1 : 0;
    sharedIterations += figures.sharedIterations;
    traffic.messages += figures.traffic.messages;
    traffic.bytes += figures.traffic.bytes;
  }
};

std::string summary(const ReadyScene& scene, const Processes& processes,
                    const DistributedWorld& world, const DistributedRecord& record,
                    double seconds) {
  const StepReport& last = world.lastReport();
  const DistributedFigures& figures = world.figures();
  const double steps = static_cast<double>(std::max<std::int64_t>(record.steps, 1));
  std::string text;
  const auto line = [&](const char* name, const std::string& value) {
    text += fmt::format("{:<13}{}\n", name, value);
  };
  line("Scene", fmt::format("{}, {} bodies, {} joints, dt {:.6g} s", scene.name, last.bodies,
                            last.joints, scene.settings.timestep));
  line("Processes",
       fmt::format("{}, with {} to {} moving bodies; {} ghosts at the end", processes.count(),
                   figures.ownBodiesLeast, figures.ownBodiesMost, figures.ghosts));
  line("Run", fmt::format("{}, {:.4g} s simulated in {:.3g} s: {:.4g} steps/s",
                          counted(record.steps, "step"), last.time, seconds,
                          static_cast<double>(record.steps) / seconds));
  line("Solver",
       fmt::format("{} within a process, apgd over several: {:.4g} iterations a step, {} "
                   "rows in the last",
                   scene.settings.solver.name, static_cast<double>(record.sharedIterations) / steps,
                   figures.sharedRows));
  line("Contacts", fmt::format("{} in the last step, {} rows", last.contacts, last.rows));
  line("Residual", fmt::format("natural map {:.3g} m/s at most; tolerance {:.3g} m/s",
                               record.naturalMap, scene.settings.solver.budget.tolerance));
  line("Overlap",
       fmt::format("{:.3g} m at most; tolerance {:.3g} m", record.overlap, last.overlapTolerance));
  line("Missed",
       fmt::format("{} (residual {}, joints {}, overlap {})", counted(record.missed, "step"),
                   record.solvesMissed, record.jointsMissed, record.overlapsMissed));
  line("Energy", fmt::format("kinetic {:.6g} J at the start, {:.6g} J at the end; the ledger of a "
                             "step closes to {:.2g} J",
                             record.kineticStart, last.energy.kinetic, record.ledgerError));
  line("Traffic", fmt::format("{:.4g} messages and {:.4g} kB a step; {} changed the process, {} of "
                              "space",
                              static_cast<double>(record.traffic.messages) / steps,
                              static_cast<double>(record.traffic.bytes) / steps / 1e3,
                              counted(record.migrated, "body", "bodies"),
                              counted(record.rebalanced, "new bisection")));
  return text;
}

int simulateOnProcesses(const DistributedRunOptions& options, const ReadyScene& scene,
                        std::int64_t steps, DistributedWorld& world, Processes& processes) {
  const bool isFirst = processes.rank() == 0;
  DistributedRecord record;
  ProgressBar bar(isFirst && !options.quiet);
  const Timer timer;
  while (record.steps < steps && !world.lastReport().failed) {
    record.add(world.step(), world.figures());
    if (bar.due()) {
      bar.draw(static_cast<double>(record.steps) / static_cast<double>(steps),
               fmt::format("t {:.2f} s  residual {:.1e} m/s", world.lastReport().time,
                           world.lastReport().naturalMap));
    }
  }
  const double seconds = timer.milliseconds() / 1e3;
  const std::uint64_t hash = options.hash ? world.hash() : 0;
  if (isFirst) {
    if (!options.quiet) fmt::print("{}", summary(scene, processes, world, record, seconds));
    if (options.hash) fmt::print("{}{}\n", options.quiet ? "" : "Hash         ", hashText(hash));
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
  if (options.strict && record.missed > 0) {
    if (isFirst) {
      logError(fmt::format("--strict: {} of {} missed a tolerance", record.missed,
                           counted(record.steps, "step")));
    }
    return kSolverFailure;
  }
  return kDone;
}

/// Runs what every process does for itself, and waits for the others. Where it throws on all, the
/// first process throws it on and the others return false; where on some, these end all.
bool runAlike(Processes& processes, const std::function<void()>& work) {
  std::exception_ptr thrown;
  std::string message;
  try {
    work();
  } catch (const std::exception& error) {
    thrown = std::current_exception();
    message = error.what();
  }
  Real failed = thrown ? 1 : 0;
  std::vector<Real> scratch;
  addUp(processes, {&failed, 1}, scratch);
  if (failed == 0) return true;
  const bool areAll = failed == static_cast<Real>(processes.count());
  if (thrown && !areAll) processes.abort(message, kInvalidInput);
  if (thrown && processes.rank() == 0) std::rethrow_exception(thrown);
  return false;
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
  std::optional<ReadyScene> scene;
  std::optional<DistributedWorld> world;
  std::int64_t steps = 0;
  const bool isReady = runAlike(*processes, [&] {
    if (!options.refused.empty()) {
      throw UsageError(
          fmt::format("run on several processes: without {}", joined(options.refused)));
    }
    scene = setUpScene(findScene(options.simulation, registry), options.simulation, registry);
    steps = stepsToDo(options.simulation, *scene);
    world.emplace(buildWorld(*scene, registry), registry, *processes);
  });
  // The first process says what is wrong; a launcher ends all at the first code that is not 0.
  if (!isReady) return kDone;
  if (processes->rank() == 0) logWarnings(sceneWarnings(*scene, registry));
  try {
    const int code = simulateOnProcesses(options, *scene, steps, *world, *processes);
    return processes->rank() == 0 ? code : kDone;
  } catch (const std::exception& error) {
    processes->abort(error.what(), kInternalError);
  }
  return kInternalError;
}

}  // namespace drystone::cli
