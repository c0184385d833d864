#include "engine/step/solve_together.h"

#include "core/parallel.h"
#include "engine/step/solve_islands.h"

namespace drystone {

ContactProblem joinedProblem(const WorldSettings& settings, StepData& data) {
  const Islands& islands = data.islands;
  const ConstraintRows& rows = data.rows;
  data.joinedBlocks.assign(rows.blocks.begin(), rows.blocks.end());
  for (int island = 0; island < islands.count(); ++island) {
    const int firstBody = islands.bodyStart[island];
    for (int k = islands.blockStart[island]; k < islands.blockStart[island + 1]; ++k) {
      ProblemBlock& block = data.joinedBlocks[k];
      block.firstRow += islands.rowStart[island];
      if (block.bodyA >= 0) block.bodyA += firstBody;
      if (block.bodyB >= 0) block.bodyB += firstBody;
    }
  }
  ContactProblem problem;
  problem.friction = settings.friction;
  problem.timestep = settings.substep();
  problem.blocks = data.joinedBlocks;
  problem.b = rows.b;
  problem.compliance = rows.compliance;
  problem.lower = rows.lower;
  problem.upper = rows.upper;
  problem.bodies = rows.bodies;
  problem.jacobianA = rows.jacobianA;
  problem.jacobianB = rows.jacobianB;
  return problem;
}

void solveTogether(WorldParts& world, StepData& data, StepReport& report) {
  const Islands& islands = data.islands;
  const WorldSettings& settings = world.settings;
  const ContactProblem problem = joinedProblem(settings, data);
  const int lanes = static_cast<int>(world.solvers.lanes.size());
  SolverPool::Lane& first = world.solvers.lanes.front();
  first.solver->budget.threads = lanes;
  first.workspace.judge.threads = lanes;
  const SolveResult result =
      solveProblem(*first.solver, first.fallback.get(), problem,
                   {data.rows.lambda, data.rows.state}, settings.solver.options, first.workspace);
  if (result.reason != SolveReason::kTrivial) {
    const auto entries = first.solver->history().entries();
    data.convergence.assign(entries.begin(), entries.end());
  }
  first.solver->budget.threads = 1;
  first.workspace.judge.threads = 1;

  const int jointCount = static_cast<int>(data.jointBlocks.size());
  parallelFor(islands.count(), lanes, [&](int island, int thread) {
    const ContactProblem own = islandProblem(settings, data, island);
    const std::span<const Real> lambda =
        std::span(data.rows.lambda).subspan(islands.rowStart[island], own.rowCount());
    IslandReport& one = report.islands[island];
    one.bodies = own.bodyCount();
    one.contacts = own.contactCount();
    one.rows = own.rowCount();
    one.result = result;
    // A single island is the whole problem, judged already.
    if (islands.count() > 1) {
      one.result.judge = judge(own, lambda, world.solvers.lanes[thread].workspace.judge);
    }
    one.result.withinTolerance = one.result.judge.finite &&
                                 result.solver.status != SolveStatus::kUnsupported &&
                                 one.result.judge.naturalMap <= settings.solver.options.tolerance;
    const double share = static_cast<double>(own.rowCount()) / problem.rowCount();
    one.result.solver.timeMs *= share;
    one.result.solver.assemblyMs *= share;
    const int worst = one.result.judge.worstBlock;
    const int source = worst < 0 ? -1 : islands.sources[islands.blockStart[island] + worst];
    one.worstContact = source >= jointCount ? source - jointCount : -1;
  });
}

}  // namespace drystone
