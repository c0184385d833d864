#include "engine/step/solve_islands.h"

#include <algorithm>

#include "core/parallel.h"

namespace drystone {
namespace {

ProblemSize sizeOf(const Islands& islands, int island) {
  return {islands.bodyStart[island + 1] - islands.bodyStart[island],
          islands.blockStart[island + 1] - islands.blockStart[island],
          islands.rowStart[island + 1] - islands.rowStart[island]};
}

ImpulseView startOf(const Islands& islands, int island, ConstraintRows& rows) {
  return {rowsOf(islands, rows.warmLambda, island), rowsOf(islands, rows.warmState, island)};
}

ImpulseView impulsesOf(const Islands& islands, int island, ConstraintRows& rows) {
  return {rowsOf(islands, rows.lambda, island), rowsOf(islands, rows.state, island)};
}

/// All islands as one problem: a view of the rows, with blocks that count from the start of all.
ContactProblem joinedProblem(const Islands& islands, const ConstraintRows& rows,
                             std::vector<ProblemBlock>& blocks) {
  blocks = rows.blocks;
  for (int island = 0; island < islands.count(); ++island) {
    const int firstBody = islands.bodyStart[island];
    for (int k = islands.blockStart[island]; k < islands.blockStart[island + 1]; ++k) {
      ProblemBlock& block = blocks[k];
      block.firstRow += islands.rowStart[island];
      if (block.bodyA >= 0) block.bodyA += firstBody;
      if (block.bodyB >= 0) block.bodyB += firstBody;
    }
  }
  ContactProblem problem = rows.view();
  problem.blocks = blocks;
  return problem;
}

Budget budgetUntil(const Deadline& until, int threads, Budget budget) {
  budget.until = until;
  budget.threads = threads;
  return budget;
}

SolveResult solveWith(SolverPool::Lane& lane, const SolverChoice& choice, const Budget& budget,
                      const ContactProblem& problem, ImpulseView impulses) {
  lane.workspace.judge.threads = budget.threads;
  ContactSolver* const fallback =
      choice.policy == FailurePolicy::kFallback ? lane.fallback.get() : nullptr;
  return solveProblem(*lane.solver, problem, budget, impulses, lane.workspace, fallback,
                      choice.condensation);
}

/// Solves an island, as its tied problem where it has cables.
SolveResult solveIsland(const Islands& islands, int island, SolverPool::Lane& lane,
                        const SolverChoice& choice, const Budget& budget,
                        const ContactProblem& problem, ConstraintRows& rows) {
  const ImpulseView impulses = impulsesOf(islands, island, rows);
  if (!rows.isTied(island)) return solveWith(lane, choice, budget, problem, impulses);
  TiedProblem& tied = tieIsland(islands, island, rows);
  SolveResult result = solveWith(lane, choice, budget, tied.problem(), tied.impulses());
  tied.expand(impulses);
  int& worst = result.judge.worstBlock;
  if (worst >= 0) worst = tied.blockOf(worst);
  return result;
}

void keepConvergence(const SolverPool::Lane& lane, const SolveResult& result,
                     IslandSolves& solves) {
  if (!wasSolved(result.reason)) return;
  const auto entries = lane.solver->history().entries();
  solves.convergence.assign(entries.begin(), entries.end());
}

void solveTogether(const Islands& islands, const SolverChoice& choice, const Deadline& until,
                   SolverPool& pool, ConstraintRows& rows, IslandSolves& solves,
                   std::vector<IslandReport>& reports) {
  const ContactProblem problem = joinedProblem(islands, rows, solves.joined);
  const int lanes = static_cast<int>(pool.lanes.size());
  SolverPool::Lane& first = pool.lanes.front();
  const SolveResult result = solveWith(first, choice, budgetUntil(until, lanes, choice.budget),
                                       problem, {rows.lambda, rows.state});
  keepConvergence(first, result, solves);
  first.workspace.judge.threads = 1;

  parallelFor(islands.count(), lanes, [&](int island, int thread) {
    const ContactProblem own = islandProblem(islands, rows, island);
    SolveResult one = result;
    // A single island is the whole problem, judged already.
    if (islands.count() > 1) {
      one.judge =
          judge(own, rowsOf(islands, rows.lambda, island), pool.lanes[thread].workspace.judge);
    }
    one.withinTolerance = one.judge.finite && result.solver.status != SolveStatus::kUnsupported &&
                          one.judge.naturalMap <= choice.budget.tolerance;
    const double share = static_cast<double>(own.rowCount()) / problem.rowCount();
    one.solver.timeMs *= share;
    one.solver.assemblyMs *= share;
    reports[island] = islandReport(islands, island, own, one);
  });
}

/// How many of the islands, the largest first, are solved one after another with all threads within
/// each: those that would keep one thread busy long after the others are done.
int countSharedIslands(const Islands& islands, std::span<const int> order, int rowsOfAll,
                       int threads, const ContactSolver& solver) {
  constexpr int kLeastRows = 1500;  // some 100 µs a sweep, against 5 µs for each meeting of threads
  if (threads < 2 || !solver.traits().parallel) return 0;
  int left = rowsOfAll;
  int shared = 0;
  for (const int island : order) {
    const int rows = sizeOf(islands, island).rows;
    if (rows < kLeastRows || rows * threads <= left) break;
    left -= rows;
    ++shared;
  }
  return shared;
}

/// Lists what is to be solved: largest first, so that no thread is left with a big one at the end.
void orderBySize(const Islands& islands, std::span<const char> isSolved, std::vector<int>& order,
                 std::vector<int>& rowsLeft) {
  order.clear();
  for (int island = 0; island < islands.count(); ++island) {
    if (isSolved.empty() || isSolved[island] == 0) order.push_back(island);
  }
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    const int rowsA = sizeOf(islands, a).rows, rowsB = sizeOf(islands, b).rows;
    return rowsA != rowsB ? rowsA > rowsB : a < b;
  });
  rowsLeft.resize(order.size());
  int left = 0;
  for (std::size_t i = order.size(); i-- > 0;) rowsLeft[i] = left += sizeOf(islands, order[i]).rows;
}

void solveApart(const Islands& islands, std::span<const char> isSolved, const SolverChoice& choice,
                const Deadline& until, SolverPool& pool, ConstraintRows& rows, IslandSolves& solves,
                std::vector<IslandReport>& reports) {
  orderBySize(islands, isSolved, solves.order, solves.rowsLeft);
  if (solves.order.empty()) return;
  const int lanes = static_cast<int>(pool.lanes.size());
  const auto solveAt = [&](int index, SolverPool::Lane& lane, int threads) {
    const int island = solves.order[index];
    const ContactProblem problem = islandProblem(islands, rows, island);
    // So many islands are solved at a time.
    const Real share = static_cast<Real>(problem.rowCount()) * (lanes / threads) /
                       static_cast<Real>(solves.rowsLeft[static_cast<std::size_t>(index)]);
    const SolveResult result = solveIsland(
        islands, island, lane, choice,
        budgetUntil(until.ofPart(std::min<Real>(share, 1)), threads, choice.budget), problem, rows);
    reports[island] = islandReport(islands, island, problem, result);
    if (index == 0) keepConvergence(lane, result, solves);
  };
  SolverPool::Lane& first = pool.lanes.front();
  const int shared =
      countSharedIslands(islands, solves.order, solves.rowsLeft.front(), lanes, *first.solver);
  for (int index = 0; index < shared; ++index) solveAt(index, first, lanes);
  parallelFor(static_cast<int>(solves.order.size()) - shared, lanes,
              [&](int index, int thread) { solveAt(shared + index, pool.lanes[thread], 1); });
}

}  // namespace

ContactProblem islandProblem(const Islands& islands, const ConstraintRows& rows, int island) {
  ContactProblem problem = rows.view();
  const auto narrow = [&](const std::vector<int>& start, auto&... arrays) {
    const int begin = start[island], count = start[island + 1] - begin;
    ((arrays = arrays.subspan(begin, count)), ...);
  };
  narrow(islands.bodyStart, problem.bodies);
  narrow(islands.blockStart, problem.blocks);
  narrow(islands.rowStart, problem.b, problem.compliance, problem.jacobianA, problem.jacobianB);
  if (!problem.lower.empty()) narrow(islands.rowStart, problem.lower, problem.upper);
  return problem;
}

TiedProblem& tieIsland(const Islands& islands, int island, ConstraintRows& rows) {
  TiedProblem& tied = rows.tied[island];
  const int begin = islands.blockStart[island];
  tied.make(islandProblem(islands, rows, island),
            std::span(rows.ties).subspan(begin, islands.blockStart[island + 1] - begin));
  tied.keepStart(startOf(islands, island, rows));
  tied.restrict(impulsesOf(islands, island, rows));
  return tied;
}

IslandReport islandReport(const Islands& islands, int island, const ContactProblem& problem,
                          const SolveResult& result) {
  IslandReport report{.bodies = problem.bodyCount(),
                      .contacts = problem.contactCount(),
                      .rows = problem.rowCount(),
                      .result = result};
  const int worst = result.judge.worstBlock;
  if (worst >= 0) {
    const BlockSource source = islands.sources[islands.blockStart[island] + worst];
    if (source.isContact()) report.worstContact = source.index;
  }
  return report;
}

void keepStart(const Islands& islands, std::span<const char> isSolved, ConstraintRows& rows) {
  rows.warmLambda.resize(rows.lambda.size());
  rows.warmState.resize(rows.state.size());
  for (int island = 0; island < islands.count(); ++island) {
    if (!isSolved.empty() && isSolved[island] != 0) continue;
    const auto keep = [&](auto& from, auto& to) {
      std::ranges::copy(rowsOf(islands, from, island), rowsOf(islands, to, island).begin());
    };
    keep(rows.lambda, rows.warmLambda);
    keep(rows.state, rows.warmState);
  }
}

ProblemSize largestIsland(const Islands& islands) {
  ProblemSize largest;
  for (int island = 0; island < islands.count(); ++island) {
    const ProblemSize size = sizeOf(islands, island);
    largest = {std::max(largest.bodies, size.bodies), std::max(largest.blocks, size.blocks),
               std::max(largest.rows, size.rows)};
  }
  return largest;
}

void solveIslands(const Islands& islands, std::span<const char> isSolved,
                  const SolverChoice& choice, const Deadline& until, SolverPool& pool,
                  ConstraintRows& rows, IslandSolves& solves, std::vector<IslandReport>& reports) {
  const int count = islands.count();
  reports.resize(count);
  keepStart(islands, isSolved, rows);
  solves.convergence.clear();
  solves.convergence.reserve(ResidualHistory::kCapacity);
  // Tied problems have matrices of their own, which no batch of all islands is made of.
  if (count > 0 && pool.lanes.front().solver->traits().batchesIslands && rows.hasTies.empty()) {
    pool.reserve({islands.bodyStart[count], islands.blockStart[count], islands.rowStart[count]});
    return solveTogether(islands, choice, until, pool, rows, solves, reports);
  }
  pool.reserve(largestIsland(islands));
  solveApart(islands, isSolved, choice, until, pool, rows, solves, reports);
}

SolveResult solveAlone(const ContactProblem& problem, const SolverChoice& choice,
                       const Deadline& until, SolverPool& pool, ImpulseView impulses) {
  pool.reserve({problem.bodyCount(), problem.blockCount(), problem.rowCount()});
  return solveWith(pool.lanes.front(), choice, budgetUntil(until, 1, choice.budget), problem,
                   impulses);
}

void solveAgain(const Islands& islands, int island, const SolverChoice& choice,
                const Deadline& until, int iterations, SolverPool::Lane& lane, ConstraintRows& rows,
                IslandReport& report) {
  const ContactProblem problem = islandProblem(islands, rows, island);
  Budget budget = budgetUntil(until, 1, choice.budget);
  const int usual = lane.solver->traits().iterations;
  budget.iterations = std::min(budget.iterations.value_or(usual), iterations);
  report = islandReport(islands, island, problem,
                        solveIsland(islands, island, lane, choice, budget, problem, rows));
}

}  // namespace drystone
