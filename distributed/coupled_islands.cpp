#include "distributed/coupled_islands.h"

#include <algorithm>
#include <cstring>

#include "solvers/problem/problem_ops.h"

namespace drystone {

CoupledIslands::CoupledIslands(Processes& processes, const GhostLists& ghosts)
    : processes_(processes), ghosts_(ghosts) {
  solver_.settings.law = ApgdLaw::kExact;
  const auto count = static_cast<std::size_t>(processes.count());
  lent_.resize(count);
  touched_.resize(count);
  out_.resize(count);
  in_.resize(count);
}

/// Which bodies rows of two processes touch. The one that has a ghost tells the owner whether it
/// has rows on it: ghosts that touch nothing are not sent to and fro in each iteration.
void CoupledIslands::findShared(const WorldParts& world) {
  const std::vector<int>& islandOf = world.data.islands.ofBody;
  for (int r = 0; r < processes_.count(); ++r) {
    touched_[r].clear();
    out_[r].clear();
    in_[r].resize(ghosts_.sent[r].size());
    for (const int slot : ghosts_.held[r]) {
      const bool isTouched = islandOf[slot] >= 0;
      out_[r].push_back(static_cast<std::byte>(isTouched ? 1 : 0));
      if (isTouched) touched_[r].push_back(slot);
    }
  }
  processes_.swap(out_, in_);
  for (int r = 0; r < processes_.count(); ++r) {
    lent_[r].clear();
    for (std::size_t i = 0; i < in_[r].size(); ++i) {
      if (in_[r][i] != std::byte{0}) lent_[r].push_back(ghosts_.sent[r][i]);
    }
  }
}

void CoupledIslands::markIslands(const Islands& islands) {
  isShared_.assign(islands.count(), 0);
  for (const auto* lists : {&lent_, &touched_}) {
    for (const std::vector<int>& slots : *lists) {
      for (const int slot : slots) {
        if (islands.ofBody[slot] >= 0) isShared_[islands.ofBody[slot]] = 1;
      }
    }
  }
  shared_.clear();
  for (int island = 0; island < islands.count(); ++island) {
    if (isShared_[island] != 0) shared_.push_back(island);
  }
}

/// The shared islands as one problem, and behind their bodies those that rows of other processes
/// alone touch.
void CoupledIslands::gatherProblem(const WorldParts& world) {
  const Islands& islands = world.data.islands;
  const ConstraintRows& rows = world.data.rows;
  const auto append = [](auto span, auto& out) { out.insert(out.end(), span.begin(), span.end()); };
  problem_.friction = rows.friction;
  problem_.timestep = rows.timestep;
  problem_.blocks.clear();
  problem_.bodies.clear();
  for (auto* numbers :
       {&problem_.b, &problem_.compliance, &problem_.lower, &problem_.upper, &lambda_}) {
    numbers->clear();
  }
  problem_.jacobianA.clear();
  problem_.jacobianB.clear();
  place_.assign(world.bodies.slots(), -1);
  for (const int island : shared_) {
    const ContactProblem part = islandProblem(islands, rows, island);
    const int firstRow = static_cast<int>(problem_.b.size());
    const int firstBody = static_cast<int>(problem_.bodies.size());
    for (ProblemBlock block : part.blocks) {
      block.firstRow += firstRow;
      if (block.bodyA >= 0) block.bodyA += firstBody;
      if (block.bodyB >= 0) block.bodyB += firstBody;
      problem_.blocks.push_back(block);
    }
    for (int i = 0; i < part.bodyCount(); ++i) {
      place_[islands.bodies[islands.bodyStart[island] + i]] = firstBody + i;
    }
    append(part.bodies, problem_.bodies);
    append(part.b, problem_.b);
    append(part.compliance, problem_.compliance);
    append(part.lower, problem_.lower);
    append(part.upper, problem_.upper);
    append(part.jacobianA, problem_.jacobianA);
    append(part.jacobianB, problem_.jacobianB);
    append(rowsOf(islands, rows.lambda, island), lambda_);
  }
  last_.sharedBodies = 0;
  for (const std::vector<int>& slots : lent_) {
    for (const int slot : slots) {
      ++last_.sharedBodies;
      if (place_[slot] >= 0) continue;
      place_[slot] = static_cast<int>(problem_.bodies.size());
      problem_.bodies.push_back(world.bodies.inverseInertia[slot]);
    }
  }
  state_.assign(lambda_.size(), RowState::kUnknown);
}

void CoupledIslands::send(const std::vector<std::vector<int>>& slots,
                          const std::vector<std::vector<int>>& asked,
                          std::span<const Vec6> bodyVelocity) {
  for (int r = 0; r < processes_.count(); ++r) {
    out_[r].resize(slots[r].size() * sizeof(Vec6));
    in_[r].resize(asked[r].size() * sizeof(Vec6));
    for (std::size_t i = 0; i < slots[r].size(); ++i) {
      std::memcpy(out_[r].data() + i * sizeof(Vec6), bodyVelocity[place_[slots[r][i]]].data(),
                  sizeof(Vec6));
    }
  }
  processes_.swap(out_, in_);
}

/// Owners add up what others give to their bodies, in the order of the ranks, and send back the
/// sum.
void CoupledIslands::addVelocities(std::span<Vec6> bodyVelocity) {
  const auto take = [&](int r, std::size_t i) {
    Vec6 velocity;
    std::memcpy(velocity.data(), in_[r].data() + i * sizeof(Vec6), sizeof(Vec6));
    return velocity;
  };
  send(touched_, lent_, bodyVelocity);
  for (int r = 0; r < processes_.count(); ++r) {
    for (std::size_t i = 0; i < lent_[r].size(); ++i) {
      bodyVelocity[place_[lent_[r][i]]] += take(r, i);
    }
  }
  send(lent_, touched_, bodyVelocity);
  for (int r = 0; r < processes_.count(); ++r) {
    for (std::size_t i = 0; i < touched_[r].size(); ++i) {
      bodyVelocity[place_[touched_[r][i]]] = take(r, i);
    }
  }
}

void CoupledIslands::addUp(std::span<Real> numbers) {
  drystone::addUp(processes_, numbers, scratch_);
}

void CoupledIslands::takeLargest(std::span<Real> numbers) {
  drystone::takeLargest(processes_, numbers, scratch_);
}

/// What other processes give to the bodies joins their free motion, and b. Then each island is a
/// problem of this process alone, and is judged like all.
void CoupledIslands::finish(WorldParts& world) {
  StepData& data = world.data;
  const Islands& islands = data.islands;
  ConstraintRows& rows = data.rows;
  const ContactProblem problem = problem_.view();
  own_.resize(problem_.bodies.size());
  impulseToVelocity(problem, lambda_, own_);
  total_ = own_;
  addVelocities(total_);
  for (int slot = 0; slot < world.bodies.slots(); ++slot) {
    if (place_[slot] < 0) continue;
    data.motion.foreign[slot] = total_[place_[slot]] - own_[place_[slot]];
    data.motion.free[slot] += data.motion.foreign[slot];
  }
  int from = 0;
  for (const int island : shared_) {
    const std::span<Real> impulses = rowsOf(islands, rows.lambda, island);
    std::copy_n(lambda_.begin() + from, impulses.size(), impulses.begin());
    from += static_cast<int>(impulses.size());
    const int* slot = islands.bodies.data() + islands.bodyStart[island];
    for (int k = islands.blockStart[island]; k < islands.blockStart[island + 1]; ++k) {
      const ProblemBlock& block = rows.blocks[k];
      for (int row = rows.firstRow[k]; row < rows.firstRow[k] + block.rows; ++row) {
        const auto along = [&](int body, const std::vector<Vec6>& jacobian) {
          return body < 0 ? 0 : jacobian[row].dot(data.motion.foreign[slot[body]]);
        };
        rows.b[row] += along(block.bodyA, rows.jacobianA) + along(block.bodyB, rows.jacobianB);
      }
    }
    SolveResult result{.solver = last_.solver};
    const ContactProblem part = islandProblem(islands, rows, island);
    result.judge = judge(part, impulses, judge_);
    result.withinTolerance =
        result.judge.finite && result.judge.naturalMap <= world.settings.solver.budget.tolerance;
    world.report.islands[island] = islandReport(islands, island, part, result);
  }
}

void CoupledIslands::solve(WorldParts& world, const Deadline& until) {
  StepData& data = world.data;
  const SolverChoice& choice = world.settings.solver;
  last_ = {};
  findShared(world);
  markIslands(data.islands);
  world.report.islands.resize(data.islands.count());
  keepStart(data.islands, {}, data.rows);
  solveIslands(data.islands, isShared_, choice, until, world.solvers, data.rows, data.solves,
               world.report.islands);
  gatherProblem(world);
  data.motion.foreign.assign(world.bodies.slots(), Vec6::Zero());
  last_.rows = static_cast<int>(lambda_.size());
  Real rowsOfAll = last_.rows;
  addUp({&rowsOfAll, 1});
  if (rowsOfAll == 0) return;
  Budget budget = choice.budget;
  budget.iterations.reset();  // those of the method: the count of the settings is another method's
  budget.aim = 0.5;           // the judge sums in another order and may see a little more
  last_.solver = solver_.solveCoupled(problem_.view(), budget, {lambda_, state_}, *this);
  finish(world);
}

}  // namespace drystone
