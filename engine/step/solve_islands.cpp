#include "engine/step/solve_islands.h"

#include <algorithm>
#include <numeric>

#include "core/parallel.h"
#include "engine/step/solve_together.h"

namespace drystone {
namespace {

template <class T>
std::span<T> stretch(std::vector<T>& array, int begin, int end) {
  return std::span<T>(array).subspan(begin, end - begin);
}
template <class T>
std::span<const T> stretch(const std::vector<T>& array, int begin, int end) {
  return std::span<const T>(array).subspan(begin, end - begin);
}

ProblemSize sizeOf(const Islands& islands, int island) {
  return {islands.bodyStart[island + 1] - islands.bodyStart[island],
          islands.blockStart[island + 1] - islands.blockStart[island],
          islands.rowStart[island + 1] - islands.rowStart[island]};
}

void solveIsland(const WorldSettings& settings, int island, int jointCount, SolverPool::Lane& lane,
                 StepData& data, IslandReport& report) {
  const Islands& islands = data.islands;
  const ContactProblem problem = islandProblem(settings, data, island);
  const int begin = islands.rowStart[island], end = islands.rowStart[island + 1];
  report.bodies = problem.bodyCount();
  report.contacts = problem.contactCount();
  report.rows = problem.rowCount();
  report.result =
      solveProblem(*lane.solver, lane.fallback.get(), problem,
                   {stretch(data.rows.lambda, begin, end), stretch(data.rows.state, begin, end)},
                   settings.solver.options, lane.workspace);
  const int worst = report.result.judge.worstBlock;
  const int source = worst < 0 ? -1 : islands.sources[islands.blockStart[island] + worst];
  report.worstContact = source >= jointCount ? source - jointCount : -1;
}

/// How many of the islands, the largest first, are solved one after another with all threads within
/// each: those that would keep one thread busy long after the others are done.
int countSharedIslands(const Islands& islands, std::span<const int> order, int threads,
                       const ContactSolver& solver) {
  constexpr int kLeastRows = 1500;  // some 100 µs a sweep, against 5 µs for each meeting of threads
  if (threads < 2 || !solver.traits().parallel) return 0;
  int left = islands.rowStart[islands.count()];
  int shared = 0;
  for (const int island : order) {
    const int rows = sizeOf(islands, island).rows;
    if (rows < kLeastRows || rows * threads <= left) break;
    left -= rows;
    ++shared;
  }
  return shared;
}

}  // namespace

ContactProblem islandProblem(const WorldSettings& settings, const StepData& data, int island) {
  const Islands& islands = data.islands;
  const ConstraintRows& rows = data.rows;
  const int begin = islands.rowStart[island], end = islands.rowStart[island + 1];
  ContactProblem problem;
  problem.friction = settings.friction;
  problem.timestep = settings.substep();
  problem.blocks = stretch(rows.blocks, islands.blockStart[island], islands.blockStart[island + 1]);
  problem.b = stretch(rows.b, begin, end);
  problem.compliance = stretch(rows.compliance, begin, end);
  problem.lower = stretch(rows.lower, begin, end);
  problem.upper = stretch(rows.upper, begin, end);
  problem.bodies = stretch(rows.bodies, islands.bodyStart[island], islands.bodyStart[island + 1]);
  problem.jacobianA = stretch(rows.jacobianA, begin, end);
  problem.jacobianB = stretch(rows.jacobianB, begin, end);
  return problem;
}

void solveIslands(WorldParts& world, StepData& data, StepReport& report) {
  Islands& islands = data.islands;
  const int count = islands.count();
  const int jointCount = static_cast<int>(data.jointBlocks.size());
  report.islands.resize(count);
  data.rows.warmLambda = data.rows.lambda;
  data.rows.warmState = data.rows.state;
  data.convergence.clear();
  data.convergence.reserve(ResidualHistory::kCapacity);

  ProblemSize largest;
  for (int island = 0; island < count; ++island) {
    const ProblemSize size = sizeOf(islands, island);
    largest = {std::max(largest.bodies, size.bodies), std::max(largest.blocks, size.blocks),
               std::max(largest.rows, size.rows)};
  }
  if (count > 0 && world.solvers.lanes.front().solver->traits().batchesIslands) {
    world.solvers.reserve(
        {islands.bodyStart[count], islands.blockStart[count], islands.rowStart[count]});
    return solveTogether(world, data, report);
  }
  world.solvers.reserve(largest);

  // Largest first, so that no thread is left with a big one at the end.
  std::vector<int>& order = islands.order;
  order.resize(count);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    const int rowsA = sizeOf(islands, a).rows, rowsB = sizeOf(islands, b).rows;
    return rowsA != rowsB ? rowsA > rowsB : a < b;
  });
  const int lanes = static_cast<int>(world.solvers.lanes.size());
  const auto solveAt = [&](int index, SolverPool::Lane& lane) {
    const int island = order[index];
    solveIsland(world.settings, island, jointCount, lane, data, report.islands[island]);
    if (index == 0 && report.islands[island].result.reason != SolveReason::kTrivial) {
      const auto entries = lane.solver->history().entries();
      data.convergence.assign(entries.begin(), entries.end());
    }
  };
  SolverPool::Lane& first = world.solvers.lanes.front();
  const int shared = countSharedIslands(islands, order, lanes, *first.solver);
  const auto setThreads = [&](int threads) {
    first.solver->budget.threads = threads;
    first.workspace.judge.threads = threads;
  };
  setThreads(lanes);
  for (int index = 0; index < shared; ++index) solveAt(index, first);
  setThreads(1);
  parallelFor(count - shared, lanes,
              [&](int index, int thread) { solveAt(shared + index, world.solvers.lanes[thread]); });
}

}  // namespace drystone
