#include "engine/step/hold_joints.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/parallel.h"
#include "core/timer.h"
#include "engine/step/integrate.h"

namespace drystone {
namespace {

/// Joint error that velocities may leave in the long run [m]: far enough below 1e-4 m for tension
/// that jumps.
constexpr Real kAllowedDrift = 3e-5;
/// Most solves of an island on top of the first; links that turn by 1 rad a step take ten.
constexpr int kMostSolves = 12;
/// Iterations of a repeated solve beyond twice those of the first: where one or two pivots do, a
/// change of the contacts may take a tenth of this.
constexpr int kLeastIterations = 100;
/// Least share of a change that is still tried where more of it led to a larger one.
constexpr Real kLeastShare = 0.1;

/// Change of a held gap that is not worth another solve, as a share of the tolerance of overlaps:
/// half of the overlap that is looked for. Less costs a half more solves in piles.
constexpr Real kLeastOverlap = 0.25;
/// Turn of a step that matters to contacts [rad]: less adds less than a thousandth of the slip.
constexpr Real kLeastTurn = 1e-3;

bool isHeld(const Joint& joint) { return joint.geometry != JointGeometry::kGear && !isSoft(joint); }

Real leftToVelocities(const HoldInput& input) { return heldJointError(input.settings, input.h); }

/// About what a joint's position is off after h beyond first order, at the present velocities [m].
Real errorAhead(const BodyStore& bodies, const Joint& joint, Real h) {
  const auto [a, b] = std::pair(joint.bodyA, joint.bodyB);
  const Vec3 armA = bodies.rotation[a] * joint.frameA.position;
  const Vec3 armB = bodies.rotation[b] * joint.frameB.position;
  const Vec3 turnA = h * bodies.velocity[a].tail<3>(), turnB = h * bodies.velocity[b].tail<3>();
  const Vec3 slip = h * (bodies.velocity[b] - bodies.velocity[a]).head<3>() + turnB.cross(armB) -
                    turnA.cross(armA);
  Real error = 0.5 * (turnA.squaredNorm() * armA.norm() + turnB.squaredNorm() * armB.norm());
  if (joint.geometry == JointGeometry::kFrames) return error + turnA.norm() * slip.norm();
  const Real apart = (bodies.position[b] + armB - bodies.position[a] - armA).norm();
  if (apart > 0) error += 0.5 * slip.squaredNorm() / apart;
  return error;
}

/// A contact whose gap after h can be told from its bodies' motion.
bool isHeld(const StepContact& contact) {
  return !contact.isSoft && !contact.point.isAhead && !contact.waits;
}

/// The gap after h to first order in the bodies' velocities [m].
Real gapAhead(const BodyStore& bodies, const StepContact& contact, Real h) {
  const Vec6 &a = bodies.velocity[contact.bodyA], &b = bodies.velocity[contact.bodyB];
  const ContactArms arm = armsOf(bodies, contact);
  const Vec3 apart =
      b.head<3>() + b.tail<3>().cross(arm.b) - a.head<3>() - a.tail<3>().cross(arm.a);
  return contact.point.gap + h * contact.point.normal.dot(apart);
}

/// Whether the bodies of a contact may overlap by more than `most` after h [m]: by the first order,
/// and by at most what turning adds to it.
bool mayOverlap(const BodyStore& bodies, const StepContact& contact, Real h, Real most) {
  const Vec6 &a = bodies.velocity[contact.bodyA], &b = bodies.velocity[contact.bodyB];
  const Real turns = a.tail<3>().squaredNorm() + b.tail<3>().squaredNorm();
  if (h * h * turns < kLeastTurn * kLeastTurn) return false;
  const Real gap = gapAhead(bodies, contact, h) + contact.forgiven + most;
  const ContactArms arms = armsOf(bodies, contact);
  const Real armA = arms.a.norm(), armB = arms.b.norm();
  const Real turnA = h * a.tail<3>().norm(), turnB = h * b.tail<3>().norm();
  const Real slip = h * (b - a).head<3>().norm() + turnA * armA + turnB * armB;
  return gap < 0.5 * (turnA * turnA * armA + turnB * turnB * armB) + std::max(turnA, turnB) * slip;
}

/// One island's repetition at work.
class IslandHold {
 public:
  /// `anchors`: of all contacts; empty where none of the island is held.
  IslandHold(const HoldInput& input, int island, std::span<const ContactAnchor> anchors,
             BodyStore& bodies, ConstraintRows& rows, HoldWorkspace& work)
      : input_(input),
        islands_(input.islands),
        island_(island),
        anchors_(anchors),
        bodies_(bodies),
        rows_(rows),
        work_(work) {}

  /// Solves again until the joints hold, in what the first solve left of its time.
  void run(SolverPool::Lane& lane, IslandReport& report) {
    const Timer timer;
    Real seconds = input_.settings.solver.budget.seconds;
    if (seconds < kUnlimited) seconds -= report.result.solver.timeMs / 1e3;
    const Deadline until{&timer, std::min(input_.until.secondsLeft(), seconds)};
    const auto b = rowsOf(islands_, rows_.b, island_);
    const auto stabilization = rowsOf(islands_, rows_.stabilizationTerm, island_);
    work_.given.assign(b.begin(), b.end());
    work_.beyond.assign(b.size(), 0.0);
    // What an earlier solve of this inner step held stays to begin with.
    forEachHeld([&](int row, Real beyond) {
      work_.beyond[row] = beyond;
      work_.given[row] -= beyond / input_.h;
      stabilization[row] -= beyond / input_.h;
    });
    int solves = 0;
    SolverReport spent;
    const Real unsettled = repeat(lane, until, report, solves, spent);
    report.unsettled = unsettled;
    report.repeatedSolves = solves;
    addSolve(spent, report.result.solver);
    report.result.solver.timeMs += spent.timeMs;
    // The work of what is held is that of the stabilisation.
    forEachHeld([&](int row, Real& beyond) {
      const Real change = b[row] - work_.given[row];
      beyond = input_.h * change;
      stabilization[row] += change;
    });
  }

 private:
  /// Leaves the best answer and its report, and in `spent` what the other solves took. Returns the
  /// change that another solve would make to what the rows hold [m]; 0: it is small enough.
  Real repeat(SolverPool::Lane& lane, const Deadline& until, IslandReport& report, int& solves,
              SolverReport& spent) {
    const auto spend = [&](const IslandReport& other) {
      addSolve(other.result.solver, spent);
      spent.timeMs += other.result.solver.timeMs;
    };
    const auto b = rowsOf(islands_, rows_.b, island_);
    const auto lambda = rowsOf(islands_, rows_.lambda, island_);
    const auto state = rowsOf(islands_, rows_.state, island_);
    // What is harder than that is another problem: less of the change is tried instead. Sweeps say
    // nothing of it, and have their own limit.
    const SolverReport& first = report.result.solver;
    const bool sweeps = first.iterations > 0 && first.factorizations == 0;
    const int mostIterations =
        sweeps ? std::numeric_limits<int>::max() : kLeastIterations + 2 * first.iterations;
    Real best = kInfinity, share = 1;
    IslandReport bestReport = report;
    for (;; ++solves) {
      const Real change = measure();
      if (solves == 0 && !std::isfinite(change)) return 0;
      const bool isWorse =
          !(change < best) || (bestReport.result.withinTolerance && !report.result.withinTolerance);
      if (solves > 0) spend(isWorse ? report : bestReport);
      const bool isLast = solves == kMostSolves || until.passed();
      if (isWorse) {
        share /= 2;
        std::copy(work_.lambda.begin(), work_.lambda.end(), lambda.begin());
        std::copy(work_.state.begin(), work_.state.end(), state.begin());
        report = bestReport;
        if (isLast || share < kLeastShare) {
          std::copy(work_.b.begin(), work_.b.end(), b.begin());
          if (rows_.isTied(island_)) tieIsland(islands_, island_, rows_);
          applyImpulses(islands_, island_, rows_, input_.freeVelocity, bodies_);
          report.result.solver.metTimeLimit |= until.passed();
          return best;
        }
      } else {
        if (change <= leftToVelocities(input_)) return 0;
        if (isLast) {
          report.result.solver.metTimeLimit |= until.passed();
          return change;
        }
        best = change;
        share = 1;
        bestReport = report;
        work_.b.assign(b.begin(), b.end());
        work_.lambda.assign(lambda.begin(), lambda.end());
        work_.state.assign(state.begin(), state.end());
        work_.bestBeyond.swap(work_.beyond);
        work_.beyond.resize(b.size());
        work_.change.resize(b.size());
        for (std::size_t row = 0; row < b.size(); ++row) {
          work_.change[row] = work_.next[row] - work_.bestBeyond[row];
        }
      }
      for (std::size_t row = 0; row < b.size(); ++row) {
        const Real step = share * work_.change[row];
        work_.beyond[row] = work_.bestBeyond[row] + step;
        b[row] = work_.b[row] + step / input_.h;
      }
      solveAgain(islands_, island_, input_.settings.solver, until, mostIterations, lane, rows_,
                 report);
      applyImpulses(islands_, island_, rows_, input_.freeVelocity, bodies_);
    }
  }

  std::span<const int> bodiesOfIsland() const {
    return std::span(islands_.bodies)
        .subspan(islands_.bodyStart[island_],
                 islands_.bodyStart[island_ + 1] - islands_.bodyStart[island_]);
  }

  /// Calls visit(row, beyond) for the rows that may be held, with what they hold [m].
  template <class Visit>
  void forEachHeld(Visit&& visit) {
    const int end = islands_.blockStart[island_ + 1];
    for (int k = islands_.blockStart[island_]; k < end && islands_.sources[k].isJoint(); ++k) {
      const StepJointBlock& block = input_.list.blocks[islands_.sources[k].index];
      for (int i = 0; i < block.rows; ++i) {
        visit(localRow(k) + i, input_.list.rows[block.firstRow + i].beyond);
      }
    }
    for (int k = firstHeldContact(); k < end; ++k) {
      StepContact& contact = input_.contacts[islands_.sources[k].index];
      if (isHeld(contact)) visit(localRow(k), contact.beyond);
    }
  }

  int localRow(int block) const { return rows_.firstRow[block] - islands_.rowStart[island_]; }

  /// What the poses after h at the present velocities are off beyond first order, for every lock
  /// of a length and every contact that overlaps.
  /// Returns the largest change against what the rows hold so far.
  Real measure() {
    work_.next.assign(work_.beyond.size(), 0.0);
    work_.poses.clear();
    work_.inertias.clear();
    for (const int body : bodiesOfIsland()) {
      work_.poses.push_back({bodies_.position[body], bodies_.rotation[body]});
      work_.inertias.push_back(bodies_.inverseInertia[body]);
      displaceBody(body, input_.h * bodies_.velocity[body], bodies_);
    }
    Real change = 0;
    const int end = islands_.blockStart[island_ + 1];
    for (int k = islands_.blockStart[island_]; k < end && islands_.sources[k].isJoint(); ++k) {
      change = std::max(change, measure(input_.list.blocks[islands_.sources[k].index]));
    }
    for (int k = firstHeldContact(); k < end; ++k) change = std::max(change, measureContact(k));
    for (std::size_t i = 0; i < work_.poses.size(); ++i) {
      const int body = bodiesOfIsland()[i];
      bodies_.position[body] = work_.poses[i].position;
      bodies_.rotation[body] = work_.poses[i].rotation;
      bodies_.inverseInertia[body] = work_.inertias[i];
    }
    return change;
  }

  Real measure(const StepJointBlock& block) {
    Real change = 0;
    const int firstRow = rows_.firstRow[block.block] - islands_.rowStart[island_];
    forEachHeldLock(bodies_, input_.joints, input_.list, block, bodies_.velocity[block.bodyA],
                    bodies_.velocity[block.bodyB], input_.h, [&](int i, Real error) {
                      const int local = firstRow + i;
                      work_.next[local] = error;
                      const Real own = std::abs(error - work_.beyond[local]);
                      change = std::isfinite(own) ? std::max(change, own) : kInfinity;
                    });
    return change;
  }

  /// The first block whose contact is held; contacts are the last blocks.
  int firstHeldContact() const { return islands_.blockStart[island_ + (anchors_.empty() ? 1 : 0)]; }

  /// The gap of a contact after h to first order in the present velocities [m].
  Real promisedGap(int block, const StepContact& contact) const {
    const int row = rows_.firstRow[block];
    const auto change = [&](int body) -> Vec6 {
      return bodies_.velocity[body] - input_.freeVelocity[body];
    };
    const Real free =
        work_.given[localRow(block)] - rows_.restitutionTerm[row] - rows_.stabilizationTerm[row];
    return contact.point.gap + input_.h * (free + rows_.jacobianA[row].dot(change(contact.bodyA)) +
                                           rows_.jacobianB[row].dot(change(contact.bodyB)));
  }

  Real measureContact(int block) {
    const int index = islands_.sources[block].index;
    const StepContact& contact = input_.contacts[index];
    if (!isHeld(contact)) return 0;
    const int row = localRow(block);
    const Real gap = placeContact(bodies_, contact, anchors_[index]).gap;
    // One that was held stays so: its overlap is gone because of it.
    if (work_.beyond[row] == 0 && gap + contact.forgiven > -input_.overlapTolerance / 2) return 0;
    const Real mostPush = input_.h * input_.settings.stabilization.maxPushSpeed;
    work_.next[row] = std::clamp(gap - promisedGap(block, contact), -mostPush, 0.0);
    const Real own = std::abs(work_.next[row] - work_.beyond[row]);
    if (!std::isfinite(own)) return kInfinity;
    return own > kLeastOverlap * input_.overlapTolerance ? own : 0;
  }

  const HoldInput& input_;
  const Islands& islands_;
  int island_;
  std::span<const ContactAnchor> anchors_;
  BodyStore& bodies_;
  ConstraintRows& rows_;
  HoldWorkspace& work_;
};

/// Lists the islands with a joint or contact that turns far.
void findHeld(const HoldInput& input, const BodyStore& bodies, ParallelSelect& select,
              std::vector<int>& held) {
  const Real overlap = input.overlapTolerance / 2;
  select.list(
      static_cast<int>(input.contacts.size()), kContactsPerRange, input.settings.threads,
      [&](int c) {
        const StepContact& contact = input.contacts[c];
        if (!isHeld(contact) || !mayOverlap(bodies, contact, input.h, overlap)) return -1;
        return input.islands
            .ofBody[bodies.isDynamic(contact.bodyA) ? contact.bodyA : contact.bodyB];
      },
      held);
  const Real most = leftToVelocities(input);
  for (const StepJointBlock& block : input.list.blocks) {
    const Joint& joint = input.joints[block.joint];
    if (block.part > 0 || !isHeld(joint) || !(errorAhead(bodies, joint, input.h) > most)) continue;
    const int mover = bodies.isDynamic(block.bodyA) ? block.bodyA : block.bodyB;
    held.push_back(input.islands.ofBody[mover]);
  }
  std::sort(held.begin(), held.end());
  held.erase(std::unique(held.begin(), held.end()), held.end());
  std::erase_if(held,
                [&](int island) { return !input.isHeld.empty() && input.isHeld[island] != 0; });
}

/// Remembers how the contacts of an island hang on their bodies, where one of them may overlap. Not
/// beside joints, which hold less well then, and not where the first solve missed. Returns whether
/// it did.
bool anchorIsland(const HoldInput& input, int island, const IslandReport& report,
                  const BodyStore& bodies, std::span<ContactAnchor> anchors) {
  const Islands& islands = input.islands;
  const auto sources = std::span(islands.sources)
                           .subspan(islands.blockStart[island],
                                    islands.blockStart[island + 1] - islands.blockStart[island]);
  if (input.contacts.empty() || sources.front().isJoint() || !report.result.withinTolerance) {
    return false;
  }
  const Real most = input.overlapTolerance / 2;
  const auto mayMiss = [&](BlockSource source) {
    const StepContact& contact = input.contacts[source.index];
    return isHeld(contact) && mayOverlap(bodies, contact, input.h, most);
  };
  if (std::none_of(sources.begin(), sources.end(), mayMiss)) return false;
  for (const BlockSource source : sources) {
    anchors[source.index] = anchorContact(bodies, input.collision, input.contacts[source.index]);
  }
  return true;
}

}  // namespace

Real heldJointError(const WorldSettings& settings, Real h) {
  return settings.velocityGamma(h) * kAllowedDrift;
}

void holdJoints(const HoldInput& input, SolverPool& pool, BodyStore& bodies, ConstraintRows& rows,
                std::vector<IslandReport>& reports, HoldData& data) {
  findHeld(input, bodies, data.select, data.islands);
  if (data.islands.empty()) return;
  const int lanes = static_cast<int>(pool.lanes.size());
  const int count = static_cast<int>(data.islands.size());
  data.anchors.resize(input.contacts.size());
  data.holdsContacts.resize(data.islands.size());
  parallelFor(count, lanes, [&](int index, int) {
    const int island = data.islands[index];
    data.holdsContacts[index] =
        anchorIsland(input, island, reports[island], bodies, data.anchors) ? 1 : 0;
  });
  data.carriers.clear();
  data.carrierPoses.clear();
  for (const int body : bodies.active()) {
    if (bodies.kind[body] != BodyKind::kKinematic || bodies.velocity[body].isZero(0)) continue;
    data.carriers.push_back(body);
    data.carrierPoses.push_back({bodies.position[body], bodies.rotation[body]});
    displaceBody(body, input.h * bodies.velocity[body], bodies);
  }
  data.threads.resize(lanes);
  parallelFor(count, lanes, [&](int index, int thread) {
    const int island = data.islands[index];
    const std::span<const ContactAnchor> anchors = data.anchors;
    IslandHold(input, island, data.holdsContacts[index] != 0 ? anchors : anchors.first(0), bodies,
               rows, data.threads[thread])
        .run(pool.lanes[thread], reports[island]);
  });
  for (std::size_t i = 0; i < data.carriers.size(); ++i) {
    bodies.position[data.carriers[i]] = data.carrierPoses[i].position;
    bodies.rotation[data.carriers[i]] = data.carrierPoses[i].rotation;
    bodies.updateInverseInertia(data.carriers[i]);
  }
}

}  // namespace drystone
