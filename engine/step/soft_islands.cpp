#include "engine/step/soft_islands.h"

#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "core/timer.h"
#include "engine/model/joint_coordinates.h"
#include "engine/step/hold_joints.h"
#include "engine/step/integrate.h"
#include "solvers/problem/judge.h"

namespace drystone {
namespace {

/// Smaller islands are solved exactly in less time than a step takes beside. Those with cables are
/// too, since sweeps know rows over two bodies only.
constexpr int kLeastSoftRows = 150;
/// Where something is faster than this, contacts change from step to step, and exact solves take
/// many Newton steps [m/s].
constexpr Real kQuietSpeed = 0.2;
/// The factor of a smaller island is never dear.
constexpr int kLeastDearRows = 3000;
/// Sweeps that a Newton step of bodies at rest may cost: soft steps take eight.
constexpr Real kDearSweeps = 20;
/// Newton steps of bodies at rest: one or two while the same contacts bear, and ten where some
/// change.
constexpr int kMostQuietSteps = 20;
/// More of them for each step that the last attempts waited, which half of the steps since forget:
/// about what the soft steps meanwhile cost. With 4, two of 48 heaps of 125 boxes never come to
/// rest, with 8 two of 100, and with 16 none.
constexpr int kWaitedSteps = 16;
/// The most ever, and what is allowed where nothing is known of the contacts yet.
constexpr int kMostFirstSteps = 200;
/// Steps from one attempt to solve a quiet island exactly to the next: twice as many as before each
/// time, up to a second of steps, so that attempts that fail cost little.
constexpr int kMostWait = 63;
/// Sweeps pass too little from heavy bodies through light ones. Piles of one material have 10.
constexpr Real kMostMassRatio = 20;
/// Share of the last step in the filtered impulse of a contact: a mean over some two steps, which
/// keeps the noise of sweeps out. A longer memory keeps what a pile does not hold any more
/// (docs/results/soft_steps.md).
constexpr Real kFilterShare = 0.6;
/// Newton steps on the poses that hold the locks at most; each squares the error, and one does.
constexpr int kMostCorrections = 3;

/// An approach that is slower than this is none of an impact [m/s]: free fall of two steps.
Real restingSpeed(const SoftStepInput& input) {
  return 2 * input.h * input.settings.gravity.norm();
}

bool hasFastBody(const SoftStepInput& input, int island) {
  const Islands& islands = input.islands;
  return std::ranges::any_of(partOf(islands.bodies, islands.bodyStart, island), [&](int body) {
    const Vec6& u = input.motion.old[body];
    return u.head<3>().norm() + input.bodies.reach[body] * u.tail<3>().norm() > kQuietSpeed;
  });
}

/// Whether the masses of two bodies that touch, and of what joints connect with them, are far
/// apart.
bool isUneven(const BodyStore& bodies, std::span<const Real> masses, const StepContact& contact) {
  if (!bodies.isDynamic(contact.bodyA) || !bodies.isDynamic(contact.bodyB)) return false;
  const Real a = masses[contact.bodyA], b = masses[contact.bodyB];
  return std::max(a, b) > kMostMassRatio * std::min(a, b);
}

/// Whether a joint hangs on something that moves as prescribed.
bool isCarried(const BodyStore& bodies, const StepJointBlock& block) {
  const auto carries = [&](int body) {
    return !bodies.isDynamic(body) && !bodies.velocity[body].isZero(0);
  };
  return carries(block.bodyA) || carries(block.bodyB);
}

/// What the locks of an island are off beyond first order after the displacements `way` of its
/// bodies in h, less what their rows hold of it already: visit(row of the island, error [m]).
/// Poses are the same before and after.
template <class Visit>
void measureLocks(const SoftStepInput& input, int island, const ConstraintRows& rows,
                  std::span<const Vec6> way, std::vector<Pose>& poses,
                  std::vector<InverseInertia>& inertias, BodyStore& bodies, Visit&& visit) {
  const Islands& islands = input.islands;
  const auto own = partOf(islands.bodies, islands.bodyStart, island);
  poses.clear();
  inertias.clear();
  for (std::size_t i = 0; i < own.size(); ++i) {
    poses.push_back({bodies.position[own[i]], bodies.rotation[own[i]]});
    inertias.push_back(bodies.inverseInertia[own[i]]);
    displaceBody(own[i], way[i], bodies);
  }
  const auto velocityOf = [&](int body) -> Vec6 {
    return bodies.isDynamic(body) ? Vec6(way[islands.localBody[body]] / input.h) : Vec6::Zero();
  };
  for (const BlockSource source : partOf(islands.sources, islands.blockStart, island)) {
    if (!source.isJoint()) break;
    const StepJointBlock& block = input.list.blocks[source.index];
    const int first = rows.firstRow[block.block] - islands.rowStart[island];
    forEachHeldLock(bodies, input.joints, input.list, block, velocityOf(block.bodyA),
                    velocityOf(block.bodyB), input.h, [&](int i, Real error) {
                      visit(first + i, error, input.list.rows[block.firstRow + i].beyond);
                    });
  }
  for (std::size_t i = 0; i < own.size(); ++i) {
    bodies.position[own[i]] = poses[i].position;
    bodies.rotation[own[i]] = poses[i].rotation;
    bodies.inverseInertia[own[i]] = inertias[i];
  }
}

}  // namespace

SoftIslands::Way SoftIslands::wayOf(const SoftStepInput& input, const ConstraintRows& rows,
                                    int island) {
  const Islands& islands = input.islands;
  const int rowCount = islands.rowStart[island + 1] - islands.rowStart[island];
  if (rowCount < kLeastSoftRows || rows.isTied(island)) return Way::kExact;
  int known = 0, resting = 0, wait = 0, waited = 0;
  bool isEven = true;
  for (int k = islands.blockStart[island]; k < islands.blockStart[island + 1]; ++k) {
    const BlockSource source = islands.sources[k];
    if (source.isJoint()) {
      if (isCarried(input.bodies, input.list.blocks[source.index])) return Way::kExact;
      continue;
    }
    const StepContact& contact = input.contacts[source.index];
    if (contact.isSoft) return Way::kExact;
    isEven = isEven && !isUneven(input.bodies, masses_, contact);
    wait = std::max(wait, contact.soft.wait);
    waited = std::max(waited, contact.soft.backoff);
    const int row = rows.firstRow[k];
    if (rows.state[row] != RowState::kUnknown) {
      ++known;
    } else if (contact.point.gap <= kRestingGap && rows.b[row] > -restingSpeed(input)) {
      ++resting;
    }
  }
  if (rowCount >= kLeastDearRows) {
    factor_.count(islandProblem(islands, rows, island));
    if (factor_.inSweeps() > kDearSweeps) return Way::kSoft;
  }
  if (!isEven) return Way::kExact;
  if (hasFastBody(input, island)) return Way::kSoft;
  if (known < resting) {
    mostSteps_[island] = kMostFirstSteps;
    return Way::kFirst;
  }
  mostSteps_[island] = std::min(kMostQuietSteps + kWaitedSteps * waited, kMostFirstSteps);
  return wait > 0 ? Way::kWaits : Way::kQuiet;
}

void SoftIslands::choose(const SoftStepInput& input, const ConstraintRows& rows) {
  const int count = input.islands.count();
  const bool isCone =
      rows.friction == FrictionModel::kCone || rows.friction == FrictionModel::kNone;
  handedOver_ = 0;
  ways_.assign(count, Way::kExact);
  isSoft_.assign(count, 0);
  isTaken_.assign(count, 0);
  mostSteps_.assign(count, 0);
  clusterMasses(input.bodies, input.list.blocks, parent_, masses_);
  for (int island = 0; isCone && island < count; ++island) {
    ways_[island] = wayOf(input, rows, island);
    isTaken_[island] = ways_[island] == Way::kExact ? 0 : 1;
  }
  displacement_.resize(input.islands.bodies.size());
}

bool SoftIslands::trySolve(const SoftStepInput& input, int island, int iterations,
                           const Deadline& until, SolverPool::Lane& lane, ConstraintRows& rows,
                           IslandReport& report) const {
  const Islands& islands = input.islands;
  const auto restore = [&](const auto& from, auto& to) {
    std::ranges::copy(rowsOf(islands, from, island), rowsOf(islands, to, island).begin());
  };
  solveAgain(islands, island, input.settings.solver, until, iterations, lane, rows, report);
  if (report.result.withinTolerance) return true;
  restore(rows.warmLambda, rows.lambda);
  restore(rows.warmState, rows.state);
  return false;
}

bool SoftIslands::stepClusters(const SoftStepInput& input, int island, const SoftInput& soft,
                               Work& work, BodyStore& bodies, ConstraintRows& rows) {
  const auto lambda = rowsOf(input.islands, rows.lambda, island);
  const auto state = rowsOf(input.islands, rows.state, island);
  const auto way = partOf(displacement_, input.islands.bodyStart, island);
  const Real tolerance = kRefinedShare * input.settings.solver.budget.tolerance;
  if (!work.clusters.begin(soft.problem, tolerance)) return false;
  const Real h = input.h;
  const bool holds = input.settings.holdsJoints();
  work.error.assign(lambda.size(), 0);
  if (holds) {
    const std::span<const Vec6> predicted = work.clusters.predict(lambda, work.free);
    for (std::size_t i = 0; i < way.size(); ++i) way[i] = h * predicted[i];
    measureLocks(input, island, rows, way, work.poses, work.inertias, bodies,
                 [&](int row, Real error, Real& beyond) {
                   beyond = error;
                   work.error[row] = error / h;
                 });
    work.clusters.addToRows(work.error);
    const auto b = rowsOf(input.islands, rows.b, island);
    const auto stabilization = rowsOf(input.islands, rows.stabilizationTerm, island);
    for (std::size_t row = 0; row < b.size(); ++row) {
      b[row] += work.error[row];
      stabilization[row] += work.error[row];
    }
  }
  if (!work.clusters.sweep(soft, lambda, state, way)) return false;
  const Real allowed = heldJointError(input.settings, h);
  work.taken.assign(lambda.size(), 0);
  for (int round = 0; holds && round < kMostCorrections; ++round) {
    Real largest = 0;
    measureLocks(input, island, rows, way, work.poses, work.inertias, bodies,
                 [&](int row, Real error, Real beyond) {
                   // J way has changed by what was taken back.
                   work.error[row] = error - beyond - work.taken[row];
                   largest = std::max(largest, std::abs(work.error[row]));
                 });
    if (!(largest > allowed)) break;
    work.clusters.correct(work.error, way);
    for (std::size_t row = 0; row < lambda.size(); ++row) work.taken[row] += work.error[row];
  }
  return true;
}

bool SoftIslands::step(const SoftStepInput& input, int island, SolverPool::Lane& lane, Work& work,
                       BodyStore& bodies, ConstraintRows& rows, IslandReport& report) {
  const Islands& islands = input.islands;
  const ContactProblem problem = islandProblem(islands, rows, island);
  work.old.clear();
  work.free.clear();
  for (const int body : partOf(islands.bodies, islands.bodyStart, island)) {
    work.old.push_back(input.motion.old[body]);
    work.free.push_back(input.motion.free[body]);
  }
  work.gap.clear();
  work.average.clear();
  for (const BlockSource source : partOf(islands.sources, islands.blockStart, island)) {
    const StepContact* const contact = source.isJoint() ? nullptr : &input.contacts[source.index];
    work.gap.push_back(contact != nullptr ? contact->point.gap : 0);
    work.average.push_back(contact != nullptr ? contact->soft.average : 0);
  }
  const auto restitution = rowsOf(islands, rows.restitutionTerm, island);
  fixedVelocities(problem, restitution, rowsOf(islands, rows.stabilizationTerm, island), work.free,
                  work.fixed);
  const auto lambda = rowsOf(islands, rows.lambda, island);
  const auto state = rowsOf(islands, rows.state, island);
  const Timer timer;
  const SoftInput soft{problem,     input.h,      input.settings.stabilization.maxPushSpeed,
                       work.gap,    work.average, work.fixed,
                       restitution, work.old,     work.free};
  if (islands.sources[islands.blockStart[island]].isJoint()) {
    if (!stepClusters(input, island, soft, work, bodies, rows)) return false;
  } else {
    softSweeps(soft, work.sweeps, lambda, partOf(displacement_, islands.bodyStart, island));
    for (std::size_t row = 0; row < state.size(); ++row) {
      state[row] = lambda[row] != 0 ? RowState::kFree : RowState::kLower;
    }
  }
  SolveResult result;
  result.solver = report.result.solver;  // of the attempt before it, if there was one
  result.solver.timeMs += timer.milliseconds();
  result.judge = judge(problem, lambda, lane.workspace.judge);
  result.reason = SolveReason::kSoft;
  result.withinTolerance =
      result.judge.finite && result.judge.naturalMap <= input.settings.solver.budget.tolerance;
  report = islandReport(islands, island, problem, result);
  return true;
}

void SoftIslands::solve(const SoftStepInput& input, const Deadline& until, SolverPool& pool,
                        BodyStore& bodies, ConstraintRows& rows,
                        std::vector<IslandReport>& reports) {
  const Islands& islands = input.islands;
  const int lanes = static_cast<int>(pool.lanes.size());
  work_.resize(lanes);
  reports.resize(islands.count());
  keepStart(islands, {}, rows);
  pool.reserve(largestIsland(islands));
  parallelFor(islands.count(), lanes, [&](int island, int thread) {
    const Way way = ways_[island];
    SolverPool::Lane& lane = pool.lanes[thread];
    IslandReport& report = reports[island];
    report = {};
    const bool tries = way == Way::kQuiet || way == Way::kFirst;
    if (tries && trySolve(input, island, mostSteps_[island], until, lane, rows, report)) {
      return startAhead(input, island, report.result, *lane.solver, work_[thread].ahead, rows);
    }
    std::ranges::fill(rowsOf(islands, rows.trend, island), 0);
    if (way == Way::kExact) return;
    isSoft_[island] = step(input, island, lane, work_[thread], bodies, rows, report) ? 1 : 0;
    isTaken_[island] = isSoft_[island];
  });
}

void SoftIslands::handOver(const SoftStepInput& input, const Deadline& until, SolverPool& pool,
                           ConstraintRows& rows, std::vector<IslandReport>& reports) {
  if (!until.isSet()) return;
  missed_.clear();
  for (int island = 0; island < static_cast<int>(isSoft_.size()); ++island) {
    if (isSoft_[island] != 0 && !reports[island].result.withinTolerance) missed_.push_back(island);
  }
  std::ranges::stable_sort(missed_, {}, [&](int island) { return reports[island].rows; });
  for (const int island : missed_) {
    if (until.passed()) return;
    const auto lambda = rowsOf(input.islands, rows.lambda, island);
    const auto state = rowsOf(input.islands, rows.state, island);
    softLambda_.assign(lambda.begin(), lambda.end());
    softState_.assign(state.begin(), state.end());
    const SolverChoice& choice = input.settings.solver;
    const ContactProblem problem = islandProblem(input.islands, rows, island);
    const SolveResult result = solveAlone(problem, choice, until, pool, {lambda, state});
    if (result.judge.naturalMap < reports[island].result.judge.naturalMap) {
      reports[island] = islandReport(input.islands, island, problem, result);
      isSoft_[island] = 0;
      ++handedOver_;
    } else {
      std::ranges::copy(softLambda_, lambda.begin());
      std::ranges::copy(softState_, state.begin());
      addSolve(result.solver, reports[island].result.solver);
    }
  }
}

void SoftIslands::remember(const SoftStepInput& input, const ConstraintRows& rows,
                           std::span<const IslandReport> reports,
                           std::span<StepContact> contacts) const {
  const Islands& islands = input.islands;
  for (StepContact& contact : contacts) {
    if (contact.block < 0) continue;
    SoftMemory& memory = contact.soft;
    const int row = rows.firstRow[contact.block];
    const int mover = input.bodies.isDynamic(contact.bodyA) ? contact.bodyA : contact.bodyB;
    const int island = islands.ofBody[mover];
    if (isSoft_[island] == 0) {
      const bool isImpact = rows.b[row] < -restingSpeed(input);
      const bool hasFactor = reports[island].result.solver.factorizations > 0;
      memory = {.average = isImpact ? 0 : rows.lambda[row],
                .backoff = memory.backoff / 2,
                .factors = hasFactor ? memory.factors + 1 : 0};
      continue;
    }
    memory.average += kFilterShare * (rows.lambda[row] - memory.average);
    if (ways_[island] == Way::kQuiet) {
      memory.wait = memory.backoff = std::min(2 * memory.backoff + 1, kMostWait);
    } else if (ways_[island] == Way::kWaits) {
      memory.wait = std::max(memory.wait - 1, 0);
    } else {
      memory.wait = 0;
      memory.backoff /= 2;
    }
  }
}

void SoftIslands::move(const Islands& islands, BodyStore& bodies, JointStore& joints) {
  const auto forEach = [&](auto&& visit) {
    for (int island = 0; island < islands.count(); ++island) {
      if (isSoft_[island] == 0) continue;
      for (int i = islands.bodyStart[island]; i < islands.bodyStart[island + 1]; ++i) {
        visit(islands.bodies[i], displacement_[i]);
      }
    }
  };
  const bool hasJoints = joints.begin() != joints.end();
  if (hasJoints) {
    turn_.assign(islands.ofBody.size(), Vec3::Zero());
    forEach([&](int body, const Vec6& way) { turn_[body] = way.tail<3>(); });
    for (Joint& joint : joints) {
      if (joint.active()) followTurn(bodies, turn_[joint.bodyA], turn_[joint.bodyB], joint);
    }
  }
  forEach([&](int body, const Vec6& way) { displaceBody(body, way, bodies); });
}

void SoftIslands::shareStep(const Islands& islands, std::vector<Real>& share) const {
  share.assign(islands.ofBody.size(), 1);
  for (int island = 0; island < islands.count(); ++island) {
    if (isSoft_[island] == 0) continue;
    for (const int body : partOf(islands.bodies, islands.bodyStart, island)) share[body] = 0;
  }
}

}  // namespace drystone
