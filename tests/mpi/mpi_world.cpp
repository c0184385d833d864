// A world on the processes of MPI has the bits of one on threads in their place. To be started by
// mpirun; the exit code says whether it is so.
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <exception>

#include "distributed/distributed_world.h"
#include "distributed/processes.h"
#include "tests/support/thread_processes.h"
#include "tests/support/worlds.h"

namespace drystone::test {
namespace {

constexpr int kSteps = 25;

/// Balls that fly over each other and collide, over all borders.
World cloud() {
  WorldSettings settings;
  settings.solver.budget.tolerance = 1e-4;  // the bits are compared, and not the motion
  World world(settings, registry());
  addPlane(world, world.addMaterial({.friction = 0.3}));
  for (int i = 0; i < 32; ++i) {
    world.addBody({.shape = Sphere{.radius = 0.5},
                   .pose = {.position = {1.1 * (i % 8), 1.05 * (i / 8 % 2), 0.5 + 1.01 * (i / 16)}},
                   .linearVelocity = {10 * std::sin(i), 2 * std::cos(i), 3}});
  }
  return world;
}

struct Run {
  std::uint64_t hash = 0;
  std::int64_t bytes = 0, migrated = 0, sharedRows = 0;
  bool isWithin = true;
};

Run runOn(Processes& processes) {
  DistributedWorld world(cloud(), registry(), processes);
  Run run;
  for (int step = 0; step < kSteps; ++step) {
    run.isWithin = world.step().solvesWithin && run.isWithin;
    run.bytes += world.figures().traffic.bytes;
    run.migrated += world.figures().migrated;
    run.sharedRows += world.figures().sharedRows;
  }
  run.hash = world.hash();
  return run;
}

int compare() {
  const std::unique_ptr<Processes> processes = joinMpi();
  try {
    const int count = processes->count();
    if (count != launchedProcesses()) processes->abort("the launcher says another count", 1);
    const Run here = runOn(*processes);
    Run onThreads;
    if (processes->rank() == 0) {
      runProcesses(count, [&](Processes& threads) {
        const Run run = runOn(threads);
        if (threads.rank() == 0) onThreads = run;
      });
      fmt::print(
          "{} processes: hash {:016x}, on threads {:016x}; {} bytes, {}; {} bodies moved, {} "
          "shared rows\n",
          count, here.hash, onThreads.hash, here.bytes, onThreads.bytes, here.migrated,
          here.sharedRows);
    }
    const bool isSame =
        processes->rank() != 0 || (here.hash == onThreads.hash && here.bytes == onThreads.bytes);
    const bool isShared = count == 1 || (here.migrated > 0 && here.sharedRows > 0);
    return isSame && isShared && here.isWithin ? EXIT_SUCCESS : EXIT_FAILURE;
  } catch (const std::exception& error) {
    processes->abort(error.what(), EXIT_FAILURE);
  }
  return EXIT_FAILURE;
}

}  // namespace
}  // namespace drystone::test

int main() { return drystone::test::compare(); }
